import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import type { Project } from "../sessions/project.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { isNoStore, readHere } from "../workspace/open-here.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import { isTrustedProject } from "../workspace/trust.ts";
import type { Caller } from "../workspace/workspace.ts";
import { readClientEnvironment } from "./ancestors.ts";
import { findTrust, recallTrust, type TrustAnswer } from "./find-trust.ts";
import { type GateDesk, type GateSpot, openGateDesk } from "./gate-desk.ts";
import { locateGateCache } from "./gate-places.ts";
import { isRunByAgent } from "./is-run-by-agent.ts";
import { isSkippedByUser } from "./is-under-agent.ts";
import { isSkipped } from "./may-have-gates.ts";

/** Opens the gates of the current folder. They need no store: without one that answers, nobody is trusted anew. */
export async function openGatesHere(context: Caller): Promise<GateDesk> {
  const place = await locatePlace(context.cwd);
  const home = locateHome(context.env, context.userHome);
  const trust = await findTrust(() => isTrustedHere(context));
  const { doubt } = trust;
  if (doubt === undefined || place.git === undefined) return openDesk(context, place, trust);
  const { git } = place;
  const cacheFolder = locateGateCache(home, git.commonFolder);
  const recalled = await recallTrust({ home, place: git, cacheFolder }, doubt);
  return openDesk(context, place, recalled);
}

/** Opens the gates of a project that was found already. */
export async function openGatesOf(
  context: Caller,
  spot: GateSpot,
  project: Pick<Project, "id"> | undefined,
): Promise<GateDesk> {
  const home = locateHome(context.env, context.userHome);
  const trust = await findTrust(async () => project !== undefined && isTrustedProject(home, project));
  return openDesk(context, spot, trust);
}

async function openDesk(context: Caller, spot: GateSpot, trust: TrustAnswer): Promise<GateDesk> {
  const { env, userHome, clock } = context;
  const home = locateHome(env, userHome);
  const skipped = isSkipped(env) && (await skipsHere(context));
  return openGateDesk(spot, { home, clientFolder: clientFolderOf(context), env, clock, skipped, ...trust });
}

/** In a terminal the variable is meant for clients that are started there; in a client it says what hooks make of it. */
async function skipsHere(context: Caller): Promise<boolean> {
  if (!(await isRunByAgent(context))) return true;
  const { env, pid } = context;
  return isSkippedByUser({ env, startedWith: () => readClientEnvironment(pid) });
}

/** Asks the store whether the user trusts the project of the current folder. One that it has never seen is not trusted. */
export async function isTrustedHere(context: Caller): Promise<boolean> {
  const home = locateHome(context.env, context.userHome);
  try {
    return await readHere(
      context,
      async ({ project }) => project !== undefined && isTrustedProject(home, project),
    );
  } catch (error) {
    if (isNoStore(error)) return false;
    throw error;
  }
}
