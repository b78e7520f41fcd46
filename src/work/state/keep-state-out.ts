import { describeExposed } from "../../git/describe-exposed.ts";
import { excludeFromCommits, lockPattern } from "../../git/exclude-from-commits.ts";
import { askGit } from "../../git/git.ts";
import { AppError } from "../../lib/app-error.ts";
import { statePatterns } from "../state-file.ts";
import type { WorkDesk } from "../work-desk.ts";

/** Keeps the state out of commits; returns what is to be said where that is not possible. */
export async function keepStateOut({ git, site }: WorkDesk): Promise<readonly string[]> {
  if (git === undefined) return [];
  try {
    await excludeFromCommits(git, [...statePatterns, lockPattern]);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [line = ""] = statePatterns;
    const { code } = await askGit(site.root, ["check-ignore", "--quiet", "--", line.slice(1)]);
    return code === 0 ? [] : [describeExposed(line.slice(1), line, error)];
  }
}
