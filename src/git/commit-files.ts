import { join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { makeTempPath } from "../lib/atomic-file.ts";
import { readCheckedOut } from "./git-facts.ts";
import type { GitPath } from "./git-path.ts";
import { GitRefused, type StartedGit } from "./git-run.ts";
import type { ChangedPath } from "./git-status.ts";
import { type CommittedFiles, countCommitted, readMade } from "./made-commit.ts";
import { type Changes, keepUntracked } from "./read-changes.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";
import { syncForeignObjects, syncIndex, syncNames } from "./sync-git.ts";
import { copyIndex, type IndexMark, removeIndex, swapIndex, TemporaryIndex } from "./tree-index.ts";
import {
  finishInterrupted,
  forgetSave,
  type IndexedPath,
  identifyGit,
  isCommitted,
  noteSave,
  readCommit,
  type SaveNote,
  tryToFollow,
} from "./unfinished-save.ts";

/** Where the content is kept that was staged and is neither in a commit nor in the work tree. */
const stagedRef = "refs/carryon/staged";

/** What is to be committed. */
export interface CommitRequest {
  readonly message: string;
  /** The changed files that the commit is to have as the work tree has them. */
  readonly taken: readonly GitPath[];
  /** Those of which the index has nothing more, and the commit is to have nothing either. */
  readonly removed: readonly GitPath[];
  /** Those that stay as the commit before has them; what was staged of them stays staged. */
  readonly leftOut: readonly GitPath[];
}

/** The work tree and the index as they were found. */
export interface CommitGround {
  readonly status: Changes;
  readonly mark: IndexMark;
  /** A save that the index has not followed. */
  readonly unfinished: SaveNote | undefined;
}

/** What git, or a hook, said against a commit. */
export interface Objected {
  readonly said: string;
  /** Whether it was told line by line already, as it came. */
  readonly isHeard?: boolean;
}

/** What became of a commit. */
export interface MadeFiles {
  readonly outcome:
    | ({ readonly type: "committed"; readonly commit: string } & CommittedFiles)
    | { readonly type: "unchanged" }
    /** A hook of the user's said no, or git could not do it. */
    | ({ readonly type: "refused" | "failed" } & Objected);
  /** The files that the commit adds or changes; hooks may have added some. */
  readonly paths: ReadonlySet<GitPath>;
  /** Where the content is kept that had only been staged, if there was any. */
  readonly staged?: string;
  /** The lock by which another git keeps the index from following a commit, or kept it once and left it there. */
  readonly indexLock?: string;
}

interface Work extends CommitGround, CommitRequest {
  readonly repository: Repository;
  readonly index: TemporaryIndex;
  /** When our git began to write objects. */
  readonly begun: Date;
}

const nothing: ReadonlySet<GitPath> = new Set();

/**
 * Commits files through an index of its own: the user's hooks run as for any commit, and what was staged of other files
 * stays staged.
 *
 * Whatever happens, and wherever it is interrupted, files stay as they are and HEAD moves to the new commit or not at
 * all. An index that could not follow is set right by the next save.
 */
export async function commitFiles(
  repository: Repository,
  ground: CommitGround,
  request: CommitRequest,
): Promise<MadeFiles> {
  const temp = await makeTempPath(join(repository.folder, "index"));
  try {
    await unlessGone(copyIndex(repository.index, temp));
    const index = new TemporaryIndex(temp, repository.run, repository.hashLength);
    return await putTogether({ ...ground, ...request, repository, index, begun: new Date() });
  } catch (error) {
    if (!(error instanceof GitRefused)) throw error;
    return { ...heldBy(repository, ground), outcome: { type: "failed", said: error.said }, paths: nothing };
  } finally {
    await removeIndex(temp);
  }
}

/** Returns where git locks the index of a repository that has not followed a save. */
function heldBy(
  { index }: Repository,
  { status }: Pick<CommitGround, "status">,
): Pick<MadeFiles, "indexLock"> {
  return status.isHeld ? { indexLock: lockOf(index) } : {};
}

/** Returns where git locks an index. */
export function lockOf(index: string): string {
  return `${index}.lock`;
}

async function putTogether(work: Work): Promise<MadeFiles> {
  const { repository, index, status, message, unfinished } = work;
  const changes = pick(work, [...work.taken, ...work.removed]);
  const chosen = new Set(work.taken);
  const left = pick(work, work.leftOut).filter(
    ({ path, isStaged, isTakenOut }) => isStaged && !isTakenOut && !chosen.has(path),
  );
  await index.set(status.behind.map(({ path, head }) => ({ path, entry: head })));
  const isKept = changes.some(isOnlyStaged);
  if (isKept) await keepStaged(repository, index, status.head);
  const kept = isKept ? { staged: stagedRef } : {};
  await index.set([
    ...left.map(({ path, head }) => ({ path, entry: head })),
    ...changes.filter(({ isGone }) => isGone).map(({ path }) => ({ path, entry: undefined })),
  ]);
  const [treeBefore] = await Promise.all([
    readTree(repository, status.head),
    index.add(changes.filter(({ isGone }) => !isGone).map(({ path }) => path)),
  ]);
  const tree = await index.writeTree();
  if (tree === treeBefore)
    return { ...kept, ...heldBy(repository, work), outcome: { type: "unchanged" }, paths: nothing };
  await syncForeignObjects(repository, work.begun);
  const paths = listIndexed(status, changes);
  const earlier = unfinished && { earlier: unfinished };
  await keepUntracked(repository, status.changes);
  const note = { parent: status.head, message, tree, paths, ...earlier };
  const made = await commit(work, note).catch(async (error) => {
    if (repository.run.signal?.aborted === true) await finishInterrupted(uninterrupted(repository));
    throw error;
  });
  if (made.outcome.type !== "committed") {
    await (unfinished === undefined ? forgetSave(repository) : noteSave(repository, unfinished));
    return { ...kept, ...heldBy(repository, work), ...made };
  }
  await syncNames(repository, [
    ...(status.branch === null ? [] : [`refs/heads/${status.branch}`]),
    stagedRef,
  ]);
  // What was staged of the rest is put back, and the index is what it would be had the user committed by hand.
  await index.set(left.map(({ path, index: entry }) => ({ path, entry })));
  const hasFollowed = await follow(work, paths);
  await syncIndex(repository);
  if (hasFollowed) await forgetSave(repository);
  return { ...kept, ...made, ...(!hasFollowed && { indexLock: lockOf(repository.index) }) };
}

/** Whoever interrupts a save wants it to end, not to be left half done. */
function uninterrupted(repository: Repository): Repository {
  return { ...repository, run: { ...repository.run, signal: undefined } };
}

function pick({ status }: Work, paths: readonly GitPath[]): readonly ChangedPath[] {
  const files = new Map(status.changes.map((change) => [change.path, change]));
  return paths.flatMap((path) => files.get(path) ?? []);
}

/** Tells whether the index holds content of a file that nothing else does. */
function isOnlyStaged({ index, head, isStaged, isModified }: ChangedPath): boolean {
  return index !== undefined && index.hash !== head?.hash && isStaged && isModified;
}

/**
 * Keeps what is staged under a ref of its own, before the work tree takes its place in the index.
 *
 * Each is a parent of the next, so that none is ever lost.
 */
async function keepStaged(
  { run }: Repository,
  index: TemporaryIndex,
  head: string | undefined,
): Promise<void> {
  const tree = await index.writeTree();
  const before = await runGit(run, ["rev-parse", "--verify", "--quiet", `${stagedRef}^{commit}`]);
  const parents = [
    ...(head === undefined ? [] : [head]),
    ...(before.code === 0 ? [before.stdout.trim()] : []),
  ];
  const made = await runGit({ ...run, input: "What was staged before a checkpoint took the work tree\n" }, [
    "commit-tree",
    "--no-gpg-sign",
    tree,
    ...[...new Set(parents)].flatMap((parent) => ["-p", parent]),
  ]);
  if (made.code !== 0) throw new GitRefused(made.stderr);
  const kept = await runGit(run, ["update-ref", "-m", "carryon save", stagedRef, made.stdout.trim()]);
  if (kept.code !== 0) throw new GitRefused(kept.stderr);
}

/** Returns what the user's index says of all paths that it is to follow the commit in. */
function listIndexed({ behind }: Changes, changes: readonly ChangedPath[]): readonly IndexedPath[] {
  const known = new Set(behind.map(({ path }) => path));
  return [
    ...behind.map(({ path, entry }) => ({ path, entry })),
    ...changes.filter(({ path }) => !known.has(path)).map(({ path, index: entry }) => ({ path, entry })),
  ];
}

async function readTree({ run }: Repository, head: string | undefined): Promise<string | undefined> {
  if (head === undefined) return undefined;
  return (await runGit(run, ["rev-parse", "--verify", `${head}^{tree}`])).stdout.trim();
}

async function commit(
  { repository, index, status, message }: Work,
  note: SaveNote,
): Promise<Pick<MadeFiles, "outcome" | "paths">> {
  const { run, hear } = repository;
  if ((await readCheckedOut(repository.root)).tip !== status.head) return movedMeanwhile;
  const args = ["commit", "--quiet", "--cleanup=whitespace", "--file=-"];
  const input = Buffer.from(message).toString("latin1");
  // The next save waits for a git that is written down, so that none may begin before it is.
  const onStart = async (git: StartedGit) => noteSave(repository, { ...note, git: await identifyGit(git) });
  const { code, stdout, stderr } = await index.run(args, { input, withHooks: true, hear, onStart });
  const said = `${Buffer.from(stdout, "latin1").toString()}${stderr}`.trim();
  const heard = hear === undefined ? {} : { isHeard: true };
  // A hook that runs after the commit may be ended together with git.
  if (code !== 0 && !isCommitted(note, await readCommit(repository, "HEAD")))
    return { outcome: { type: code === 1 ? "refused" : "failed", said, ...heard }, paths: nothing };
  const made = await readMade(repository);
  if (made.commit === "") return { outcome: { type: "failed", said }, paths: nothing };
  if (made.parent === (status.head ?? "")) {
    const counted = await countCommitted(repository, made);
    return { outcome: { type: "committed", commit: made.commit, ...counted }, paths: made.paths };
  }
  // Somebody else's commit came in between, and ours would undo it: it is taken back, as long as it is the last one.
  await runGit(run, ["update-ref", "-m", "carryon save: taken back", "HEAD", made.parent, made.commit]);
  return movedMeanwhile;
}

const movedMeanwhile: Pick<MadeFiles, "outcome" | "paths"> = {
  outcome: { type: "failed", said: "Another commit was made at the same moment. Save again." },
  paths: nothing,
};

/** Lets the user's index follow the commit; false when another git keeps it. */
async function follow({ repository, index, mark }: Work, paths: readonly IndexedPath[]): Promise<boolean> {
  const swap = await swapIndex(index.path, repository.index, mark);
  return swap === "swapped" || (swap === "changed" && (await tryToFollow(repository, paths)));
}
