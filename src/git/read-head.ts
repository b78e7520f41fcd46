import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type GitPlace, isThere, locateGit, readSmall } from "./git-place.ts";

/** Where a work tree is, and what is checked out in it. */
export interface Head extends GitPlace {
  /** Null on a detached HEAD. */
  readonly branch: string | null;
}

/** Who asks. */
export interface Asker {
  /** The variables of whoever asks: some of them tell git to look elsewhere. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user that must own the repository; that of this process unless given. */
  readonly user?: number | undefined;
}

const largestHead = 4096;

/**
 * Returns what is checked out where a command runs, without asking git: null outside a repository, and undefined where
 * only git can tell, such as in the repository of another user, in a bare one, or in one that keeps its refs in
 * another way. Never throws. What it returns is what git would say.
 */
export function readHead(
  cwd: string,
  { env = {}, user = process.getuid?.() }: Asker = {},
): Head | null | undefined {
  return isToldElsewhere(env) ? undefined : unlessUnclear(() => findHead(realpathSync(cwd), user));
}

/** Returns what is checked out in a work tree that was found before, without looking for it again. */
export function readHeadAgain(place: GitPlace): Head | undefined {
  return unlessUnclear(() => readHeadOf(place));
}

function unlessUnclear<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    // Whatever is missing, may not be read or leads in a circle: git has the words for it.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function findHead(start: string, user: number | undefined): Head | null | undefined {
  const device = statSync(start).dev;
  for (let folder = start; ; folder = dirname(folder)) {
    const dotGit = lstatSync(join(folder, ".git"), { throwIfNoEntry: false });
    if (dotGit !== undefined) {
      const place = locateGit(folder, dotGit);
      return place && isOwned(place, user) ? readHeadOf(place) : undefined;
    }
    // This may be a git folder itself.
    if (lstatSync(join(folder, "HEAD"), { throwIfNoEntry: false }) !== undefined) return undefined;
    // Git does not look beyond the file system either.
    if (dirname(folder) === folder || statSync(dirname(folder)).dev !== device) return null;
  }
}

function isOwned({ root, gitFolder, commonFolder }: GitPlace, user: number | undefined): boolean {
  const parts = new Set([root, join(root, ".git"), gitFolder, commonFolder]);
  return user === undefined || [...parts].every((path) => lstatSync(path).uid === user);
}

function readHeadOf(place: GitPlace): Head | undefined {
  const path = join(place.gitFolder, "HEAD");
  // Once, HEAD was a link to the file of the branch, and git still reads that.
  const isLink = lstatSync(path).isSymbolicLink();
  const bytes = isLink ? readlinkSync(path, { encoding: "buffer" }) : readSmall(path, largestHead);
  if (bytes === undefined || !isUtf8(bytes)) return undefined;
  const text = isLink ? `ref: ${bytes}` : String(bytes).replace(/[ \t\r\n]+$/, "");
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return { ...place, branch: null };
  const [, branch] = /^ref:[ \t\r\n]*refs\/heads\/(.+)$/s.exec(text) ?? [];
  return branch !== undefined && isBranchName(branch) ? { ...place, branch } : undefined;
}

/** What git allows nowhere in a name. Where refs are kept in another way, HEAD names the branch `.invalid`. */
const misfits = /^[/.]|\/[/.]|\.\.|[ ~^:?*[\\]|\p{Cc}|@\{|[/.]$|\.lock(?:\/|$)/u;

function isBranchName(name: string): boolean {
  // Git allows the control characters beyond ASCII.
  return !misfits.test(name.replace(/[\u0080-\u009f]/g, "x"));
}

const elsewhere: readonly string[] = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/** Tells whether variables tell git to look for its repository elsewhere than where it runs. */
export function isToldElsewhere(env: Readonly<Record<string, string | undefined>>): boolean {
  return elsewhere.some((name) => env[name] !== undefined);
}

const [largestRef, largestPack] = [4096, 1 << 20];
const hash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns the commit that is checked out, without asking git: null before the first one, undefined where only git can tell. */
export function readTip({ gitFolder, commonFolder, branch }: Head): string | null | undefined {
  try {
    if (branch === null) return readHash(join(gitFolder, "HEAD"));
    const path = join(commonFolder, "refs", "heads", ...branch.split("/"));
    return isThere(path) ? readHash(path) : readPacked(join(commonFolder, "packed-refs"), branch);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function readHash(path: string): string | undefined {
  return toHash(readSmall(path, largestRef)?.toString("latin1").trimEnd());
}

/** A line is the hash, a space and the name of the ref. */
function readPacked(path: string, branch: string): string | null | undefined {
  if (!isThere(path)) return null;
  const bytes = readSmall(path, largestPack);
  if (bytes === undefined) return undefined;
  const at = bytes.indexOf(` refs/heads/${branch}\n`);
  if (at === -1) return null;
  const line = bytes.subarray(0, at).toString("latin1");
  return toHash(line.slice(line.lastIndexOf("\n") + 1));
}

function toHash(text: string | undefined): string | undefined {
  return text !== undefined && hash.test(text) ? text : undefined;
}

/** Longer histories are packed, and git walks those faster. */
const [mostCommits, largestCommit] = [100, 1 << 16];

/**
 * Returns the first commit of all that lead to one, without asking git; undefined where there are several, where a
 * commit lies in a pack, and where only git can tell.
 */
export function readFirstCommit(commonFolder: string, tip: string): string | undefined {
  // Both give commits other parents.
  if (existsSync(join(commonFolder, "info", "grafts")) || hasReplaced(commonFolder)) return undefined;
  const firsts: string[] = [];
  const found = new Set([tip]);
  for (const commit of found) {
    const parents = found.size > mostCommits ? undefined : readParents(commonFolder, commit);
    if (parents === undefined) return undefined;
    if (parents.length === 0) firsts.push(commit);
    for (const parent of parents) found.add(parent);
  }
  return firsts.length === 1 ? firsts[0] : undefined;
}

function hasReplaced(commonFolder: string): boolean {
  const folder = join(commonFolder, "refs", "replace");
  // Refs are packed together with others.
  return (
    existsSync(join(commonFolder, "packed-refs")) || (existsSync(folder) && readdirSync(folder).length > 0)
  );
}

function readParents(commonFolder: string, commit: string): readonly string[] | undefined {
  try {
    const bytes = readSmall(
      join(commonFolder, "objects", commit.slice(0, 2), commit.slice(2)),
      largestCommit,
    );
    const { inflateSync } = process.getBuiltinModule("node:zlib");
    const text = bytes && inflateSync(bytes, { maxOutputLength: largestCommit }).toString("latin1");
    const [, header] = /^commit \d+\0(tree [0-9a-f]+\n(?:parent [0-9a-f]+\n)*)author /.exec(text ?? "") ?? [];
    if (header === undefined) return undefined;
    return Array.from(header.matchAll(/^parent ([0-9a-f]+)$/gm), ([, parent = ""]) => parent);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
