import { relative } from "node:path";
import { askGit } from "./run/ask-git.ts";

/** Tells whether git ignores a path; false also where git does not answer. */
export async function isIgnored(root: string, path: string): Promise<boolean> {
  return (await askGit(root, ["check-ignore", "--quiet", "--", path])).code === 0;
}

/** Returns the files of a folder, or at a path, that git tracks. */
export async function listTracked(root: string, path: string): Promise<readonly string[]> {
  const { stdout } = await askGit(root, ["ls-files", "-z", "--", path]);
  return stdout.split("\0").slice(0, -1);
}

/** Tells whether git tracks a file, so that what is written into it would be committed. */
export async function isTracked(root: string, file: string): Promise<boolean> {
  return (await listTracked(root, relative(root, file))).length > 0;
}

/** Returns the files that git would show, because it neither ignores nor tracks them, by their paths from the top. */
export async function findShown(root: string, files: readonly string[]): Promise<readonly string[]> {
  const names = files.map((file) => relative(root, file));
  const [ignored, tracked] = await Promise.all([
    askGit(root, ["check-ignore", "--", ...names]),
    askGit(root, ["ls-files", "--", ...names]),
  ]);
  // Git could not tell: then it is no repository, or one in which nothing works.
  if (ignored.code > 1) return [];
  // None of our names is one that git would quote.
  const hidden = new Set([...ignored.stdout.split("\n"), ...tracked.stdout.split("\n")]);
  return names.filter((name) => !hidden.has(name));
}
