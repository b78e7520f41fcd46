import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { describePath, type GitPath } from "../git-path.ts";
import { GitRefused } from "../save/git-refused.ts";
import type { Repository } from "../save/repository.ts";
import { removeIndex } from "../save/temporary-index.ts";
import { findInTheWay } from "./find-in-the-way.ts";
import { beginRoundIndex } from "./round-index.ts";
import { takeWorkTree } from "./take-work-tree.ts";
import { mustGit, type TreeIndex, writeTree } from "./tree-git.ts";

/** What a restore has done. */
export interface RestoredTree {
  readonly root: string;
  /** How many files were written or removed. */
  readonly files: number;
  /** The commit that was checked out when the files were kept; undefined before the first. */
  readonly headThen: string | undefined;
  /** The one that is checked out; a restore leaves it. */
  readonly head: string | undefined;
}

/**
 * Writes the files of a round into the work tree; index, HEAD and branch stay as they are.
 *
 * Refused, before anything is written, where it would destroy what no commit has: changes of files, and files that git
 * ignores or does not know. A change that is the same as in the round is none, so that an interrupted restore can be
 * repeated.
 */
export async function restoreTree(repository: Repository, commit: string): Promise<RestoredTree> {
  const index = await beginRoundIndex(repository, "user");
  try {
    const { head, changes } = await takeWorkTree(repository, index, noLimits);
    const now = await writeTree(index);
    const wanted = await readDifferences(index, commit);
    const dirty = new Set(changes.map(({ path }) => path));
    const changed = wanted.filter(({ path }) => dirty.has(path)).map(({ path }) => path);
    if (changed.length > 0) throw notClean(changed);
    const added = wanted.filter(({ isNew }) => isNew).map(({ path }) => path);
    const inTheWay = await findInTheWay(repository.root, index, added);
    if (inTheWay.length > 0) throw notClean(inTheWay);
    await mustGit(index.run, ["read-tree", "-m", "-u", now, `${commit}^{tree}`]);
    return {
      root: repository.root,
      files: wanted.length,
      headThen: await readParent(repository, commit),
      head,
    };
  } catch (error) {
    throw error instanceof GitRefused ? notRestored(error.said) : error;
  } finally {
    await removeIndex(index.path);
  }
}

/** Whoever asks for a restore waits for it. */
const noLimits = { files: Infinity, bytes: Infinity };

interface Difference {
  readonly path: GitPath;
  /** Whether the index does not have the file. */
  readonly isNew: boolean;
}

async function readDifferences({ run }: TreeIndex, commit: string): Promise<readonly Difference[]> {
  const question = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "-R", commit, "--"];
  const fields = (await mustGit(run, question)).split("\0");
  const found: Difference[] = [];
  // `:modes hashes letter` and the path take turns.
  for (let at = 0; at + 1 < fields.length; at += 2)
    found.push({ path: fields[at + 1] as GitPath, isNew: fields[at]?.endsWith("A") === true });
  return found;
}

/** Returns the commit that was checked out when a round was kept. */
export async function readParent({ run }: Repository, commit: string): Promise<string | undefined> {
  const parents = await mustGit(run, ["rev-list", "--parents", "--max-count=1", commit]);
  return parents.trim().split(" ")[1];
}

const shown = 5;

function notClean(paths: readonly GitPath[]): AppError {
  const names = paths.slice(0, shown).map((path) => toPrintableLine(describePath(path)));
  const more = paths.length > shown ? ` and ${paths.length - shown} more` : "";
  return new AppError(`The files were not restored: this would overwrite ${names.join(", ")}${more}.`, {
    kind: "conflict",
    code: "tree-not-clean",
    hint: "Commit or move away what is there, or restore into a new work tree: `--worktree`.",
  });
}

export function notRestored(said: string): AppError {
  return new AppError(`The files were not restored. Git said: ${said.split("\n").at(-1) ?? ""}`, {
    kind: "io",
    code: "not-restored",
    hint: "Nothing of it was written, or what was written can be restored again.",
  });
}
