import { lockOf } from "../git/commit-files.ts";
import type { GitOperation } from "../git/git-operation.ts";
import type { GitPath } from "../git/git-path.ts";
import type { ChangedPath } from "../git/git-status.ts";
import type { WorkTreeChanges } from "../git/read-changes.ts";
import type { Repository } from "../git/repository.ts";
import { chooseFiles } from "./save/choose-files.ts";
import type { LeftOut, Taken } from "./save/leave-out.ts";

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
  readonly found: FoundWork;
  /** What was taken out of the index, and stays in the work tree. */
  readonly removed: readonly ChangedPath[];
  readonly hindrance: Hindrance | undefined;
}

/** Decides what of a work tree is to be saved. Changes nothing. */
export async function surveyWork(
  repository: Repository,
  { status, branch, operation, own }: WorkTreeChanges,
): Promise<Survey> {
  const { changes, head } = status;
  const conflicts = changes.filter(({ isUnmerged }) => isUnmerged).map(({ path }) => path);
  const { taken, leftOut: left } = await chooseFiles(
    repository,
    changes.filter((change) => !own.includes(change)),
  );
  const leftOut = withKnownFirst([...left, ...listInside(taken, changes)], changes);
  const held = status.isHeld ? { indexLock: lockOf(repository.index) } : {};
  return {
    found: { branch, head, taken, leftOut, conflicts, ...held },
    removed: changes.filter((change) => change.isTakenOut && change.head !== undefined),
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
