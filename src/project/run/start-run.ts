import { toModelMessages } from "../../chat/to-model-messages.ts";
import { newSessionId } from "../../conversation/new-session-id.ts";
import type { Session } from "../../conversation/session.ts";
import { parseTitle } from "../../conversation/session-events.ts";
import { beginSession, holdSession, type SessionTarget } from "../../conversation/session-target.ts";
import { AppError } from "../../lib/app-error.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { readOwnIdentity } from "../../lib/process-identity.ts";
import { type RandomSource, systemRandom } from "../../lib/uuid-v7.ts";
import type { Model } from "../../model/model.ts";
import { beginRun, driveRun, type ResumedRun, resumeRun } from "../../run/drive-run.ts";
import { type ResumeWishes, remainingRounds } from "../../run/plan-resume.ts";
import type { RunDesk, RunEvent, RunOutcome } from "../../run/run.ts";
import { noLimits, type RunConfig, type RunLimits } from "../../run/run-config.ts";
import type { RunRecord } from "../../run/run-record.ts";
import { type RunState, readRun } from "../../run/run-state.ts";
import type { Prices } from "../../run/spent.ts";
import { openToolbox } from "../../tools/open-toolbox.ts";
import type { Toolbox } from "../../tools/tool.ts";
import { openProject, type Surroundings, type WritableProject } from "../open-project.ts";
import { findRun } from "./find-run.ts";
import { filesKeeper } from "./keep-files.ts";
import { type ChosenModels, chooseModels } from "./run-models.ts";
import { sessionFileWriter } from "./session-file.ts";

/** What every run needs; `cwd` is the folder that the worker works in. */
interface RunSurroundings extends Surroundings {
  /** Where keys and addresses of models come from, and the variables of commands that are run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Open models, or the names of some; the user's own choice, or that of the session, unless given. */
  readonly instructor?: Model | string;
  readonly worker?: Model | string;
  readonly useThinking?: boolean;
  readonly limits?: Partial<RunLimits>;
  /** Dollars for a million tokens, by the name of the model: a limit of cost needs them. */
  readonly prices?: Prices;
  /** The tools for the folder unless given. */
  readonly tools?: Toolbox;
  /** Asks whether a call that writes or runs something may be made; all may unless given. */
  readonly approve?: RunDesk["approve"];
  /** Where the state of the session is written every few rounds and at the end, for other machines. */
  readonly sessionFile?: string;
  readonly tell?: (event: RunEvent) => void;
  readonly machine?: string;
  readonly leaseMs?: number;
  readonly clock?: Clock;
  readonly random?: RandomSource;
}

export interface StartRunOptions extends RunSurroundings {
  readonly task: string;
  /** What the session is called. */
  readonly name?: string;
}

export interface ResumeRunOptions extends RunSurroundings {
  /** An id, the beginning of one, a title, or `latest`; the latest run of the project unless given. */
  readonly session?: string;
  /** Further instructions. */
  readonly more?: string;
  /** Is asked when the run worked in another folder than `cwd`; it may unless given. */
  readonly mayMove?: (saved: string) => Promise<boolean>;
}

/** What was there when a run was resumed. */
export interface RestoredRun {
  /** When it last changed. */
  readonly since: Date;
  readonly rounds: number;
  /** Rounds that are left; null without a limit. */
  readonly remaining: number | null;
  readonly changes: ResumedRun["plan"]["changes"];
}

/** A run that is open. Its session is on disk, and nobody else writes it. */
export interface Run extends AsyncDisposable {
  readonly session: Session["id"];
  readonly restored: RestoredRun | undefined;
  /** Works until the task is done, a limit is reached, or the signal is aborted, whose reason is then thrown. Called once. */
  drive(signal: AbortSignal): Promise<RunOutcome>;
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
    };
    requirePrices(config, options.prices);
    const target = await newTarget(here, options);
    const desk = await makeDesk(here, options, target, models);
    return { desk, record: await beginRun(desk, config, task), restored: undefined };
  });
}

/** Goes on with a run where it stopped, however that was: no finished round is repeated. */
export async function resumeLastRun(options: ResumeRunOptions): Promise<Run> {
  return inProject(options, async (here) => {
    const { clock = systemClock } = options;
    const { log } = here.store;
    const session = await findRun(log, options.session, { project: here.project.id, now: clock.now() });
    const before = await readRun(log.read(session.id));
    await requireResumable(session, before, options);
    const models = await chooseModels(here.home, options, before.config);
    const wishes = toWishes(options, models);
    requirePrices(
      { ...before.config, ...wishes, limits: { ...before.limits, ...wishes.limits } },
      options.prices,
    );
    const target = await holdSession(here.store, session, leaseOf(options, clock));
    try {
      const desk = await makeDesk(here, options, target, models);
      const { record, plan } = await resumeRun(desk, log.read(session.id), wishes);
      const remaining = remainingRounds(record.state);
      const { rounds } = record.state;
      const restored = { since: session.updatedAt, rounds, remaining, changes: plan.changes };
      return { desk, record, restored };
    } catch (error) {
      await target.release();
      throw error;
    }
  });
}

