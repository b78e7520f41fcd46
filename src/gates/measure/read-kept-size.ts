import { join } from "node:path";
import { readSmall } from "../../git/git-place.ts";
import type { GitRun } from "../../git/git-run.ts";
import { readHead, readTip } from "../../git/read-head.ts";
import { parseIfJson } from "../../lib/json.ts";
import { quickHash } from "../../lib/quick-hash.ts";
import { asRecord, type JsonObject } from "../json-object.ts";
import type { ReadLimits } from "./count-untracked.ts";

/** The version of the file in which a figure is kept. */
export const sizeVersion = 1;

const largest = 65_536;

/**
 * Returns the figure of a branch that was kept, while it counts: the same commit is checked out, and it is not older
 * than configured. Starts no process and loads little, so that a hook can ask it first.
 */
export function readKeptSize(measure: BranchMeasure): BranchSize | undefined {
  const { root, branch, now, cacheFolder, cacheTtl, env } = measure;
  const head = readHead(root, { env });
  const tip = head && head.branch === branch ? readTip(head) : undefined;
  if (typeof tip !== "string" || branch === null) return undefined;
  const kept = readRecord(locateSize(cacheFolder, root, branch));
  const isIts = kept.root === root && kept.branch === branch && kept.head === tip;
  if (kept.version !== sizeVersion || !isIts || typeof kept.at !== "string") return undefined;
  const age = now.getTime() - Date.parse(kept.at);
  // One from the future was written under another clock.
  return age >= 0 && age < cacheTtl * 1000 ? toSize(kept.size) : undefined;
}

/** Returns where the figure of a branch is kept. Should two have the same place, neither is taken for the other. */
export function locateSize(folder: string, root: string, branch: string): string {
  return join(folder, `${quickHash(`${root}\0${branch}`)}.json`);
}

function readRecord(path: string): JsonObject {
  try {
    return asRecord(parseIfJson(readSmall(path, largest)?.toString() ?? ""));
  } catch (error) {
    // A figure that cannot be read is found out anew.
    if (error instanceof Error && "code" in error) return {};
    throw error;
  }
}

function toSize(value: unknown): BranchSize | undefined {
  const { added, removed, base, reason } = asRecord(value);
  if (!(isCount(added) && isCount(removed))) return undefined;
  if (base !== null && !(typeof base === "string" && /^[0-9a-f]{40,64}$/.test(base))) return undefined;
  return { lines: added + removed, added, removed, base, ...(typeof reason === "string" && { reason }) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

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
