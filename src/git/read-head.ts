import { isUtf8 } from "node:buffer";
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type GitPlace, locateGit, readSmall } from "./git-place.ts";

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