async function requireResumable(
  session: Session,
  { phase, config }: RunState,
  { more = "", cwd, mayMove }: ResumeRunOptions,
): Promise<void> {
  if (phase.type === "done" && more.trim() === "") throw isDone(session);
  const isElsewhere = config.workDir !== "" && config.workDir !== cwd;
  if (isElsewhere && mayMove !== undefined && !(await mayMove(config.workDir)))
    throw anotherFolder(config.workDir);
}

function toWishes({ cwd, useThinking, limits, more }: ResumeRunOptions, models: ChosenModels): ResumeWishes {
  return {
    ...{ instructorModel: models.instructor.name, workerModel: models.worker.name, workDir: cwd },
    ...(useThinking === undefined ? {} : { useThinking }),
    ...(limits === undefined ? {} : { limits }),
    ...(more === undefined ? {} : { more }),
  };
}

interface Opened {
  readonly desk: RunDesk;
  readonly record: RunRecord;
  readonly restored: RestoredRun | undefined;
}

async function inProject(
  options: RunSurroundings,
  open: (here: WritableProject) => Promise<Opened>,
): Promise<Run> {
  const here = await openProject(options, "write");
  try {
    const { desk, record, restored } = await open(here);
    return {
      session: desk.target.session,
      restored,
      drive: (signal) => driveRun(desk, record, signal),
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

async function newTarget(here: WritableProject, options: StartRunOptions): Promise<SessionTarget> {
  const { clock = systemClock, random = systemRandom, name, cwd } = options;
  const title = name === undefined ? undefined : parseTitle(name);
  const startedAt = clock.now();
  return beginSession(
    here.store,
    {
      id: newSessionId({ random }, startedAt, title),
      project: here.project.id,
      client: "carryon-run",
      ...(title === undefined ? {} : { title }),
      ...{ cwd, branch: here.branch, startedAt },
      machine: options.machine ?? (await readOwnIdentity()).host,
    },
    leaseOf(options, clock),
  );
}

function leaseOf({ leaseMs }: RunSurroundings, clock: Clock) {
  return { program: "carryon run", now: clock.now(), ...(leaseMs === undefined ? {} : { leaseMs }) };
}

async function makeDesk(
  here: WritableProject,
  options: RunSurroundings,
  target: SessionTarget,
  models: ChosenModels,
): Promise<RunDesk> {
  const { cwd, env, sessionFile } = options;
  return {
    ...{ target, ...models, toMessages: toModelMessages },
    toolbox: options.tools ?? (await openToolbox({ folder: cwd, env })),
    keepFiles: await filesKeeper(cwd, env, target.session),
    approve: options.approve ?? (async () => true),
    copy: sessionFileWriter(here.store.log, target.session, sessionFile),
    tell: options.tell ?? (() => undefined),
    prices: options.prices ?? {},
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
  };
}

function requireTask(task: string): string {
  if (task.trim() !== "") return task;
  throw new AppError("A run needs a task.", {
    ...{ kind: "usage", code: "no-task", hint: 'Say what is to be done: `carryon run "TASK"`.' },
  });
}

function requirePrices({ limits, instructorModel, workerModel }: RunConfig, prices: Prices = {}): void {
  const unknown = [instructorModel, workerModel].find((model) => prices[model] === undefined);
  if (limits.cost === null || unknown === undefined) return;
  throw new AppError(`What ${unknown} costs is not known, so that no limit of cost can be held.`, {
    ...{ kind: "config", code: "no-price" },
    hint: "Limit the run by its tokens or its time instead.",
  });
}

function anotherFolder(folder: string): AppError {
  return new AppError(`The run worked in ${folder}, which is another folder.`, {
    ...{ kind: "usage", code: "another-folder", hint: "Name the folder to work in with `-d`." },
  });
}

function isDone({ id }: Session): AppError {
  return new AppError(`The task of ${id} is done.`, {
    ...{ kind: "usage", code: "run-done" },
    hint: "Say what is to be done further, and it goes on from there.",
  });
}
