import type { RestoredTree } from "../work/restore-tree.ts";

/** The files of a round that were restored. */
export interface RestoredRound extends RestoredTree {
  /** What was not kept of them, and is not brought back, each with the reason. */
  readonly leftOut: readonly string[];
}
