import { usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { findRun } from "../sessions/find-session.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { beginSession, type SessionTarget } from "../sessions/session-writer.ts";
import { openProject, type WritableProject } from "../workspace/open-project.ts";
import { beginRun } from "./drive-run.ts";
import { newSession, requireRound } from "./fork-at-round.ts";
import { inProject, leaseOf, makeDesk, type Run, type RunSurroundings } from "./open-run.ts";
import { rememberDir } from "./recall-dir.ts";
import { listUserWords } from "./replay/recording.ts";
import { type FilesWish, resumeLastRun } from "./resume-run.ts";
import { noLimits, type RunConfig } from "./run-config.ts";
import { chooseModels, choosePrices, requirePrices } from "./run-models.ts";
import { emptyRun, followRun, type RunState } from "./run-state.ts";
import { requireNewFile } from "./session-file.ts";

export interface StartRunOptions extends RunSurroundings {
  readonly task: string;
  /** What is said to the instructor besides. */
  readonly further?: readonly string[] | undefined;
  /** The run that this one does over. */
  readonly replays?: SessionId | undefined;
  /** What the session is called. */
  readonly name?: string | undefined;
}

/** Begins a run in the project of a folder: an instructor directs a worker until the task is done. */
export async function startRun(options: StartRunOptions): Promise<Run> {
  return inProject(options, async (here) => {
    const task = requireTask(options.task);
    const models = await chooseModels(here.home, options, undefined);
    const config: RunConfig = {
      ...{ instructorModel: models.instructor.name, workerModel: models.worker.name },
      ...{ useThinking: options.useThinking ?? true, workDir: options.cwd },
      limits: { ...noLimits, ...options.limits },
      prices: await choosePrices(here.home, options, models),
      sessionDirs: await rememberDir(options),
    };
    requirePrices(here.home, config);
    await requireNewFile(here.home, options);
    const target = await newTarget(here, options);
    const desk = await makeDesk(here, options, target, models);
    return { desk, record: await beginRun(desk, config, { ...options, task }), restored: undefined };
  });
}

async function newTarget(here: WritableProject, options: StartRunOptions): Promise<SessionTarget> {
  const { project, branch, store } = here;
  const session = { ...(await newSession(options)), project: project.id, client: "carryon-run", branch };
  return beginSession(store, session, leaseOf(options, options.clock ?? systemClock));
}

/** Returns the task; throws where there is none. */
export function requireTask(task: string): string {
  if (task.trim() !== "") return task;
  throw usageError("no-task", "A run needs a task.", {
    hint: 'Say what is to be done: `carryon run "TASK"`.',
  });
}

export interface ReplayRunOptions extends Omit<StartRunOptions, "task" | "further" | "replays"> {
  /** The run that is replayed: an id, the beginning of one, a title, or `latest`; the latest one unless given. */
  readonly session?: string | undefined;
  /** The folder in whose project it is looked for; `cwd` unless given. */
  readonly foundFrom?: string | undefined;
  /** The first round that is driven again; those before it are shared with the run that is replayed. */
  readonly fromRound?: number | undefined;
  /** What becomes of the files where rounds are shared: they are left as they are unless given. */
  readonly files?: FilesWish | undefined;
}

/** A replay that is open. */
export interface Replay extends Run {
  /** The run that is replayed. */
  readonly replays: SessionId;
}

/**
 * Drives the task of a run again into a session of its own, with other models where they are given. Models, limits and
 * thinking are otherwise those with which it was begun.
 *
 * What the user said at later resumes belongs to the task: it is said at once. The worker acts in `cwd`, on the files as they
 * are there, unless those of a round are wanted.
 */
export async function replayRun(options: ReplayRunOptions): Promise<Replay> {
  const { session: _session, foundFrom: _foundFrom, fromRound = 1, files, ...common } = options;
  const { origin, state, further } = await findReplayed(options);
  const { config, task } = state;
  const again = {
    ...{ ...common, limits: { ...config.limits, ...options.limits } },
    useThinking: options.useThinking ?? config.useThinking,
  };
  const replays = origin.id;
  const run = await (fromRound === 1
    ? startRun({ ...again, ...modelsOf(config, common), task, further, replays })
    : resumeLastRun({
        ...{ ...again, files, session: replays, forkAtRound: fromRound - 1 },
        more: further.join("\n\n"),
      }));
  return { ...run, replays };
}

/** What another program has recorded may name no model. */
function modelsOf(
  { instructorModel, workerModel }: RunState["config"],
  { instructor, worker }: Pick<StartRunOptions, "instructor" | "worker">,
) {
  return {
    instructor: instructor ?? (instructorModel || undefined),
    worker: worker ?? (workerModel || undefined),
  };
}

interface Found {
  readonly origin: Session;
  readonly state: RunState;
  /** What the user says beside what is shared, or beside the task. */
  readonly further: readonly string[];
}

async function findReplayed(options: ReplayRunOptions): Promise<Found> {
  const { fromRound = 1, clock = systemClock, foundFrom = options.cwd } = options;
  const here = await openProject({ ...options, cwd: foundFrom }, "write");
  try {
    const { log } = here.store;
    const origin = await findRun(log, options.session, { project: here.project.id, now: clock.now() });
    const entries = await Array.fromAsync(log.read(origin.id));
    const end = fromRound > 1 ? requireRound(entries, origin, fromRound - 1) : undefined;
    const words = listUserWords(entries).filter(({ seq }, index) =>
      end === undefined ? index > 0 : seq > end.seq,
    );
    const state = entries.reduce(followRun, emptyRun);
    return { origin, state, further: words.map(({ text }) => text) };
  } finally {
    await here[Symbol.asyncDispose]();
  }
}
