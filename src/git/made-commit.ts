import { join } from "node:path";
import type { GitPath } from "./git-path.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run/run-git.ts";
import { listTreePaths } from "./tree-index.ts";

/** How much a commit has changed. A file that was moved as it is counts once, and is not deleted. */
export interface CommittedFiles {
  readonly files: number;
  readonly deleted: number;
  /** How many files there were, where most of them are deleted. */
  readonly deletedOf?: number;
}

/** In a smaller tree it is nothing unusual that most files go. */
const smallest = 10;

/** A commit that was made just now. */
export interface MadeCommit {
  readonly commit: string;
  /** The first one, if it has any; "" for none. */
  readonly parent: string;
  /** What it does to each file that it changes: a letter of git. */
  readonly kinds: readonly string[];
  /** The files that it adds or changes. */
  readonly paths: ReadonlySet<GitPath>;
}

/** Reads the commit that is checked out: hooks may have added to it, and files changed while it was made. */
export async function readMade({ run, folder }: Repository): Promise<MadeCommit> {
  const changes = ["--root", "--always", "-r", "--find-renames=100%", "--name-status", "-z"];
  const question = ["diff-tree", ...changes, "--pretty=format:%H%x00%P%x00", "HEAD", "--"];
  // Git would read the whole index before it looks for files that were moved, and not use it.
  const env = { ...run.env, GIT_INDEX_FILE: join(folder, "no-index") };
  const { stdout } = await runGit({ ...run, env }, question);
  const [commit = "", parents = "", ...fields] = stdout.split("\0");
  return { commit, parent: parents.split(" ")[0] ?? "", ...readFields(fields) };
}

/** Counts what a commit has changed. */
export async function countCommitted({ run }: Repository, made: MadeCommit): Promise<CommittedFiles> {
  const { kinds, parent } = made;
  const deleted = kinds.filter((kind) => kind === "D").length;
  const counted = { files: kinds.length, deleted };
  if (parent === "" || deleted * 2 <= smallest) return counted;
  const deletedOf = (await listTreePaths(run, parent)).length;
  return deletedOf >= smallest && deleted * 2 > deletedOf ? { ...counted, deletedOf } : counted;
}

/** A line is a letter and a path; that of a file which was moved, a letter, a number and two paths. The first is a new one. */
function readFields(fields: readonly string[]): Pick<MadeCommit, "kinds" | "paths"> {
  const kinds: string[] = [];
  const paths = new Set<GitPath>();
  for (let at = 0; at + 1 < fields.length; ) {
    const kind = fields[at]?.trimStart()[0] ?? "";
    kinds.push(kind);
    at += kind === "R" ? 3 : 2;
    if (kind !== "D") paths.add((fields[at - 1] ?? "") as GitPath);
  }
  return { kinds, paths };
}
