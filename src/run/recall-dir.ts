import { stat } from "node:fs/promises";
import { badSessionFile } from "../chat/require-file-place.ts";
import type { FileTaken } from "../chat/session-file.ts";
import { AppError, unlessGone } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import type { SessionId } from "../sessions/ids.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { machineOf, type RunSurroundings } from "./open-run.ts";
import type { RunConfig } from "./run-config.ts";
import { readRun } from "./run-state.ts";
import { hasParted, locateState, takeSessionFile } from "./session-file.ts";

/** Returns what a run remembers of the folder in which it is kept: a path holds for one machine. */
export async function rememberDir(options: RunSurroundings): Promise<RunConfig["sessionDirs"]> {
  const { sessionDir, autoSave = true } = options;
  return sessionDir === undefined || !autoSave ? {} : { [await machineOf(options)]: sessionDir };
}

/** The folder in which a run goes on being kept, and what the file in it has brought. */
interface Recalled {
  readonly sessionDir?: string;
  readonly file?: FileTaken | undefined;
}

/** Returns the folder that a run was kept in on this machine before, unless told otherwise; says why where that cannot go on. */
export async function recallDir(
  here: WritableProject,
  session: SessionId,
  options: RunSurroundings & { readonly forkAtRound?: number | undefined },
): Promise<Recalled> {
  const { cwd, autoSave = true, clock = systemClock, forkAtRound, tell } = options;
  if (!autoSave || options.sessionFile !== undefined || options.sessionDir !== undefined) return {};
  const machine = await machineOf(options);
  const { config } = await readRun(here.store.log.read(session));
  const sessionDir = fieldOf(config.sessionDirs, machine);
  if (typeof sessionDir !== "string") return {};
  try {
    await requireOwnFile(sessionDir, session);
    if (forkAtRound !== undefined) return { sessionDir };
    const file = await takeSessionFile(here, { cwd, clock, machine, sessionDir, session });
    if (!hasParted(file)) return { sessionDir, file };
    throw badSessionFile(`The file in ${sessionDir} went on otherwise: it is ${file?.session} now.`, "");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell?.({ type: "not-copied", reason: `${error.message} Name a folder with \`--session-dir\`.` });
    return {};
  }
}

/** What a session from elsewhere names must not be written to: only where its file is already does it go on. */
async function requireOwnFile(sessionDir: string, session: SessionId): Promise<void> {
  const path = locateState({ sessionDir }, session) ?? sessionDir;
  const stats = await unlessGone(stat(path)).catch(() => undefined);
  if (stats === undefined) throw badSessionFile(`${path} is gone, or cannot be read.`, "");
}
