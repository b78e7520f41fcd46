import { join } from "node:path";
import { readCompiledConfig } from "../../gates/config/compiled-config.ts";
import type { GatePlaces } from "../../gates/config/gate-places.ts";
import type { GateConfig } from "../../gates/gate.ts";
import type { GateSite } from "../../gates/hooks/gate-site.ts";
import type { GateSurroundings } from "../../gates/hooks/gate-surroundings.ts";
import { openGateSite } from "../../gates/hooks/open-gate-site.ts";
import { type Head, readHead } from "../../gates/measure/read-head.ts";
import { locateGates } from "../../gates/state/gate-place.ts";
import { AppError } from "../../lib/app-error.ts";
import { launcherFile } from "../../lib/hook-files.ts";
import type { GateAuthor } from "./gate-desk.ts";
import { isKnownTrusted } from "./known-trust.ts";
import { locateCompiledConfig, locateGateCache } from "./locate-gate-cache.ts";
import { isSkipped, locateUserFile } from "./may-have-gates.ts";

/** A session of a client, in the folder that it works in. */
export interface ClientSession
  extends Omit<GateAuthor, "trusted">,
    Pick<GateSurroundings, "process" | "session" | "tell"> {
  readonly cwd: string;
  /** Asks the store whether the user trusts the project of the folder. */
  readonly askTrust: () => Promise<boolean>;
}

/**
 * Opens the gates that a session meets; undefined where no gate does anything: outside a repository, on a detached HEAD,
 * where they are turned off or skipped, and for a session that does not say who it is.
 */
export async function openSessionGates(client: ClientSession): Promise<GateSite | undefined> {
  const { session, home, clientFolder, env, clock, process, tell } = client;
  if (isSkipped(env) || session === "") return undefined;
  const head = await findHead(client);
  if (head === undefined || head.branch === null) return undefined;
  const { root, branch, commonFolder } = head;
  const cacheFolder = locateGateCache(home, commonFolder);
  const trusted = await isTrusted(client, head, cacheFolder);
  const config = await findConfig(
    client,
    { user: locateUserFile(clientFolder), root, trusted },
    locateCompiledConfig(cacheFolder, root),
  );
  if (!config.enabled) return undefined;
  const place = {
    folder: locateGates(commonFolder),
    project: root,
    clock,
    cache: cacheFolder,
  };
  return openGateSite({
    launcher: join(home, "bin", launcherFile),
    ...{ config, root, branch, commonFolder, session, place, cacheFolder, clientFolder, env, process, tell },
  });
}

/** Git is only asked where the files alone do not say it: starting it takes longer than all the rest. */
async function findHead({ cwd, env }: ClientSession): Promise<Omit<Head, "gitFolder"> | undefined> {
  const head = readHead(cwd, { env });
  if (head !== undefined) return head ?? undefined;
  const { readGitFacts } = await import("../../work/git-facts.ts");
  return readGitFacts(cwd);
}

/** Whether it is trusted cannot always be said; then it is not, and the work goes on. */
async function isTrusted(
  { home, askTrust, tell }: ClientSession,
  place: Omit<Head, "gitFolder">,
  cacheFolder: string,
): Promise<boolean> {
  try {
    return await isKnownTrusted({ home, place, cacheFolder, ask: askTrust });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const hint = error.hint ?? "See `carryon doctor`.";
    tell({ path: home, problem: `does not say whether this project is trusted: ${error.message}`, hint });
    return false;
  }
}

async function findConfig(
  { clock, tell }: ClientSession,
  places: GatePlaces,
  cacheFile: string,
): Promise<GateConfig> {
  const compiled = readCompiledConfig(cacheFile, places);
  if (compiled !== undefined) return compiled;
  // What reads YAML is only loaded when a file has changed.
  const { readGateConfig } = await import("../../gates/config/read-gate-config.ts");
  const read = await readGateConfig(places);
  for (const { file, line, problem, hint } of read.problems) {
    tell({ path: file, problem: `is wrong in line ${line}: ${problem}`, hint });
  }
  try {
    const { writeCompiledConfig } = await import("../../gates/config/write-compiled-config.ts");
    await writeCompiledConfig(cacheFile, read, clock);
  } catch (error) {
    // Without it the next call takes longer, and finds the same.
    if (!(error instanceof AppError)) throw error;
  }
  return read.config;
}
