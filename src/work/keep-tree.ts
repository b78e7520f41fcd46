import { existsSync } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { GitRefused } from "../git/git-run.ts";
import type { Repository } from "../git/repository.ts";
import { syncForeignObjects, syncNames } from "../git/sync-git.ts";
import {
  copyIndex,
  type IndexMark,
  markIndex,
  removeIndex,
  type TreeIndex,
  updateRefs,
  writeCommitObject,
  writeTree,
} from "../git/tree-index.ts";
import { makeSaveFolder } from "../git/unfinished-save.ts";
import { AppError, unlessGone } from "../lib/app-error.ts";
import { makeTempPath, sweepStrays } from "../lib/atomic-file.ts";
import { formatBytes } from "../lib/describe.ts";
import type { LeftOut } from "./save/leave-out.ts";
import { type RoundName, toRoundRef } from "./trees/round-ref.ts";
import { TooMuchChanged, type TreeLimits, takeWorkTree, usualLimits } from "./trees/take-work-tree.ts";

/** An index in which the tree of a round is put together. */
interface RoundIndex extends TreeIndex {
  /** Whether it goes on from the round before; otherwise it begins as the user's index is. */
  readonly isKept: boolean;
  /** What the user's index was when it began. */
  readonly mark: IndexMark;
  /** What it was itself when it began. */
  readonly begun: IndexMark;
}

const start = "rounds-";

/**
 * Makes an index from the one of the round before, so that git needs to look only at what has changed since.
 *
 * That one counts only as long as the user's index stays as it is: what the user adds to git or takes out of it would
 * be missed, such as a file that is ignored and tracked all the same. Whoever goes on from it takes it away, so that no
 * process waits for another, and none finds what a killed one has left half done; the next then begins anew.
 */
export async function beginRoundIndex(repository: Repository, from: "kept" | "user"): Promise<RoundIndex> {
  await makeSaveFolder(repository);
  const path = await makeTempPath(join(repository.folder, "round"));
  const mark = await markIndex(repository.index);
  const isKept = from === "kept" && (await isThere(rename(locateKept(repository, mark), path)));
  if (!isKept) await unlessGone(copyIndex(repository.index, path));
  const env = { ...repository.run.env, GIT_INDEX_FILE: path };
  const run = { ...repository.run, env, refreshesIndex: true };
  return { path, run, hashLength: repository.hashLength, isKept, mark, begun: await markIndex(path) };
}

/** Keeps an index for the next round, and returns what that will find. */
async function keepRoundIndex(repository: Repository, index: RoundIndex): Promise<IndexMark> {
  const left = await markIndex(index.path);
  const kept = locateKept(repository, index.mark);
  await unlessGone(rename(index.path, kept));
  if (!index.isKept) await sweepOthers(repository, kept);
  return left;
}

async function sweepOthers(repository: Repository, kept: string): Promise<void> {
  const names = (await readdir(repository.folder)).filter((name) => name.startsWith(start));
  const old = names.map((name) => join(repository.folder, name)).filter((path) => path !== kept);
  await Promise.all(old.map(removeIndex));
  await sweepStrays(repository.folder);
}

function locateKept({ folder }: Repository, mark: IndexMark): string {
  return join(folder, `${start}${mark.replaceAll(":", "-")}`);
}

async function isThere(taken: Promise<void>): Promise<boolean> {
  return (await unlessGone(taken.then(() => true))) ?? false;
}

/** What became of the files of a round. A run goes on without them: they are a help, and not its work. */
export type KeptTree =
  | {
      readonly type: "kept";
      /** Its tree is the files, its parent the commit that was checked out. */
      readonly commit: string;
      readonly tree: string;
      /** What is not in it, or only as the commit has it. */
      readonly leftOut: readonly LeftOut[];
      /** The index that it has left for the next round. */
      readonly index: IndexMark;
    }
  | { readonly type: "not-kept"; readonly reason: string };

/** Which round it is, and when. */
export interface RoundToKeep extends RoundName {
  readonly at: Date;
  readonly limits?: TreeLimits;
  /**
   * The round that this process has kept just before. All that its index names was looked for or written by this process,
   * and is not looked for again; what an earlier process has left may have been collected as garbage since.
   */
  readonly after?: KeptTree | undefined;
}

