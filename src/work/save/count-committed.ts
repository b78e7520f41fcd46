import { runGit } from "../run-git.ts";
import type { Repository } from "./repository.ts";

/** How much a commit has changed. A file that was moved as it is counts once, and is not deleted. */
export interface CommittedFiles {
  readonly files: number;
  readonly deleted: number;
  /** How many files there were, where most of them are deleted. */
  readonly deletedOf?: number;
}

/** In a smaller tree it is nothing unusual that most files go. */
const smallest = 10;

/** Counts what a commit has changed: hooks may have added to it, and files changed while it was made. */
export async function countCommitted(
  { run }: Repository,
  commit: string,
  parent: string | undefined,
): Promise<CommittedFiles> {
  const question = ["diff-tree", "--root", "--no-commit-id", "-r", "--find-renames=100%"];
  const { stdout } = await runGit(run, [...question, "--name-status", "-z", commit]);
  const kinds = readKinds(stdout);
  const deleted = kinds.filter((kind) => kind === "D").length;
  const counted = { files: kinds.length, deleted };
  if (parent === undefined || deleted * 2 <= smallest) return counted;
  const { stdout: names } = await runGit(run, ["ls-tree", "-r", "-z", "--name-only", "--full-tree", parent]);
  const deletedOf = names.split("\0").length - 1;
  return deletedOf >= smallest && deleted * 2 > deletedOf ? { ...counted, deletedOf } : counted;
}

/** A line is a letter and a path; that of a file which was moved, a letter, a number and two paths. */
function readKinds(text: string): readonly string[] {
  const fields = text.split("\0");
  const kinds: string[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const kind = fields[at]?.[0] ?? "";
    kinds.push(kind);
    at += kind === "R" ? 3 : 2;
  }
  return kinds;
}
