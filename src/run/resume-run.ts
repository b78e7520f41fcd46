import { stat } from "node:fs/promises";
import type { FileTaken } from "../chat/session-file.ts";
import { type AppError, usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { findRun } from "../sessions/find-run.ts";
import { runDone } from "../sessions/run-done.ts";
import type { Session } from "../sessions/session.ts";
import { holdSession } from "../sessions/session-target.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { resumeRun } from "./drive-run.ts";
import { forkAt, type RoundEnd, requireRound } from "./fork-at-round.ts";
import {
  inProject,
  leaseOf,
  machineOf,
  makeDesk,
  type RestoredRun,
  type Run,
  type RunSurroundings,
} from "./open-run.ts";
import { type ResumeWishes, remainingLimits } from "./plan-resume.ts";
import { type FilesWish, restoreFiles } from "./restore-files.ts";
import { type ChosenModels, chooseModels } from "./run-models.ts";
import { choosePrices, requirePrices } from "./run-prices.ts";
import { type RunState, readRun } from "./run-state.ts";
import { hasParted, requireNewFile, requireSame, takeSessionFile } from "./session-file.ts";

export interface ResumeRunOptions extends RunSurroundings {
  /** An id, the beginning of one, a title, or `latest`; that of the session file, else the latest run of the project, unless given. */
  readonly session?: string;
  /** Further instructions. */
  readonly more?: string;
  /** Whether the run is taken from the store `cloud` of config.yaml first. */
  readonly fromCloud?: boolean;
  /** Goes on in a new session that shares this one up to the end of a round. */
  readonly forkAtRound?: number;
  /** What becomes of the files at a fork: they are left as they are unless given. */
  readonly files?: FilesWish;
  /** Is asked when the run worked in another folder than `cwd`; it may unless given. */
  readonly mayMove?: (saved: string) => Promise<boolean>;
}

/** Goes on with a run where it stopped, however that was, or in a fork of it: no finished round is repeated. */
export async function resumeLastRun(options: ResumeRunOptions): Promise<Run> {
  return inProject(options, async (here) => {
    const { log } = here.store;
    const found = await findResumed(here, options);
    const { origin, round, file } = found;
    const before = await readRun(log.read(origin.id, round === undefined ? {} : { to: round.seq }));
    await requireResumable(origin, before, options);
    const models = await chooseModels(here.home, options, before.config);
    const prices = { ...before.config.prices, ...(await choosePrices(here.home, options, models)) };
    const limits = { ...before.limits, ...options.limits };
    requirePrices(here.home, { ...before.config, ...namesOf(models), limits, prices });
    const { cwd, session, fork } = await takePlace(here, found, options, before.config);
    const placed = { ...options, cwd, prices, ...(hasParted(file) ? { autoSave: false } : {}) };
    const target = await holdSession(here.store, session, leaseOf(options, options.clock ?? systemClock));
    try {
      const desk = await makeDesk(here, placed, target, models);
      const { record, plan } = await resumeRun(desk, log.read(session.id), toWishes(placed, models));
      const { rounds } = record.state;
      const left = remainingLimits(record.state, { now: desk.clock.now() });
      const { changes } = plan;
      const more = heardOf(plan.more, record.state);
      const facts = { since: origin.updatedAt, rounds, remaining: left.rounds, left };
      return { desk, record, restored: { ...facts, changes, more, file, fork } };
    } catch (error) {
      await target.release();
      throw error;
    }
  });
}

/** The run that is gone on with, or the round of it after which a fork begins. */
interface Found {
  readonly origin: Session;
  readonly round: RoundEnd | undefined;
  readonly file: FileTaken | undefined;
}

/** Returns which run is meant, as far as somebody has said: one from the cloud is brought here first. */
async function findNamed(here: WritableProject, options: ResumeRunOptions): Promise<string | undefined> {
  const { cwd, session, fromCloud = false, clock = systemClock } = options;
  if (!fromCloud) return session;
  const { pullFromCloud } = await import("../share/cloud.ts");
  return pullFromCloud(here, session, { cwd, clock, machine: await machineOf(options) });
}

async function findResumed(here: WritableProject, options: ResumeRunOptions): Promise<Found> {
  const { clock = systemClock, cwd, sessionFile, forkAtRound } = options;
  const { log } = here.store;
  const session = await findNamed(here, options);
  const scope = { project: here.project.id, now: clock.now() };
  if (forkAtRound !== undefined) {
    await requireNewFile(here.home, sessionFile);
    const origin = await findRun(log, session, scope);
    const entries = await Array.fromAsync(log.read(origin.id));
    return { origin, round: requireRound(entries, origin, forkAtRound), file: undefined };
  }
  const place = { cwd, clock, path: sessionFile, session, machine: await machineOf(options) };
  const file = await takeSessionFile(here, place);
  const origin = await findRun(log, session ?? file?.session, scope);
  requireSame(file, origin.id);
  return { origin, round: undefined, file };
}

/** Makes the fork, where one is wanted, and brings its files back first: a session whose files are refused is not wanted. */
async function takePlace(
  here: WritableProject,
  { origin, round }: Found,
  options: ResumeRunOptions,
  { workDir }: RunState["config"],
) {
  if (round === undefined) return { cwd: options.cwd, session: origin, fork: undefined };
  const { cwd, files } = await restoreFiles({ ...options, workDir }, round, options.files ?? "leave");
  const session = await forkAt(here, { from: origin.id, at: round.id }, { ...options, cwd });
  return { cwd, session, fork: { from: origin.id, round: round.number, files } };
}

async function requireResumable(
  session: Session,
  { phase, config }: RunState,
  { more = "", cwd, mayMove }: ResumeRunOptions,
): Promise<void> {
  if (phase.type === "done" && more.trim() === "") throw runDone(session.id);
  const isElsewhere = config.workDir !== "" && config.workDir !== cwd;
  if (isElsewhere && mayMove !== undefined && !(await mayMove(config.workDir)))
    throw await anotherFolder(config.workDir);
}

/** The instructor hears nothing before the report on a step that the worker is at. */
function heardOf(text: string | undefined, { phase }: RunState): RestoredRun["more"] {
  if (text === undefined) return undefined;
  return { text, heard: phase.type === "working" ? "after-round" : "at-once" };
}

function namesOf({ instructor, worker }: ChosenModels) {
  return { instructorModel: instructor.name, workerModel: worker.name };
}

function toWishes(
  { cwd, useThinking, limits, more, prices = {} }: ResumeRunOptions,
  models: ChosenModels,
): ResumeWishes {
  return {
    ...{ ...namesOf(models), workDir: cwd, prices },
    ...(useThinking === undefined ? {} : { useThinking }),
    ...(limits === undefined ? {} : { limits }),
    ...(more === undefined ? {} : { more }),
  };
}

async function anotherFolder(folder: string): Promise<AppError> {
  const isThere = (await unlessGone(stat(folder))) !== undefined;
  const that = isThere ? `, \`-d ${renderShellWord(folder)}\` for that` : "; that one is gone";
  return usageError("another-folder", `The run worked in ${folder}, which is another folder.`, {
    hint: `Say which one it is to work in: \`-d .\` for this one${that}.`,
  });
}
