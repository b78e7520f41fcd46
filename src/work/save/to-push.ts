import type { FoundWork, Hindrance } from "../commit-work.ts";

/**
 * Returns what there is to push after a save.
 *
 * In the middle of a rebase its branch is still where it was before, and nothing of that is to be pushed.
 */
export function toPush(
  work: FoundWork | undefined,
  outcome: Hindrance | { readonly type: string } | undefined,
): Pick<FoundWork, "branch" | "head"> {
  const isRebased = outcome !== undefined && "operation" in outcome && outcome.operation === "rebase";
  return { branch: isRebased ? null : (work?.branch ?? null), head: work?.head };
}
