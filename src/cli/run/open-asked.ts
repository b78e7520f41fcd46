import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { usageError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { Run } from "../../run/open-run.ts";
import { type FilesWish, resumeLastRun } from "../../run/resume-run.ts";
import type { ProposedCall, RunEvent } from "../../run/run.ts";
import type { RunLimits } from "../../run/run-config.ts";
import { replayRun, startRun } from "../../run/start-run.ts";
import { choiceOf } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { leaseDuration } from "../lease-duration.ts";

/** What a person wants of a run. */
export interface RunRequest {
  /** The task, or at a resume what is to be done further. */
  readonly text: string | undefined;
  readonly isResume: boolean;
  /** The run that is done over, and from which round on. */
  readonly replay?: { readonly session: string; readonly fromRound?: number | undefined } | undefined;
  readonly session?: string | undefined;
  /** Where a resume forks, and what becomes of the files. */
  readonly forkAtRound?: number | undefined;
  readonly restoreFiles?: boolean | undefined;
  /** The new work tree that the files go to, and that the run then works in. */
  readonly worktree?: string | undefined;
  readonly dir?: string | undefined;
  readonly instructor?: string | undefined;
  readonly worker?: string | undefined;
  readonly useThinking?: boolean | undefined;
  readonly name?: string | undefined;
  readonly limits: Partial<RunLimits>;
  readonly sessionFile?: string | undefined;
  readonly sessionDir?: string | undefined;
  readonly autoSave?: boolean | undefined;
  readonly saveToCloud?: boolean | undefined;
  readonly fromCloud?: boolean | undefined;
  /** Whether nothing is asked before the worker writes or runs something. */
  readonly yes: boolean;
  readonly json: boolean;
}

/** Who hears of a run, and is asked before its worker writes or runs something. */
export interface RunListeners {
  readonly tell: (event: RunEvent) => void;
  readonly approve: (asked: ProposedCall) => Promise<boolean>;
}

/** Opens the run that a person asks for: a new one, one that goes on, or one that is done over. */
export async function openAsked(
  context: CommandContext,
  request: RunRequest,
  { tell, approve }: RunListeners,
): Promise<Run> {
  const cwd = await findFolder(context, request.dir ?? ".");
  const common = { ...toCommon(context, request, cwd), approve: request.yes ? undefined : approve, tell };
  const { text = "", session, name, replay, forkAtRound, fromCloud } = request;
  if (replay !== undefined)
    return replayRun({
      ...{ ...common, ...replay, name, foundFrom: context.cwd },
      files: toFilesWish(context, { ...request, forkAtRound: roundBefore(replay) }, cwd),
    });
  if (!request.isResume) return startRun({ ...common, task: text, name });
  const isPlaced = request.dir !== undefined || request.worktree !== undefined;
  return resumeLastRun({
    ...{ ...common, session, forkAtRound, fromCloud, more: text },
    files: toFilesWish(context, request, cwd),
    mayMove: isPlaced ? undefined : (saved) => askFolder(context, saved, cwd),
  });
}

function toCommon(context: CommandContext, request: RunRequest, cwd: string) {
  const { env, machine, clock, random } = context;
  const { instructor, worker, useThinking, limits, autoSave, saveToCloud } = request;
  const locate = (path: string | undefined) => (path === undefined ? undefined : resolve(context.cwd, path));
  return {
    ...{ cwd, env, machine, clock, random, limits, ...choiceOf(context), ...leaseDuration(context) },
    ...{ instructor, worker, useThinking, autoSave, saveToCloud },
    ...{ sessionFile: locate(request.sessionFile), sessionDir: locate(request.sessionDir) },
  };
}

function toFilesWish(
  { cwd }: CommandContext,
  { worktree, restoreFiles, forkAtRound, dir }: RunRequest,
  folder: string,
): FilesWish {
  const isWanted = worktree !== undefined || restoreFiles === true;
  if (isWanted && forkAtRound === undefined)
    throw usageError("no-round-named", "Files are restored as they were after a round, and none was named.", {
      hint: "Name it with `--fork-at-round`, or `--from-round` of a replay.",
    });
  const named = dir === undefined ? {} : { folder };
  if (worktree !== undefined) return { worktree: resolve(cwd, worktree), ...named };
  return isWanted ? "restore" : "leave";
}

/** Of the files before the first round nothing is kept. */
function roundBefore({ fromRound = 1 }: NonNullable<RunRequest["replay"]>): number | undefined {
  return fromRound === 1 ? undefined : fromRound - 1;
}

async function findFolder(context: CommandContext, dir: string): Promise<string> {
  const path = resolve(context.cwd, dir);
  try {
    return await realpath(path);
  } catch (error) {
    throw readFailed(path, error);
  }
}

async function askFolder(context: CommandContext, saved: string, cwd: string): Promise<boolean> {
  if (!context.isTerminal.input) return false;
  return context.confirm(toPrintableLine(`The run worked in ${saved}. Go on in ${cwd}?`));
}
