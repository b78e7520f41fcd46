import { mkdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { FileTaken } from "../chat/session-file.ts";
import { readGitFacts } from "../git/git-facts.ts";
import type { GitRun } from "../git/git-run.ts";
import { type AppError, unlessGone, usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { isInside } from "../lib/resolve-inside.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { Json } from "../sessions/entry.ts";
import { findRun } from "../sessions/find-session.ts";
import { runDone } from "../sessions/run-done.ts";
import type { Session } from "../sessions/session.ts";
import { holdSession } from "../sessions/session-writer.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import { hasCommit } from "../work/list-trees.ts";
import { openTrees } from "../work/open-trees.ts";
import { restoreTree, restoreWorktree } from "../work/restore-tree.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { resumeRun } from "./drive-run.ts";
import { forkAt, type RoundEnd, requireRound } from "./fork-at-round.ts";
import {
  inProject,
  leaseOf,
  machineOf,
  makeDesk,
  type RestoredRound,
  type RestoredRun,
  type Run,
  type RunSurroundings,
} from "./open-run.ts";
import { recallDir, rememberDir } from "./recall-dir.ts";
import { type ChosenModels, chooseModels, choosePrices, requirePrices } from "./run-models.ts";
import { type RunState, readRun } from "./run-state.ts";
import { hasParted, requireNewFile, requireSame, takeSessionFile } from "./session-file.ts";
import { remainingLimits } from "./spent.ts";

/** Returns what was not kept of the files of a round, as its entry names it, each with the reason. */
export function listLeftOut(files: Json | undefined): readonly string[] {
  const names = fieldOf(files, "leftOut");
  const more = fieldOf(files, "moreLeftOut");
  return [
    ...(Array.isArray(names) ? names.filter((name) => typeof name === "string") : []),
    ...(typeof more === "number" ? [`${more} more`] : []),
  ];
}

/** Where the files of a round are wanted: nowhere, in the folder of the run, or in a new work tree. */
export type FilesWish = "leave" | "restore" | NewWorktree;

interface NewWorktree {
  /** Where it is made: nothing may be there yet. */
  readonly worktree: string;
  /** A folder of the repository, in whose place the run works in the new work tree; its own unless given. */
  readonly folder?: string;
}

/** Where a run goes on, and where it has worked. */
interface RestorePlace {
  readonly cwd: string;
  readonly env: GitRun["env"];
  /** The folder that it has worked in, which may be gone, or on another machine. */
  readonly workDir: string;
  /** The folder that the run is kept in, which is no work of a round. */
  readonly sessionDir?: string | undefined;
}

/** The folder that the run works in then, and what was written. */
interface RestoredFiles {
  readonly cwd: string;
  readonly files: RestoredRound | undefined;
}

/** Brings the files back as they were after a round, where that is wanted; throws before anything is written where it cannot be. */
async function restoreFiles(
  { cwd, env, workDir, sessionDir }: RestorePlace,
  round: RoundEnd,
  wish: FilesWish,
): Promise<RestoredFiles> {
  if (wish === "leave") return { cwd, files: undefined };
  const { number, data } = round;
  const commit = fieldOf(data.files, "commit");
  const reason = fieldOf(data.files, "reason");
  if (typeof commit !== "string")
    throw notKept(number, typeof reason === "string" ? `were not kept: ${reason}` : "were not kept");
  const withheld = sessionDir === undefined ? [] : [sessionDir];
  const trees = await openTrees(cwd, env, { withheld });
  if (trees.type === "none") throw notKept(number, `cannot be restored here: ${trees.reason}`);
  const { repository } = trees;
  if (!(await hasCommit(repository.run, commit))) throw notKept(number, "are not in this repository");
  const leftOut = listLeftOut(data.files);
  if (wish === "restore") return { cwd, files: { ...(await restoreTree(repository, commit)), leftOut } };
  const files = { ...(await restoreWorktree(repository, commit, wish.worktree)), leftOut };
  // A run that worked in a folder of the repository works in the same folder of the new work tree.
  const own = wish.folder ?? workDir;
  const below = (await findBelow(repository.root, own)) ?? (await findBelow(repository.root, cwd));
  const folder = join(await realpath(wish.worktree), below ?? "");
  await mkdir(folder, { recursive: true });
  return { cwd: folder, files };
}

/** Returns where a folder is below the top of a repository or of another work tree of it; undefined where it is elsewhere. */
async function findBelow(root: string, folder: string): Promise<string | undefined> {
  const found = await unlessGone(realpath(folder));
  if (found === undefined)
    return isAbsolute(folder) && isInside(root, folder) ? relative(root, folder) : undefined;
  const [here, there] = await Promise.all([readGitFacts(root), readGitFacts(found)]);
  if (there === undefined || there.commonFolder !== here?.commonFolder) return undefined;
  return relative(await realpath(there.root), found);
}

function notKept(round: number, what: string): AppError {
  return usageError("no-files-kept", `The files after round ${round} ${what}.`, {
    hint: "Fork without them, or do it in the repository in which the run has worked.",
  });
}

export interface ResumeRunOptions extends RunSurroundings {
  /** An id, the beginning of one, a title, or `latest`; that of the session file, else the latest run of the project, unless given. */
  readonly session?: string | undefined;
  /** Further instructions. */
  readonly more?: string | undefined;
  /** Whether the run is taken from the store `cloud` of config.yaml first. */
  readonly fromCloud?: boolean | undefined;
  /** Goes on in a new session that shares this one up to the end of a round. */
  readonly forkAtRound?: number | undefined;
  /** What becomes of the files at a fork: they are left as they are unless given. */
  readonly files?: FilesWish | undefined;
  /** Is asked when the run worked in another folder than `cwd`; it may unless given. */
  readonly mayMove?: ((saved: string) => Promise<boolean>) | undefined;
}

/** Goes on with a run where it stopped, however that was, or in a fork of it: no finished round is repeated. */
export async function resumeLastRun(given: ResumeRunOptions): Promise<Run> {
  return inProject(given, async (here) => {
    const { log } = here.store;
    const { options, ...found } = await findResumed(here, given);
    const { origin, round, file } = found;
    const before = await readRun(log.read(origin.id, round === undefined ? {} : { to: round.seq }));
    await requireResumable(origin, before, options);
    const models = await chooseModels(here.home, options, before.config);
    const prices = { ...before.config.prices, ...(await choosePrices(here.home, options, models)) };
    const granted = { ...before.limits, ...options.limits };
    requirePrices(here.home, { ...before.config, ...namesOf(models), limits: granted, prices });
    const { cwd, session, fork } = await takePlace(here, found, options, before.config);
    const sessionFile = hasParted(file) ? undefined : options.sessionFile;
    const target = await holdSession(here.store, session, leaseOf(options, options.clock ?? systemClock));
    try {
      const desk = await makeDesk(here, { ...options, cwd, sessionFile }, target, models);
      const { useThinking, limits, more: further } = options;
      const sessionDirs = { ...before.config.sessionDirs, ...(await rememberDir(options)) };
      const settings = { workDir: cwd, prices, sessionDirs, useThinking, limits, more: further };
      const wishes = { ...namesOf(models), ...settings };
      const { record, plan } = await resumeRun(desk, log.read(session.id), wishes);
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

/** Finds the run that is meant; `options` have the folder too that it is kept in. */
async function findResumed(
  here: WritableProject,
  options: ResumeRunOptions,
): Promise<Found & { readonly options: ResumeRunOptions }> {
  const found = await findGiven(here, options);
  const { file, ...recalled } = await recallDir(here, found.origin.id, options);
  if (file === undefined) return { ...found, options: { ...options, ...recalled } };
  const scope = { project: here.project.id, now: (options.clock ?? systemClock).now() };
  const origin = await findRun(here.store.log, found.origin.id, scope);
  return { ...found, origin, file, options: { ...options, ...recalled } };
}

async function findGiven(here: WritableProject, options: ResumeRunOptions): Promise<Found> {
  const { clock = systemClock, cwd, sessionFile, sessionDir, forkAtRound } = options;
  const { log } = here.store;
  const session = await findNamed(here, options);
  const scope = { project: here.project.id, now: clock.now() };
  if (forkAtRound !== undefined) {
    await requireNewFile(here.home, options);
    const origin = await findRun(log, session, scope);
    const entries = await Array.fromAsync(log.read(origin.id));
    return { origin, round: requireRound(entries, origin, forkAtRound), file: undefined };
  }
  const place = { cwd, clock, sessionFile, sessionDir, session, machine: await machineOf(options) };
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

async function anotherFolder(folder: string): Promise<AppError> {
  const isThere = (await unlessGone(stat(folder))) !== undefined;
  const that = isThere ? `, \`-d ${renderShellWord(folder)}\` for that` : "; that one is gone";
  return usageError("another-folder", `The run worked in ${folder}, which is another folder.`, {
    hint: `Say which one it is to work in: \`-d .\` for this one${that}.`,
  });
}
