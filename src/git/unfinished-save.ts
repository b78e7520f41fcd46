import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { busyError, unlessGone } from "../lib/app-error.ts";
import { sweepStrays, writeFileAtomically } from "../lib/atomic-file.ts";
import { readFailed, writeFailed } from "../lib/file-error.ts";
import { parseIfJson } from "../lib/json.ts";
import {
  isAlive,
  listGroup,
  type ProcessIdentity,
  processFacts,
  readOwnIdentity,
} from "../lib/process-identity.ts";
import type { GitPath } from "./git-path.ts";
import { GitRefused, type StartedGit } from "./git-run.ts";
import { isSameEntry, parseEntries, type TreeEntry } from "./git-status.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";
import { type IndexLine, indexInfo, readTreeEntries, renderIndexInfo } from "./tree-index.ts";

/** The git that makes the commit of a save, and may outlive it. */
interface CommittingGit extends ProcessIdentity {
  /** Whether it and its hooks are a group of processes of their own. */
  readonly isGroup: boolean;
}

/** How long a git that has lost its save is waited for, and how often it is looked for. */
const [patienceMs, lookAgainMs] = [5000, 100];

/** Finds out which process a git is; undefined where it has ended already. */
export async function identifyGit({ pid, isGroup }: StartedGit): Promise<CommittingGit | undefined> {
  const [own, started] = await Promise.all([readOwnIdentity(), processFacts().readStart(pid)]);
  const git = { ...own, pid, started, isGroup };
  return started !== null && !/^\d/.test(started) ? undefined : git;
}

/**
 * Waits for the git of a save that was killed: without its index it would commit that there are no files.
 *
 * Throws where it, or a hook of its, has not ended in time.
 */
async function awaitGit(git: CommittingGit, { say, run }: Pick<Repository, "say" | "run">): Promise<void> {
  for (let waited = 0; ; waited += lookAgainMs) {
    const living = await findLiving(git);
    if (living === undefined) return;
    run.signal?.throwIfAborted();
    if (waited >= patienceMs)
      throw busyError(
        "commit-running",
        `The commit of a save that was ended is still being made: process ${living}, git or a hook of yours.`,
        { hint: `Save again when it has ended. \`ps -p ${living}\` shows what it is.` },
      );
    if (waited === 0)
      say?.(`Waiting for the commit of a save that was ended: process ${living} is still at it.`);
    await sleep(lookAgainMs);
  }
}

/** Returns a process that is still at the commit. One that cannot be seen from here is not waited for. */
async function findLiving(git: CommittingGit): Promise<number | undefined> {
  const liveness = await isAlive(git);
  if (liveness === "alive") return git.pid;
  return liveness === "gone" && git.isGroup ? findInGroup(git) : undefined;
}

async function findInGroup(git: CommittingGit): Promise<number | undefined> {
  const own = await readOwnIdentity();
  // No new process is given the number of a group that still has one: such a group is not that of this git.
  if (git.boot !== own.boot || (await readStart(git.pid)) !== undefined) return undefined;
  return (await listGroup(git.pid))[0];
}

async function readStart(pid: number): Promise<string | undefined> {
  const started = await processFacts().readStart(pid);
  return started !== null && /^\d/.test(started) ? started : undefined;
}

/** What a path was in the user's index before it was committed. */
export type IndexedPath = IndexLine;

/** What is written down before a commit, so that the index can be made to follow it after a crash. */
export interface SaveNote {
  /** Undefined for the first commit. */
  readonly parent: string | undefined;
  readonly message: string;
  readonly tree: string;
  readonly paths: readonly IndexedPath[];
  /** Who makes the commit; undefined once it has ended. */
  readonly git?: CommittingGit | undefined;
  /** A save before it that the index has not followed either; it counts if this one was not committed. */
  readonly earlier?: SaveNote;
}

/** Makes the folder in which a save keeps what it needs. */
export async function makeSaveFolder({ folder }: Repository): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeFailed(folder, error);
  }
}

/** Writes down what is about to be committed. */
export async function noteSave(repository: Repository, note: SaveNote): Promise<void> {
  await writeFileAtomically(locateNote(repository), JSON.stringify(note));
}

/** Forgets a save that has come to its end. */
export async function forgetSave(repository: Repository): Promise<void> {
  await rm(locateNote(repository), { force: true });
}

/**
 * Brings a save to its end whose process was killed: if its commit was made, the index follows it.
 *
 * Its git may still run, and needs its index: nothing is touched before that has ended, and it throws if that does not.
 * To be called by whoever holds the lock on saves. Returns the note of a save
 * that the index has not followed: git does not let it, or the commit may still come.
 */
