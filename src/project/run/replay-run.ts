import type { SessionId } from "../../conversation/ids.ts";
import type { Session } from "../../conversation/session.ts";
import { systemClock } from "../../lib/clock.ts";
import { emptyRun, followRun, type RunState } from "../../run/run-state.ts";
import { listUserWords } from "../../run/user-words.ts";
import { openProject } from "../open-project.ts";
import { findRun } from "./find-run.ts";
import { forkAt, requireRound } from "./fork-at-round.ts";
import type { Run } from "./open-run.ts";
import { resumeLastRun } from "./resume-run.ts";
import { type ChosenModels, chooseModels } from "./run-models.ts";
import { type StartRunOptions, startRun } from "./start-run.ts";

export interface ReplayRunOptions extends Omit<StartRunOptions, "task" | "further" | "replays"> {
  /** The run that is replayed: an id, the beginning of one, a title, or `latest`; the latest one unless given. */
  readonly session?: string;
  /** The folder in whose project it is looked for; `cwd` unless given. */
  readonly foundFrom?: string;
  /** The first round that is driven again; those before it are shared with the run that is replayed. */
  readonly fromRound?: number;
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
 * are there.
 */
export async function replayRun(options: ReplayRunOptions): Promise<Replay> {
  const { session: _session, foundFrom: _foundFrom, fromRound: _fromRound, ...common } = options;
  const { origin, state, fork, further, models } = await prepare(options);
  const { config, task } = state;
  const again = {
    ...{ ...common, ...models, limits: { ...config.limits, ...options.limits } },
    useThinking: options.useThinking ?? config.useThinking,
  };
  const replays = origin.id;
  const run = await (fork === undefined
    ? startRun({ ...again, task, further, replays })
    : resumeLastRun({ ...again, session: fork, more: further.join("\n\n") }));
  return { ...run, replays };
}

interface Prepared {
  readonly origin: Session;
  readonly state: RunState;
  /** The session that shares the rounds before the first that is driven again. */
  readonly fork: SessionId | undefined;
  /** What the user says beside what is shared, or beside the task. */
  readonly further: readonly string[];
  readonly models: ChosenModels;
}

async function prepare(options: ReplayRunOptions): Promise<Prepared> {
  const { fromRound = 1, clock = systemClock, foundFrom = options.cwd } = options;
  const here = await openProject({ ...options, cwd: foundFrom }, "write");
  try {
    const { log } = here.store;
    const origin = await findRun(log, options.session, { project: here.project.id, now: clock.now() });
    const entries = await Array.fromAsync(log.read(origin.id));
    const state = entries.reduce(followRun, emptyRun);
    const end = fromRound > 1 ? requireRound(entries, origin, fromRound - 1) : undefined;
    // Before anything is written: a model that cannot be asked is no reason for a session.
    const models = await chooseModels(here.home, options, state.config);
    const words = listUserWords(entries).filter(({ seq }, index) =>
      end === undefined ? index > 0 : seq > end.seq,
    );
    const fork = end === undefined ? undefined : await forkAt(here, { from: origin.id, at: end.id }, options);
    return { origin, state, fork: fork?.id, further: words.map(({ text }) => text), models };
  } finally {
    await here[Symbol.asyncDispose]();
  }
}
