import type { Session } from "../../conversation/session.ts";
import { holdSession } from "../../conversation/session-target.ts";
import { AppError } from "../../lib/app-error.ts";
import { systemClock } from "../../lib/clock.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { resumeRun } from "../../run/drive-run.ts";
import { type ResumeWishes, remainingRounds } from "../../run/plan-resume.ts";
import { type RunState, readRun } from "../../run/run-state.ts";
import { findRun } from "./find-run.ts";
import {
  inProject,
  leaseOf,
  machineOf,
  makeDesk,
  type Run,
  type RunSurroundings,
  requirePrices,
} from "./open-run.ts";
import { type ChosenModels, chooseModels } from "./run-models.ts";
import { requireSame, takeSessionFile } from "./session-file.ts";

export interface ResumeRunOptions extends RunSurroundings {
  /** An id, the beginning of one, a title, or `latest`; that of the session file, else the latest run of the project, unless given. */
  readonly session?: string;
  /** Further instructions. */
  readonly more?: string;
  /** Is asked when the run worked in another folder than `cwd`; it may unless given. */
  readonly mayMove?: (saved: string) => Promise<boolean>;
}

/** Goes on with a run where it stopped, however that was: no finished round is repeated. */
export async function resumeLastRun(options: ResumeRunOptions): Promise<Run> {
  return inProject(options, async (here) => {
    const { clock = systemClock, cwd, sessionFile: path } = options;
    const { log } = here.store;
    const place = { cwd, clock, path, session: options.session, machine: await machineOf(options) };
    const file = await takeSessionFile(here, place);
    const wanted = options.session ?? file?.session;
    const session = await findRun(log, wanted, { project: here.project.id, now: clock.now() });
    requireSame(file, session.id);
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
      const restored = { since: session.updatedAt, rounds, remaining, changes: plan.changes, file };
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

function anotherFolder(folder: string): AppError {
  return new AppError(`The run worked in ${folder}, which is another folder.`, {
    ...{ kind: "usage", code: "another-folder" },
    hint: `Say which one it is to work in: \`-d .\` for this one, \`-d ${renderShellWord(folder)}\` for that.`,
  });
}

function isDone({ id }: Session): AppError {
  return new AppError(`The task of ${id} is done.`, {
    ...{ kind: "usage", code: "run-done" },
    hint: "Say what is to be done further, and it goes on from there.",
  });
}
