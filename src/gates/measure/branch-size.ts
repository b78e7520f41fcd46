import type { GitRun } from "../../git/run-git.ts";
import type { ReadLimits } from "./count-untracked.ts";

/** What is measured, and what may be remembered of it. */
export interface BranchMeasure {
  /** The top of the work tree. */
  readonly root: string;
  /** The branch that is checked out; null on a detached HEAD. */
  readonly branch: string | null;
  readonly now: Date;
  /** Where figures are kept, one file for each repository and branch. */
  readonly cacheFolder: string;
  /** Seconds that a figure is taken for the present one. */
  readonly cacheTtl: number;
  /** The variables of whoever asks. */
  readonly env: GitRun["env"];
  /** How much of the new files is read. */
  readonly limits?: ReadLimits;
}

/** How much of a branch differs from where it began. */
export interface BranchSize {
  /** The changed lines: those that were added and those that were removed. */
  readonly lines: number;
  readonly added: number;
  readonly removed: number;
  /** The commit that it is compared with; null where there is nothing to compare with. */
  readonly base: string | null;
  /** Why the figure is not the whole truth, in a sentence. */
  readonly reason?: string;
  /** Why the figure could not be kept for the next time, in a sentence. */
  readonly problem?: string;
}
