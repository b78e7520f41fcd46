import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import type { ProjectSpot } from "../gates/gate-desk.ts";
import { describeGatesBeside } from "../gates/gates-beside.ts";
import { findOthers, locateRegistry } from "../gates/registry.ts";
import { openProjectHandover } from "../handover/project-handover.ts";
import { findProgram } from "../lib/find-program.ts";
import { locateLauncher } from "../lib/hook-files.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { type BriefRequest, readBrief, readUnrecordedBrief } from "../memory/read-brief.ts";
import type { Brief } from "../memory/render-brief.ts";
import { parseSessionId } from "../sessions/ids.ts";
import { findGiven } from "../sessions/ingestion.ts";
import { restoredNotice } from "../sessions/own-echo.ts";
import { chooseHandoverPlace } from "../workspace/choose-handover-place.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { isNoStore, readHere, writeHere } from "../workspace/open-here.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import type { Caller, Workspace } from "../workspace/workspace.ts";

/**
 * Makes the brief of the current folder and says it; one that is for a session of an agent begins that session, once.
 *
 * It is said first: where decisions.md cannot be written, the agent must know the rest nevertheless.
 */
export async function makeBrief(
  context: Caller,
  request: BriefRequest,
  say: (brief: Brief) => void,
): Promise<void> {
  const { session } = request;
  if (session === undefined) return say(await readBriefHere(context, request));
  await writeHere(context, (here) => briefSession(here, { ...request, session }, say));
}

/** The brief of a session that begins. */
export interface SessionBrief extends Brief {
  /** Says to the user in one line which work is restored; undefined where there is none. */
  readonly notice: string | undefined;
}

/** Does the same for a session of an agent in a project that is open. */
export async function briefSession(
  here: Workspace,
  request: BriefRequest & { readonly session: string },
  say: (brief: SessionBrief) => void,
): Promise<void> {
  const session = parseSessionId(request.session);
  const beside = await lookBeside(here, here, session);
  const { restores, stamp, ...brief } = await readBrief(here, { ...request, session, ...beside });
  const notice =
    restores && `${restoredNotice}${toPrintableLine(restores)}. Other work: ${beside.command} status`;
  say({ ...brief, notice });
  await (await openProjectHandover(here)).begin(session, { stamp });
}

/** Begins a session of an agent in the current folder, once, and says nothing. */
export async function beginSession(context: Caller, session: string): Promise<void> {
  await writeHere(context, async (here) => {
    const id = parseSessionId(await findGiven(here.store.ingestion, "claude-code", session));
    await (await openProjectHandover(here)).begin(id);
  });
}

/** Reads the brief of the current folder, and begins nothing. */
export async function readBriefHere(context: Caller, request: BriefRequest): Promise<Brief> {
  try {
    return await readHere(context, async ({ project, ...here }) => {
      if (project === undefined) return readUnrecorded(context, request);
      const beside = await lookBeside(context, { ...here, project });
      return readBrief({ ...here, project }, { ...request, ...beside });
    });
  } catch (error) {
    if (isNoStore(error)) return readUnrecorded(context, request);
    throw error;
  }
}

async function readUnrecorded(context: Caller, request: BriefRequest): Promise<Brief> {
  const { cwd, env, userHome, clock } = context;
  const spot = await locatePlace(cwd);
  const { root, git } = spot;
  const beside = await lookBeside(context, spot);
  const place = await chooseHandoverPlace({ home: locateHome(env, userHome), root });
  return readUnrecordedBrief({ place, git, now: clock.now() }, { ...request, ...beside });
}

/** Finds out what a brief says beside the documents: how the gates stand, who else works here, and how Carryon is run. */
async function lookBeside(
  context: Caller,
  beside: ProjectSpot,
  session = context.env.CARRYON_SESSION ?? "",
): Promise<Pick<BriefRequest, "gates" | "others"> & { readonly command: string }> {
  const { root: project, branch } = beside;
  const registry = locateRegistry(clientFolderOf(context));
  const others = branch === null ? [] : await findOthers(registry, { session, project, branch });
  const gates = await describeGatesBeside(context, beside, session || undefined);
  const launcher = locateLauncher(locateHome(context.env, context.userHome));
  return { gates, others, command: findProgram(context.env.PATH, launcher) ?? "npx carryon" };
}
