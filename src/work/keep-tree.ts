import { existsSync } from "node:fs";
import { GitRefused } from "../git/git-run.ts";
import type { Repository } from "../git/repository.ts";
import { syncForeignObjects, syncNames } from "../git/sync-git.ts";
import { type IndexMark, removeIndex, updateRefs, writeCommitObject, writeTree } from "../git/tree-index.ts";
import { AppError } from "../lib/app-error.ts";
import { formatBytes } from "../lib/format-bytes.ts";
import type { LeftOut } from "./save/leave-out.ts";
import { beginRoundIndex, keepRoundIndex, type RoundIndex } from "./trees/round-index.ts";
import { type RoundName, toRoundRef } from "./trees/round-ref.ts";
import { TooMuchChanged, type TreeLimits, takeWorkTree, usualLimits } from "./trees/take-work-tree.ts";

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
