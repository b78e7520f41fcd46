import { type GitOperation, readOperation, readRebased } from "../git/git-operation.ts";
import type { GitPath } from "../git/git-path.ts";
import type { ChangedPath } from "../git/git-status.ts";
import { findOwnFiles } from "../git/own-files.ts";
import type { Repository } from "../git/repository.ts";
import { chooseFiles } from "./save/choose-files.ts";
import type { LeftOut, Taken } from "./save/leave-out.ts";
import { type Changes, readChanges } from "./save/read-changes.ts";
import type { SaveNote } from "./save/unfinished-save.ts";

/** What there is to save in git. */
export interface FoundWork {
  /** In the middle of a rebase the branch that it comes back to; null on a detached HEAD. */
  readonly branch: string | null;
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined;
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
  readonly conflicts: readonly GitPath[];
  /** The lock by which another git keeps the index from following the commit, or kept it once and left it there. */
  readonly indexLock?: string;
}

/** Why no commit can be made: something has to be finished by hand first. */
export type Hindrance =
  | { readonly type: "in-progress"; readonly operation: GitOperation }
  | { readonly type: "conflicts" };

/** All that a save has to know before it makes a commit. */
export interface Survey {
  readonly status: Changes;
  readonly found: FoundWork;
  /** Files of ours, which are nobody's work. */
  readonly own: readonly ChangedPath[];
  /** What was taken out of the index, and stays in the work tree. */
  readonly removed: readonly ChangedPath[];
  readonly hindrance: Hindrance | undefined;
}

/** Finds out what there is to save. Changes nothing; `unfinished` is a save that the index may not have followed. */
export async function surveyWork(repository: Repository, unfinished: SaveNote | undefined): Promise<Survey> {
  const status = await readChanges(repository, unfinished);
  const operation = await readOperation(repository.gitFolder);
  const conflicts = status.changes.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path);
  const isOwn = await findOwnFiles(repository);
  const own = status.changes.filter(({ path, isGone }) => isOwn(path) && !isGone);
  const { taken, leftOut: left } = await chooseFiles(
    repository,
    status.changes.filter((change) => !own.includes(change)),
  );
  const leftOut = withKnownFirst([...left, ...listInside(taken, status.changes)], status.changes);
  const held = status.isHeld ? { indexLock: lockOf(repository) } : {};
  const branch = status.branch ?? (await readRebased(repository.gitFolder));
  return {
    ...{ status, own },
    found: { branch, head: status.head, taken, leftOut, conflicts, ...held },
    removed: status.changes.filter(({ isTakenOut, head }) => isTakenOut && head !== undefined),
    hindrance: findHindrance(operation, conflicts),
  };
}

function findHindrance(
  operation: GitOperation | undefined,
  conflicts: readonly GitPath[],
): Hindrance | undefined {
  if (operation !== undefined) return { type: "in-progress", operation };
  return conflicts.length > 0 ? { type: "conflicts" } : undefined;
}

/** Returns where git locks the index of a repository. */
export function lockOf({ index }: Repository): string {
  return `${index}.lock`;
}

/** Of a submodule the commit takes which commit is checked out in it; what has changed in its files stays there. */
function listInside(taken: readonly Taken[], changes: readonly ChangedPath[]): readonly LeftOut[] {
  const paths = new Set(taken.map(({ path }) => path));
  return changes
    .filter(({ path, submodule }) => submodule?.isDirty === true && paths.has(path))
    .map(({ path }) => ({ path, sha256: null, reason: "submodule-changes" }));
}

/** That a file is left out which commits have had is a surprise, and must not be lost among many new ones. */
function withKnownFirst(leftOut: readonly LeftOut[], changes: readonly ChangedPath[]): readonly LeftOut[] {
  const known = new Set(changes.filter(({ head }) => head !== undefined).map(({ path }) => path));
  return leftOut.toSorted((one, other) => Number(known.has(other.path)) - Number(known.has(one.path)));
}
