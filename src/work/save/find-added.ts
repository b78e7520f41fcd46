import type { GitPath } from "../../git/git-path.ts";
import type { ChangedPath, TreeEntry } from "../../git/git-status.ts";
import { findOwnFiles, type RepositoryFiles } from "../../git/repository.ts";
import { runGit } from "../../git/run-git.ts";
import { stateFile } from "../state-file.ts";
import { chooseFiles } from "./choose-files.ts";
import type { LeftOut, Taken } from "./leave-out.ts";

/** A file that a hook has added to a commit, and that a save would have left out. */
export interface AddedFile extends Taken {
  /** Whether it is Carryon's own, and nobody's work. */
  readonly isOwn: boolean;
}

/** Returns which of the files that a commit has, and a save did not take, were left out, or would have been. */
export async function findAdded(
  repository: RepositoryFiles,
  commit: string,
  paths: ReadonlySet<GitPath>,
  known: readonly LeftOut[],
): Promise<readonly AddedFile[]> {
  const added = known.filter(({ path }) => paths.has(path)).map(toAdded);
  if (added.length === paths.size) return added;
  const told = new Set(added.map(({ path }) => path));
  const changes = (await readChangesOf(repository, commit)).filter(
    ({ path }) => paths.has(path) && !told.has(path),
  );
  const isOwn = await findOwnFiles(repository);
  const { leftOut } = await chooseFiles(
    repository,
    changes.filter(({ path }) => !isOwn(path)),
  );
  return [
    ...added,
    ...changes.filter(({ path }) => isOwn(path)).map(({ path }) => ({ path, sha256: null, isOwn: true })),
    ...leftOut.map(toAdded),
  ];
}

function toAdded({ path, sha256 }: LeftOut): AddedFile {
  return { path, sha256, isOwn: path === stateFile };
}

/** Reads what a commit does to files, as if all of it were staged. */
async function readChangesOf({ run }: RepositoryFiles, commit: string): Promise<readonly ChangedPath[]> {
  const question = ["diff-tree", "--root", "--no-commit-id", "-r", "-z", "--no-renames", commit, "--"];
  const { stdout } = await runGit(run, question);
  const fields = stdout.split("\0");
  const changes: ChangedPath[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [before = "", mode = "", hash = "", index = ""] = (fields[at] ?? "").slice(1).split(" ");
    const path = (fields[at + 1] ?? "") as GitPath;
    changes.push({
      ...{ path, isUntracked: false, isUnmerged: false, isStaged: true, isModified: false, isGone: false },
      ...{ head: toEntry(before, hash), index: toEntry(mode, index) },
      ...(mode === "160000" && { submodule: { hasMoved: true, isDirty: false } }),
    });
  }
  return changes;
}

function toEntry(mode: string, hash: string): TreeEntry | undefined {
  return mode === "000000" ? undefined : { mode, hash };
}
