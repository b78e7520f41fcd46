import { plainLines } from "../../lib/plain-lines.ts";
import { hideSecrets } from "../../redaction/hide-secrets.ts";
import type { SavedWork } from "../commit-work.ts";
import type { WorkState } from "../work-state.ts";

/** How much is kept of what was said against a commit: its beginning most often names the check. */
const mostLines = 5;
const longestLine = 200;

/**
 * Returns what was said against the last commit that a save wanted to make; undefined where it was made, or there was
 * nothing to commit. A save that wanted none, or could make none, says nothing about the one before.
 */
export function findRefusedCommit(
  work: SavedWork | undefined,
  before: WorkState | undefined,
): string | undefined {
  if (work === undefined) return before?.refusedCommit;
  const { outcome } = work;
  if (outcome.type === "committed" || outcome.type === "unchanged") return undefined;
  if (outcome.type !== "refused" && outcome.type !== "failed") return before?.refusedCommit;
  const lines = plainLines(hideSecrets(outcome.said)).filter((line) => line.trim() !== "");
  const first = lines.slice(0, mostLines).map((line) => line.trim().slice(0, longestLine).toWellFormed());
  const who = outcome.type === "refused" ? "a hook" : "git";
  return [`by ${who}${first.length === 0 ? ", without a word" : ":"}`, ...first].join("\n");
}
