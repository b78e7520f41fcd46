import type { FileTaken } from "../chat/session-file.ts";
import { hideEntrySecrets } from "../chat/session-recorder.ts";
import { toModelMessages } from "../chat/to-model-messages.ts";
import type { AppError } from "../lib/app-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { readOwnIdentity } from "../lib/process-identity.ts";
import { isStoreLost, listRescueFolders, SessionRescued, writeRescueFile } from "../lib/rescue-file.ts";
import { type RandomSource, systemRandom } from "../lib/uuid-v7.ts";
import type { Model } from "../model/model.ts";
import type { Prices } from "../model/prices.ts";
import type { JsonObject } from "../sessions/entry.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import type { SessionTarget } from "../sessions/session-writer.ts";
import { openToolbox } from "../tools/open-toolbox.ts";
import type { Toolbox } from "../tools/tool.ts";
import { describeLeftOut } from "../work/describe-left-out.ts";
import { type KeptTree, keepTree } from "../work/keep-tree.ts";
import { openTrees } from "../work/open-trees.ts";
import type { RestoredTree } from "../work/restore-tree.ts";
import { openProject, type Surroundings, type WritableProject } from "../workspace/open-project.ts";
import { driveRun, type ResumedRun } from "./drive-run.ts";
import type { RunDesk, RunEvent, RunOutcome } from "./run.ts";
import type { RunLimits } from "./run-config.ts";
import type { RunRecord } from "./run-entries.ts";
import type { ChosenModels } from "./run-models.ts";
import { renderEntries, type StatePlace, stateWriter } from "./session-file.ts";

/** What every run needs; `cwd` is the folder that the worker works in. */
export interface RunSurroundings extends Surroundings, StatePlace {
  /** Where keys and addresses of models come from, and the variables of commands that are run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Open models, or the names of some; the user's own choice, or that of the session, unless given. */
  readonly instructor?: Model | string | undefined;
  readonly worker?: Model | string | undefined;
  readonly useThinking?: boolean | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
  /** Dollars for a million tokens, by the name of the model, which a limit of cost needs; what the user has set unless given. */
  readonly prices?: Prices | undefined;
  /** The tools for the folder unless given. */
  readonly tools?: Toolbox | undefined;
  /** Asks whether a call that writes or runs something may be made; all may unless given. */
  readonly approve?: RunDesk["approve"] | undefined;
  /** Whether the state is written every few rounds and at the end where a place is given, which is read first at a resume: it is unless told. Messages are saved all the same. */
  readonly autoSave?: boolean | undefined;
  /** Whether the session is brought to the store `cloud` of config.yaml as often. */
  readonly saveToCloud?: boolean | undefined;
  readonly tell?: ((event: RunEvent) => void) | undefined;
  readonly machine?: string | undefined;
  readonly leaseMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: RandomSource | undefined;
}

/** The files of a round that were restored. */
export interface RestoredRound extends RestoredTree {
  /** What was not kept of them, and is not brought back, each with the reason. */
  readonly leftOut: readonly string[];
}

/** What was there when a run was resumed. */
export interface RestoredRun {
  /** When it last changed. */
  readonly since: Date;
  readonly rounds: number;
  /** Rounds that are left; null without a limit. */
  readonly remaining: number | null;
  /** What is left of each limit; null without one. */
  readonly left: RunLimits;
  readonly changes: ResumedRun["plan"]["changes"];
  /** What the user adds, and whether the worker is at a step, after which it is heard. */
  readonly more: { readonly text: string; readonly heard: "at-once" | "after-round" } | undefined;
  /** What the session file has brought, where one was given that was there. */
  readonly file: FileTaken | undefined;
  /** Where it is a fork: what it was forked from, after which round, and which files were restored. */
  readonly fork:
    | { readonly from: SessionId; readonly round: number; readonly files: RestoredRound | undefined }
    | undefined;
}

/** A run that is open. Its session is on disk, and nobody else writes it. */
export interface Run extends AsyncDisposable {
  readonly session: Session["id"];
  /** The folder that it works in. */
  readonly folder: string;
  readonly restored: RestoredRun | undefined;
  /** The run that it does over. */
  readonly replays?: Session["id"];
  /** Works until the task is done, a limit is reached, or the signal is aborted, whose reason is then thrown. Called once. */
  drive(signal: AbortSignal): Promise<RunOutcome>;
}

/** What a run is driven with. */
interface Opened {
  readonly desk: RunDesk;
  readonly record: RunRecord;
  readonly restored: RestoredRun | undefined;
}

