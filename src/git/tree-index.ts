import type { GitPath } from "./git-path.ts";
import { GitRefused } from "./git-refused.ts";
import type { GitRun } from "./git-run.ts";
import { parseEntries, type TreeEntry } from "./git-status.ts";
import { type PathChange, parseRawDiff } from "./raw-diff.ts";
import { runGit } from "./run/run-git.ts";
import { type IndexLine, indexInfo, renderIndexInfo } from "./temporary-index.ts";

/** An index of ours, by which git reads and writes trees. */
export interface TreeIndex {
  readonly path: string;
  /** Runs git with this index in the place of the user's. */
  readonly run: GitRun;
  readonly hashLength: number;
}

/** Runs git, and throws what it says unless it succeeds. */
async function mustGit(
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

/** Returns the paths that an index has. */
export async function listIndexPaths({ run }: TreeIndex): Promise<ReadonlySet<string>> {
  return new Set((await mustGit(run, ["ls-files", "-z"])).split("\0"));
}

/** Compares an index with a commit: what would become of each path that differs if the commit were checked out. */
export async function compareWithCommit({ run }: TreeIndex, commit: string): Promise<readonly PathChange[]> {
  const question = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "-R", commit, "--"];
  return parseRawDiff(await mustGit(run, question));
}

/** Lets the work tree go from one tree to another, and the index with it. */
export async function checkOutTree({ run }: TreeIndex, from: string, to: string): Promise<void> {
  await mustGit(run, ["read-tree", "-m", "-u", from, `${to}^{tree}`]);
}

/** Returns the paths of all files of a commit. */
export async function listTreePaths(run: GitRun, commit: string): Promise<readonly string[]> {
  const names = await mustGit(run, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit]);
  return names.split("\0").slice(0, -1);
}

/** Returns the commit before a commit; undefined of the first. */
export async function readFirstParent(run: GitRun, commit: string): Promise<string | undefined> {
  const parents = await mustGit(run, ["rev-list", "--parents", "--max-count=1", commit]);
  return parents.trim().split(" ")[1];
}

/** Writes the text of a commit down as an object, and returns its name. */
export async function writeCommitObject(run: GitRun, text: Promise<string>): Promise<string> {
  return (await mustGit(run, ["hash-object", "-t", "commit", "-w", "--stdin"], text)).trim();
}

/** Changes refs by the lines that `git update-ref --stdin` reads, all of them or none. */
export async function updateRefs(run: GitRun, lines: string | Promise<string>): Promise<void> {
  await mustGit(run, ["-c", "core.logAllRefUpdates=false", "update-ref", "--stdin"], lines);
}

/** A ref and the commit that it names. */
export interface NamedCommit {
  readonly ref: string;
  readonly commit: string;
}

/** Returns the refs below a name. */
export async function listRefs(run: GitRun, below: string): Promise<readonly NamedCommit[]> {
  const stdout = await mustGit(run, ["for-each-ref", "--format=%(objectname) %(refname)", below]);
  return stdout.split("\n").map((line) => {
    const [commit = "", ref = ""] = line.split(" ");
    return { ref, commit };
  });
}

/** Returns what a commit has of each path. */
export async function readTreeEntries(run: GitRun, commit: string): Promise<ReadonlyMap<GitPath, TreeEntry>> {
  const { stdout } = await runGit(run, ["ls-tree", "-r", "-z", "--full-tree", commit]);
  return parseEntries(stdout, /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/);
}
