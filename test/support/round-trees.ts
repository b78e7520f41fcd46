import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describePath } from "../../src/git/git-path.ts";
import { openRepository, type Repository } from "../../src/git/repository.ts";
import { unlessGone } from "../../src/lib/app-error.ts";
import { type KeptTree, keepTree } from "../../src/work/keep-tree.ts";
import { git, gitEnv } from "./git-repo.ts";

export const roundsSession = "session-20261117-051500-k3f9-build";

const at = new Date("2026-11-17T05:15:00Z");

/** Opens a repository as a run does. */
export function openFor(root: string): Promise<Repository> {
  return openRepository(root, gitEnv, { mayAsk: false });
}

/** Keeps the files of a round, with an opened repository or a new one. */
export async function keep(root: string, round: number): Promise<KeptTree> {
  return keepTree(await openFor(root), { session: roundsSession, round, at });
}

/** Keeps the files of a round, and says in short what became of them. */
export async function tellKept(root: string, round: number) {
  const kept = await keep(root, round);
  if (kept.type === "not-kept") return kept;
  return {
    files: await readTree(root, kept.commit),
    leftOut: kept.leftOut.map(({ path, reason }) => `${describePath(path)}: ${reason}`).sort(),
  };
}

/** Returns the files of a commit with their content, as text. */
export async function readTree(root: string, commit: string): Promise<Readonly<Record<string, string>>> {
  const names = await git(root, "ls-tree", "-r", "-z", "--name-only", commit);
  const files = names.split("\0").filter((name) => name !== "");
  const contents = files.map(async (name) => [name, await git(root, "cat-file", "-p", `${commit}:${name}`)]);
  return Object.fromEntries(await Promise.all(contents));
}

/** Returns what must stay to the byte when files are kept: index, HEAD, branches, tags, stash, configuration, reflogs. */
export async function readUntouchables(root: string): Promise<Readonly<Record<string, string>>> {
  const files = ["index", "HEAD", "config", "ORIG_HEAD", "MERGE_HEAD", "info/exclude", "packed-refs"];
  const hashes = files.map(async (name) => [name, await hashFile(join(root, ".git", name))]);
  const refs = await git(root, "for-each-ref", "--format=%(refname) %(objectname)");
  return {
    ...Object.fromEntries(await Promise.all(hashes)),
    refs: refs
      .split("\n")
      .filter((line) => !line.startsWith("refs/carryon/"))
      .join("\n"),
    reflog: withoutOthers(await git(root, "reflog", "show", "--all")),
    stash: await git(root, "stash", "list"),
  };
}

/** What is said of other work trees is theirs. */
function withoutOthers(reflog: string): string {
  const lines = reflog.split("\n");
  return lines.filter((line) => !line.includes(" worktrees/")).join("\n");
}

async function hashFile(path: string): Promise<string> {
  const bytes = await unlessGone(readFile(path));
  return bytes === undefined ? "none" : createHash("sha256").update(bytes).digest("hex");
}
