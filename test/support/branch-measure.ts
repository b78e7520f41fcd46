import { join } from "node:path";
import { measureBranch } from "../../src/gates/measure/measure-branch.ts";
import type { BranchMeasure, BranchSize } from "../../src/gates/measure/read-kept-size.ts";
import type { Unknown } from "../../src/gates/measure/unknown.ts";
import { git, gitEnv, layOut } from "./git-repo.ts";
import { repoIn } from "./save-repo.ts";

const now = new Date("2026-11-16T12:00:00Z");

/** Measures the branch work, and keeps nothing unless told. */
export function measure(root: string, given: Partial<BranchMeasure> = {}): Promise<BranchSize | Unknown> {
  const cacheFolder = join(root, "../cache");
  return measureBranch({ root, branch: "work", now, cacheFolder, cacheTtl: 0, env: gitEnv, ...given });
}

/** Makes a repository with the branches main and work, of which work is checked out. */
export async function workIn(path: string): Promise<string> {
  await layOut(path, "two files, on work", async (root) => {
    await repoIn(root);
    await git(root, "switch", "-qc", "work");
  });
  return path;
}

/** Returns a text of so many lines. */
export const lines = (count: number) => "x\n".repeat(count);