/** Opens the project of a folder and a run in it, and closes the project with the run. */
export async function inProject(
  options: RunSurroundings,
  open: (here: WritableProject) => Promise<Opened>,
): Promise<Run> {
  const here = await openProject(options, "write");
  try {
    const { desk, record, restored } = await open(here);
    return {
      session: desk.target.session,
      folder: record.state.config.workDir,
      restored,
      drive: async (signal) => {
        try {
          return await driveRun(desk, record, signal);
        } catch (error) {
          throw isStoreLost(error)
            ? await rescueRun(here, options, { session: desk.target.session, record }, error)
            : error;
        }
      },
      [Symbol.asyncDispose]: async () => {
        await desk.target.release();
        await here[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await here[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Writes a run to a file when the store goes away under it, so that it can be resumed from there; returns the error that
 * says so. It is written from memory: a store that was overwritten cannot be read.
 */
async function rescueRun(
  { home }: WritableProject,
  { env, cwd }: RunSurroundings,
  { session, record }: { readonly session: SessionId; readonly record: RunRecord },
  error: AppError,
): Promise<AppError> {
  const { entries, state } = record;
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return error;
  const facts = { id: session, startedAt: first.at, updatedAt: last.at, cwd: state.config.workDir };
  const text = await renderEntries(facts, hideEntrySecrets(entries));
  const folders = listRescueFolders(home, env, cwd);
  const file = await writeRescueFile(folders, `carryon-${session}.json`, text);
  return file === undefined ? error : new SessionRescued(error, file, error.hint ?? "");
}

/** Returns the name of the machine that a session is recorded on. */
export async function machineOf({ machine }: RunSurroundings): Promise<string> {
  return machine ?? (await readOwnIdentity()).host;
}

/** How the session of a run is held. */
export function leaseOf({ leaseMs }: RunSurroundings, clock: Clock) {
  return { program: "carryon run", now: clock.now(), ...(leaseMs !== undefined && { leaseMs }) };
}

/** Returns what writes the copies of a session that are wanted. */
async function makeCopier(
  here: WritableProject,
  options: RunSurroundings,
  session: SessionId,
): Promise<() => Promise<void>> {
  const { cwd, autoSave = true, saveToCloud = false, clock = systemClock } = options;
  const toFile = stateWriter(here.store.log, session, autoSave ? options : {});
  if (!saveToCloud) return toFile;
  const { cloudWriter } = await import("../share/cloud.ts");
  const toCloud = await cloudWriter(here, session, { cwd, clock, machine: await machineOf(options) });
  return async () => {
    const outcomes = await Promise.allSettled([toFile(), toCloud()]);
    const failed = outcomes.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  };
}

/** Puts together what a run works with. */
export async function makeDesk(
  here: WritableProject,
  options: RunSurroundings,
  target: SessionTarget,
  models: ChosenModels,
): Promise<RunDesk> {
  const { cwd, env, sessionFile, sessionDir } = options;
  const withheld = [here.home, sessionFile, sessionDir].filter((path) => path !== undefined);
  return {
    ...{ target, ...models, toMessages: toModelMessages },
    toolbox: options.tools ?? (await openToolbox({ folder: cwd, env })),
    keepFiles: await filesKeeper({ folder: cwd, env, withheld }, target.session),
    approve: options.approve ?? (async () => true),
    copy: await makeCopier(here, options, target.session),
    tell: options.tell ?? (() => undefined),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  };
}

/** Names more than this of what was left out nowhere: the log is no list of files. */
const mostNamed = 20;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the files are that are kept, and which are Carryon's own among them. */
interface KeptPlace {
  readonly folder: string;
  readonly env: Environment;
  readonly withheld: readonly string[];
}

/**
 * Returns what keeps the files of a folder after each round of a session, and says what the log is to have of them: the
 * commit and its tree, or the reason why there is none.
 */
async function filesKeeper(
  { folder, env, withheld }: KeptPlace,
  session: SessionId,
): Promise<(round: number, at: Date) => Promise<JsonObject>> {
  const trees = await openTrees(folder, env, { withheld });
  if (trees.type === "none") return async () => ({ reason: trees.reason });
  let after: KeptTree | undefined;
  return async (round, at) => {
    const kept = await keepTree(trees.repository, { session, round, at, after });
    after = kept;
    if (kept.type === "not-kept") return { reason: kept.reason };
    const { commit, tree, leftOut } = kept;
    const named = leftOut.slice(0, mostNamed).map(describeLeftOut);
    const more = leftOut.length - named.length;
    return {
      ...{ commit, tree },
      ...(named.length === 0 ? {} : { leftOut: named }),
      ...(more === 0 ? {} : { moreLeftOut: more }),
    };
  };
}
