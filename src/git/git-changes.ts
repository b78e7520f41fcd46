import { hasCommit, readCheckedOut, rootOf, type WorkTree } from "./git-facts.ts";
import { type ChangedPath, parseStatus } from "./git-status.ts";
import { askGit } from "./run/ask-git.ts";

const unsubmodules = "--ignore-submodules=dirty";

/**
 * Returns the files that differ from a commit and those that git does not track, by their paths from the top of the
 * work tree. A commit that is not there, as after a rebase, counts as HEAD.
 */
export async function readChangedFiles(
  tree: WorkTree,
  since: string | undefined,
): Promise<readonly string[]> {
  const root = rootOf(tree);
  const { tip } = await readCheckedOut(tree);
  const isElsewhere = since !== undefined && since !== tip && (await hasCommit(tree, since));
  const names = isElsewhere ? await compare(root, since) : ((await readUncommitted(root, tip)) ?? []);
  return [...new Set(names)].sort();
}

/** Returns the files that are not committed as they are, sorted; undefined where git does not answer. */
export async function listUncommitted(tree: WorkTree): Promise<readonly string[] | undefined> {
  const { tip } = await readCheckedOut(tree);
  return (await readUncommitted(rootOf(tree), tip))?.toSorted();
}

async function readUncommitted(
  root: string,
  tip: string | undefined,
): Promise<readonly string[] | undefined> {
  const question = ["status", "--porcelain=v2", "-z", "--no-renames", unsubmodules, "--untracked-files=all"];
  const { code, stdout } = await askGit(root, question);
  if (code !== 0) return undefined;
  const { changes } = parseStatus(Buffer.from(stdout).toString("latin1"));
  // Where the index has another change than the work tree, the latter may be what is committed.
  if (tip !== undefined && changes.some(isTwice)) return compare(root, tip);
  const found = changes.filter((change) => tip === undefined || !isNowhere(change));
  return found.map(({ path }) => Buffer.from(path, "latin1").toString());
}

function isTwice({ isStaged, isModified, isGone, head, index }: ChangedPath): boolean {
  return isStaged && isModified && !isGone && head !== undefined && index !== undefined;
}

/** Neither the commit nor the work tree has a file that was only staged. */
function isNowhere({ head, isGone }: ChangedPath): boolean {
  return head === undefined && isGone;
}

async function compare(root: string, commit: string): Promise<readonly string[]> {
  const answers = await Promise.all([
    askGit(root, ["diff", "--name-only", "--no-renames", unsubmodules, "-z", commit, "--"]),
    askGit(root, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  const names = answers.flatMap(({ code, stdout }) => (code === 0 ? stdout.split("\0") : []));
  return names.filter((name) => name !== "");
}
