import { ioError } from "../lib/app-error.ts";
import type { GitPath } from "./git-path.ts";
import type { GitRun } from "./git-run.ts";
import { runGit } from "./run/run-git.ts";

/** What a commit or the index has of a path. */
export interface TreeEntry {
  readonly mode: string;
  readonly hash: string;
}

/** Tells whether both say the same of a path. */
export function isSameEntry(one: TreeEntry | undefined, other: TreeEntry | undefined): boolean {
  return one?.mode === other?.mode && one?.hash === other?.hash;
}

/** A file that differs between the commit, the index and the work tree. */
export interface ChangedPath {
  readonly path: GitPath;
  /** Whether only the work tree has it. */
  readonly isUntracked: boolean;
  /** Whether two changes of it are in conflict. */
  readonly isUnmerged: boolean;
  /** Undefined where the commit does not have it. */
  readonly head: TreeEntry | undefined;
  /** Undefined where the index does not have it. */
  readonly index: TreeEntry | undefined;
  /** Whether the index differs from the commit. */
  readonly isStaged: boolean;
  /** Whether the work tree differs from the index. */
  readonly isModified: boolean;
  /** Whether the work tree does not have it any more. */
  readonly isGone: boolean;
  /** Whether it was taken out of the index, although the work tree still has it. */
  readonly isTakenOut?: boolean;
  /** Of a submodule: whether another commit is checked out, and whether its own files have changed. */
  readonly submodule?: { readonly hasMoved: boolean; readonly isDirty: boolean };
}

/** Where HEAD is, and all that differs. */
export interface WorkTreeStatus {
  /** Undefined before the first commit. */
  readonly head: string | undefined;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly changes: readonly ChangedPath[];
}

const question = ["status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--ignore-submodules=none"];

/** Compares the commit, the index and the work tree. Ignored files are not looked at. */
export async function readWorkTreeStatus(run: GitRun): Promise<WorkTreeStatus> {
  return parseStatus(await askStatus(run, [...question, "--untracked-files=all"]));
}

/**
 * Does the same in less time where there are two processors: git looks for changed files and for new ones one after the
 * other.
 */
export async function readStatusAtOnce(run: GitRun): Promise<WorkTreeStatus> {
  const [tracked, untracked] = await Promise.all([
    askStatus(run, [...question, "--untracked-files=no"]),
    askStatus(run, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  return parseStatus(`${tracked}${untracked.replace(/[^\0]+/g, "? $&")}`);
}

async function askStatus(run: GitRun, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runGit(run, args);
  if (code !== 0)
    throw ioError(
      "git-failed",
      `Git cannot tell what has changed: ${stderr.trim().split("\n").at(-1) ?? ""}`,
      {
        hint: "Look at what `git status` says.",
      },
    );
  return stdout;
}

/** Reads what `git status --porcelain=v2 --branch -z --no-renames` prints. */
export function parseStatus(text: string): WorkTreeStatus {
  const changes = new Map<GitPath, ChangedPath>();
  let [head, branch]: [string | undefined, string | null] = [undefined, null];
  for (const line of text.split("\0")) {
    if (line.startsWith("# branch.oid ")) head = /^[0-9a-f]+$/.exec(line.slice(13))?.[0];
    else if (line.startsWith("# branch.head ")) branch = toBranch(line.slice(14));
    else {
      const change = parseLine(line);
      if (change !== undefined) changes.set(change.path, merge(changes.get(change.path), change));
    }
  }
  return { head, branch, changes: [...changes.values()] };
}

/** Git lists a file twice that is in the commit and in the work tree, but not in the index. */
function merge(before: ChangedPath | undefined, change: ChangedPath): ChangedPath {
  return before === undefined ? change : { ...before, isModified: true, isTakenOut: true };
}

function toBranch(name: string): string | null {
  return name === "(detached)" ? null : Buffer.from(name, "latin1").toString();
}

function parseLine(line: string): ChangedPath | undefined {
  switch (line[0]) {
    case "1":
      return parseTracked(line);
    case "u":
      return { ...plain(fieldsOf(line, 10).path), isUnmerged: true, isModified: true };
    case "?":
      return { ...plain(line.slice(2) as GitPath), isUntracked: true, isModified: true };
    default:
      return undefined;
  }
}

function plain(path: GitPath): ChangedPath {
  return {
    ...{ path, isUntracked: false, isUnmerged: false, head: undefined, index: undefined },
    ...{ isStaged: false, isModified: false, isGone: false },
  };
}

/** A line is `1 XY sub mH mI mW hH hI path`; the path may have spaces. */
function parseTracked(line: string): ChangedPath {
  const { fields, path } = fieldsOf(line, 8);
  const [, xy = "", sub = "", headMode = "", indexMode = "", workMode = "", headHash = "", indexHash = ""] =
    fields;
  return {
    ...plain(path),
    head: toEntry(headMode, headHash),
    index: toEntry(indexMode, indexHash),
    isStaged: xy[0] !== ".",
    isModified: xy[1] !== ".",
    isGone: workMode === "000000",
    ...(sub.startsWith("S") && {
      submodule: { hasMoved: sub[1] === "C", isDirty: sub[2] === "M" || sub[3] === "U" },
    }),
  };
}

function fieldsOf(
  line: string,
  count: number,
): { readonly fields: readonly string[]; readonly path: GitPath } {
  const fields: string[] = [];
  let at = 0;
  while (fields.length < count) {
    const end = line.indexOf(" ", at);
    fields.push(line.slice(at, end));
    at = end + 1;
  }
  return { fields, path: line.slice(at) as GitPath };
}

/** Returns what a tree has of a path; the mode of nothing is all zeros. */
export function toEntry(mode: string, hash: string): TreeEntry | undefined {
  return mode === "000000" ? undefined : { mode, hash };
}

/** Reads entries of a tree or an index, of each line of which a pattern finds mode, hash and path. */
export function parseEntries(text: string, line: RegExp): ReadonlyMap<GitPath, TreeEntry> {
  return new Map(
    text.split("\0").flatMap((each) => {
      const [, mode, hash, path] = line.exec(each) ?? [];
      return mode === undefined || hash === undefined || path === undefined
        ? []
        : [[path as GitPath, { mode, hash }] as const];
    }),
  );
}
