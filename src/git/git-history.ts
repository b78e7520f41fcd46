import { readCheckedOut, rootOf, type WorkTree } from "./git-facts.ts";
import { askGit } from "./run/ask-git.ts";

/** Who last changed a file in a commit, and when. */
export interface Authorship {
  readonly author: string;
  readonly at: Date;
  readonly commit: string;
}

/** Returns who last committed a file as it is; undefined when git does not track it, or it differs from the commit. */
export async function readAuthorship(root: string, path: string): Promise<Authorship | undefined> {
  const file = ["--", path] as const;
  const [log, difference] = await Promise.all([
    askGit(root, ["--literal-pathspecs", "log", "-1", "--format=%H%x00%an%x00%aI", ...file]),
    askGit(root, ["--literal-pathspecs", "diff", "--quiet", "--no-ext-diff", "HEAD", ...file]),
  ]);
  const [commit = "", author = "", at = ""] = log.stdout.trim().split("\0");
  return log.code === 0 && difference.code === 0 && commit !== ""
    ? { author, at: new Date(at), commit }
    : undefined;
}

/** Returns the subjects of the commits on the way from one to what is checked out, oldest first; none if it is not there. */
export async function readSubjectsSince(
  tree: WorkTree,
  commit: string,
  { most }: { readonly most: number },
): Promise<readonly string[]> {
  if ((await readCheckedOut(tree)).tip === commit) return [];
  return (await readSubjects(rootOf(tree), [`${commit}..HEAD`], { most })).toReversed();
}

/** Returns the subjects of the commits that revisions lead to, newest first; none if one of them is not there. */
export async function readSubjects(
  root: string,
  revisions: readonly string[],
  { most }: { readonly most: number },
): Promise<readonly string[]> {
  const { code, stdout } = await askGit(root, ["log", `-${most}`, "--format=%s%x00", ...revisions, "--"]);
  if (code !== 0) return [];
  const subjects = stdout.split("\0").map((subject) => subject.trim());
  return subjects.filter((subject) => subject !== "");
}

/** Returns how many commits there are on the way from one to what is checked out; undefined if that one is gone. */
export async function countCommitsSince(root: string, commit: string): Promise<number | undefined> {
  const { code, stdout } = await askGit(root, ["rev-list", "--count", `${commit}..HEAD`, "--"]);
  return code === 0 ? Number(stdout) : undefined;
}

/** Returns those of some files that a commit has, by their paths from the top of the work tree. */
export async function listFilesIn(
  root: string,
  commit: string,
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const options = ["--literal-pathspecs", "ls-tree", "-r", "-z", "--name-only", "--full-tree"] as const;
  const { code, stdout } = await askGit(root, [...options, commit, "--", ...files]);
  const found = new Set(code === 0 ? stdout.split("\0") : []);
  return files.filter((file) => found.has(file));
}

/** Returns the name and the subject of the commit that is checked out; undefined before the first one. */
export async function readLastCommit(
  root: string,
): Promise<{ readonly id: string; readonly subject: string } | undefined> {
  const { code, stdout } = await askGit(root, ["log", "-1", "--format=%H %s", "HEAD", "--"]);
  const [id = "", ...words] = stdout.trim().split(" ");
  return code === 0 ? { id, subject: words.join(" ").trim() } : undefined;
}