/**
 * Keeps the work tree as it is now under a ref of its own, and touches nothing else: neither the index nor a branch,
 * HEAD, the stash or the configuration.
 *
 * Costs about a `git status` and what has changed since the round before. The same round may be kept again.
 */
export async function keepTree(repository: Repository, round: RoundToKeep): Promise<KeptTree> {
  // Whatever has removed them, nothing of them is made again.
  if (![repository.root, repository.gitFolder].every((path) => existsSync(path)))
    return notKept("the repository is gone");
  try {
    return await keepFrom(repository, "kept", round);
  } catch (error) {
    repository.run.signal?.throwIfAborted();
    if (error instanceof TooMuchChanged) return notKept(describeMuch(error));
    // The index of the round before may be damaged, or say something that git cannot follow any more.
    return keepFrom(repository, "user", round).catch((again: unknown) => {
      repository.run.signal?.throwIfAborted();
      return notKept(describeFailure(again));
    });
  }
}

async function keepFrom(
  repository: Repository,
  from: "kept" | "user",
  round: RoundToKeep,
): Promise<KeptTree> {
  const index = await beginRoundIndex(repository, from);
  try {
    const begun = new Date();
    const taking = takeTree(repository, index, round, begun);
    const commit = await writeCommit(repository, round, taking);
    await syncNames(repository, [toRoundRef(round)]);
    const { tree, leftOut } = await taking;
    return { type: "kept", commit, tree, leftOut, index: await keepRoundIndex(repository, index) };
  } finally {
    await removeIndex(index.path);
  }
}

/** Makes a tree of the files. */
async function takeTree(
  repository: Repository,
  index: RoundIndex,
  { limits = usualLimits, after }: RoundToKeep,
  begun: Date,
) {
  const taken = await takeWorkTree(repository, index, limits);
  const isOwn = after?.type === "kept" && after.index === index.begun;
  const tree = await writeTree(index, isOwn ? "known" : "sought");
  await syncForeignObjects(repository, begun);
  return { ...taken, tree };
}

function notKept(reason: string): KeptTree {
  return { type: "not-kept", reason };
}

function describeMuch({ files, bytes }: TooMuchChanged): string {
  return `${files.toLocaleString("en")} changed files of ${formatBytes(bytes)} are too many; is a .gitignore missing?`;
}

function describeFailure(error: unknown): string {
  if (error instanceof GitRefused) return `git said: ${error.said.split("\n").at(-1) ?? ""}`;
  if (error instanceof TooMuchChanged) return describeMuch(error);
  if (error instanceof AppError || (error instanceof Error && "syscall" in error)) return error.message;
  throw error;
}

/** What is known of the files of a round once they are a tree. */
interface NewCommit {
  readonly tree: string;
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined;
  readonly branch: string | null;
}

/**
 * Makes the commit of a round and its ref as soon as its tree is there, and returns the name of the commit.
 *
 * Both processes are started at once, and wait for what they are to write: starting them takes longer than their work.
 * Without a tree they write nothing.
 */
async function writeCommit(
  { run }: Repository,
  round: RoundName & { readonly at: Date },
  coming: Promise<NewCommit>,
): Promise<string> {
  const text = coming.then((commit) => renderCommit(round, commit));
  const made = writeCommitObject(run, text);
  const line = made.then((name) => `update ${toRoundRef(round)} ${name}\n`);
  const named = updateRefs(run, line);
  const [commit, ref] = await Promise.allSettled([made, named]);
  // Why there is no tree is what counts, and not that nothing could be made of it.
  await coming;
  if (commit.status === "rejected") throw commit.reason;
  if (ref.status === "rejected") throw ref.reason;
  return commit.value;
}

/** Nobody has made this commit by hand: it has no name of theirs, and needs none to be set. */
function renderCommit(
  { session, round, at }: RoundName & { readonly at: Date },
  { tree, head, branch }: NewCommit,
): string {
  const who = `Carryon <carryon@localhost> ${Math.floor(at.getTime() / 1000)} +0000`;
  const place = branch === null ? "a detached HEAD" : `branch ${branch}`;
  const lines = [
    `tree ${tree}`,
    ...(head === undefined ? [] : [`parent ${head}`]),
    ...[`author ${who}`, `committer ${who}`, ""],
    `Files after round ${round} of ${session}, on ${place}\n`,
  ];
  return Buffer.from(lines.join("\n")).toString("latin1");
}