export async function finishInterrupted(repository: Repository): Promise<SaveNote | undefined> {
  const note = await readNote(repository);
  if (note?.git !== undefined) await awaitGit(note.git, repository);
  const unfinished = note && (await finish(repository, withoutGit(note)));
  // Its number may be given to another process.
  if (unfinished !== undefined && note?.git !== undefined) await noteSave(repository, unfinished);
  await sweepStrays(repository.folder);
  return unfinished;
}

function withoutGit({ git: _, ...note }: SaveNote): SaveNote {
  return note;
}

async function finish(repository: Repository, note: SaveNote): Promise<SaveNote | undefined> {
  await releaseIndex(repository);
  const head = await readCommit(repository, "HEAD");
  const made = findCommitted(note, head);
  if (made !== undefined && !(await tryToFollow(repository, made.paths))) return made;
  // A git that has lost its caller may make the commit yet.
  if (made === undefined && (head?.hash ?? "") === (note.parent ?? "")) return note;
  await forgetSave(repository);
  return undefined;
}

/** Returns the note of the save whose commit this is. */
export function findCommitted(note: SaveNote, head: Commit | undefined): SaveNote | undefined {
  const { earlier, ...own } = note;
  if (isCommitted(own, head)) return own;
  return earlier && findCommitted(earlier, head);
}

/** Lets the index follow a commit; false where git does not let it, because another git holds it. */
export async function tryToFollow(repository: Repository, paths: readonly IndexedPath[]): Promise<boolean> {
  try {
    await followCommit(repository, paths);
    return true;
  } catch (error) {
    if (error instanceof GitRefused) return false;
    throw error;
  }
}

/** Reads what was about to be committed when a save was ended, if one was. */
export async function readNote(repository: Repository): Promise<SaveNote | undefined> {
  const path = locateNote(repository);
  try {
    const text = await unlessGone(readFile(path, "utf8"));
    return text === undefined ? undefined : (parseIfJson(text) as SaveNote | undefined);
  } catch (error) {
    throw readFailed(path, error);
  }
}

/** Takes the lock of git away that our own dead process has left: it is one file with an index of ours. */
async function releaseIndex({ index, folder }: Repository): Promise<void> {
  const lock = await unlessGone(stat(`${index}.lock`));
  if (lock === undefined || lock.nlink < 2) return;
  for (const name of await readdir(folder)) {
    const own = await unlessGone(stat(join(folder, name)));
    if (own?.ino === lock.ino && own.dev === lock.dev) await rm(`${index}.lock`, { force: true });
  }
}

interface Commit {
  readonly hash: string;
  readonly parents: string;
  readonly tree: string;
  readonly body: string;
}

/** Reads a commit; undefined where there is none. */
export async function readCommit({ run }: Repository, name: string): Promise<Commit | undefined> {
  const { code, stdout } = await runGit(run, ["log", "-1", "--format=%H%x00%P%x00%T%x00%B", name, "--"]);
  const [hash = "", parents = "", tree = "", body = ""] = Buffer.from(stdout, "latin1")
    .toString()
    .split("\0");
  return code === 0 ? { hash, parents, tree, body } : undefined;
}

/** Tells whether a commit is the one that was written down; hooks may have changed its tree or message. */
export function isCommitted(note: SaveNote, head: Commit | undefined): boolean {
  if (head?.parents !== (note.parent ?? "")) return false;
  return head.tree === note.tree || head.body.includes(note.message);
}

function locateNote({ folder }: Repository): string {
  return join(folder, "save.json");
}

/**
 * Lets the user's index follow a commit: paths that are in it as they were before are set to what the commit has.
 *
 * What somebody has staged since stays staged.
 */
async function followCommit(repository: Repository, before: readonly IndexedPath[]): Promise<void> {
  const [staged, committed] = await Promise.all([
    readStaged(repository),
    readTreeEntries(repository.run, "HEAD"),
  ]);
  const lines = before
    .filter(({ path, entry }) => isSameEntry(staged.get(path), entry))
    .map(({ path }) => ({ path, entry: committed.get(path) }));
  if (lines.length === 0) return;
  const input = renderIndexInfo(lines, repository.hashLength);
  const answer = await runGit({ ...repository.run, input }, indexInfo);
  if (answer.code !== 0) throw new GitRefused(answer.stderr);
  // Git would read each of these files again at its next look.
  await runGit(repository.run, ["update-index", "-q", "--refresh"]);
}

async function readStaged({ run }: Repository): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  const { stdout } = await runGit(run, ["ls-files", "--stage", "-z"]);
  return parseEntries(stdout, /^(\d+) ([0-9a-f]+) 0\t([\s\S]*)$/);
}
