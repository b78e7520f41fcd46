import type { GitPath } from "../../git/git-path.ts";
import { GitRefused } from "../../git/git-refused.ts";
import { type GitRun, runGit } from "../../git/run-git.ts";
import { type IndexLine, indexInfo, renderIndexInfo } from "../../git/temporary-index.ts";

/** An index of ours, by which git reads and writes trees. */
export interface TreeIndex {
  readonly path: string;
  /** Runs git with this index in the place of the user's. */
  readonly run: GitRun;
  readonly hashLength: number;
}

/** Runs git, and throws what it says unless it succeeds. */
export async function mustGit(
  run: GitRun,
  args: readonly string[],
  input: string | Promise<string> = "",
): Promise<string> {
  const { code, stdout, stderr } = await runGit({ ...run, input }, args);
  if (code !== 0) throw new GitRefused(stderr);
  return stdout;
}

/** Sets paths of an index to what is known of them, without a look at the work tree. */
export async function setPaths({ run, hashLength }: TreeIndex, lines: readonly IndexLine[]): Promise<void> {
  if (lines.length > 0) await mustGit(run, indexInfo, renderIndexInfo(lines, hashLength));
}

/** Takes files into an index as the work tree has them; one that has gone this very moment is taken out. */
export async function takePaths({ run }: TreeIndex, paths: readonly GitPath[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join("");
  await mustGit(run, ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], input);
}

/**
 * Writes the content of an index down as a tree, and returns the name of that.
 *
 * Git looks for each object that a changed folder names, unless they are known to be there.
 */
export async function writeTree({ run }: TreeIndex, objects: "known" | "sought" = "sought"): Promise<string> {
  return (await mustGit(run, ["write-tree", ...(objects === "known" ? ["--missing-ok"] : [])])).trim();
}
