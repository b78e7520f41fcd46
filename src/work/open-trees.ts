import { realpath } from "node:fs/promises";
import { readGitFacts } from "../git/git-facts.ts";
import type { GitRun } from "../git/git-run.ts";
import { isIgnored } from "../git/kept-out.ts";
import { openRepository, type Repository, type RepositoryOptions } from "../git/repository.ts";

/** Where the files of a folder are kept by rounds, or why they are not. */
export type RoundTrees =
  | { readonly type: "git"; readonly repository: Repository }
  | { readonly type: "none"; readonly reason: string };

/** Finds the repository that keeps the files of a folder; without one nothing is kept. */
export async function openTrees(
  folder: string,
  env: GitRun["env"],
  options: Pick<RepositoryOptions, "signal" | "withheld"> = {},
): Promise<RoundTrees> {
  const facts = await readGitFacts(folder);
  if (facts === undefined) return { type: "none", reason: "the folder is in no git repository" };
  if ((await realpath(folder)) !== (await realpath(facts.root)) && (await isIgnored(folder, ".")))
    return { type: "none", reason: `the repository ${facts.root} ignores the folder` };
  return {
    type: "git",
    repository: await openRepository(facts.root, env, { mayAsk: false, files: facts.files, ...options }),
  };
}
