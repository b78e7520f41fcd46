import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { askGit } from "../../git/git.ts";
import { AppError } from "../../lib/app-error.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Refuses a bare repository and the folder of git itself: they look like no repository, and nothing of ours belongs there. */
export async function refuseGitFolder({ git, root }: Pick<Workspace, "git" | "root">): Promise<void> {
  if (git !== undefined) return;
  const { code } = await askGit(root, ["rev-parse", "--git-dir"]);
  if (code !== 0) return refuseUnreadable(root);
  throw new AppError("This folder belongs to git, and has no work to save.", {
    kind: "usage",
    code: "no-work-tree",
    hint: "Go to a work tree of the repository.",
  });
}

/** A repository that git does not read, because it is another's or damaged, is not "no repository". */
async function refuseUnreadable(root: string): Promise<void> {
  for (let folder = root; ; folder = dirname(folder)) {
    if ((await unlessGone(lstat(join(folder, ".git")))) !== undefined) throw unreadable(folder);
    if (folder === dirname(folder)) return;
  }
}

function unreadable(folder: string): AppError {
  return new AppError(`Git cannot read the repository of ${folder}, so that nothing was saved.`, {
    kind: "io",
    code: "git-failed",
    hint: "See what `git status` says there.",
  });
}
