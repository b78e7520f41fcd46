import { systemClock } from "../lib/clock.ts";
import { findRun } from "../sessions/find-run.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { openProject } from "../workspace/open-project.ts";
import { requireRound } from "./fork-at-round.ts";
import type { Run } from "./open-run.ts";
import type { FilesWish } from "./restore-files.ts";
import { resumeLastRun } from "./resume-run.ts";
import { emptyRun, followRun, type RunState } from "./run-state.ts";
import { type StartRunOptions, startRun } from "./start-run.ts";
import { listUserWords } from "./user-words.ts";

export interface ReplayRunOptions extends Omit<StartRunOptions, "task" | "further" | "replays"> {
  /** The run that is replayed: an id, the beginning of one, a title, or `latest`; the latest one unless given. */
  readonly session?: string;
  /** The folder in whose project it is looked for; `cwd` unless given. */
  readonly foundFrom?: string;
  /** The first round that is driven again; those before it are shared with the run that is replayed. */
  readonly fromRound?: number;
  /** What becomes of the files where rounds are shared: they are left as they are unless given. */
  readonly files?: FilesWish;
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
  const wish = files === undefined ? {} : { files };
  const run = await (fromRound === 1
    ? startRun({ ...modelsOf(config), ...again, task, further, replays })
    : resumeLastRun({
        ...{ ...again, ...wish, session: replays, forkAtRound: fromRound - 1 },
        more: further.join("\n\n"),
      }));
  return { ...run, replays };
}

/** What another program has recorded may name no model. */
function modelsOf({ instructorModel, workerModel }: RunState["config"]) {
  return {
    ...(instructorModel === "" ? {} : { instructor: instructorModel }),
    ...(workerModel === "" ? {} : { worker: workerModel }),
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
