import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { type CheckedOut, type GitFacts, readCheckedOut } from "../../git/git-facts.ts";
import { countCommitsSince, listFilesIn } from "../../git/git-history.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { describeFile, unquoteFile } from "../session/quote-file.ts";
import type { KnownText } from "../session/session-basis.ts";
import { detachedHead, type SessionDoc } from "../session-doc.ts";

/** No name is longer, and a search beyond it could take long. */
const spans = /``[ \t]([^\n]{1,1000}?)[ \t]``|`([^`\n]{1,1000})`/g;

/** Returns what stands as code in the lines of a text. */
export function codeSpansOf(text: string): readonly string[] {
  return [...text.matchAll(spans)].map(([, wide, narrow]) => wide ?? narrow ?? "");
}

/** What has happened in the repository since session.md was written. */
export interface Drift {
  readonly commits: number;
  /** Files that the document names and that are gone. */
  readonly gone: readonly string[];
  /** The branch of now, if it is another one. */
  readonly branch: string | undefined;
}

/** More names than anybody means by files. */
const mostNames = 600;

/** The document, and what is known of it. */
interface DriftOf {
  readonly doc: SessionDoc;
  readonly known: KnownText;
}

/** Finds out what has happened in the repository since a session.md was written. */
export async function findDrift(
  root: string,
  git: GitFacts | undefined,
  { doc, known }: DriftOf,
): Promise<Drift> {
  const { head } = known;
  const now = git && (await readCheckedOut(git));
  const branch = now && (now.branch ?? detachedHead);
  return {
    commits: now === undefined ? 0 : await countSince(root, head, now),
    gone: (await findGone(root, git, { doc, known })).map(describeFile),
    branch: doc.branch === "" || branch === doc.branch ? undefined : branch,
  };
}

async function findGone(
  root: string,
  git: GitFacts | undefined,
  { doc, known }: DriftOf,
): Promise<readonly string[]> {
  // What was never committed was never here, and a branch of another folder has other files.
  if (known.root !== undefined && known.root !== root) return [];
  const { head } = known;
  const wasGone = new Set(known.gone);
  // Others may have changed files that they never committed.
  const changed =
    known.outside === undefined ? namesIn(doc.modifiedFiles).filter((name) => !wasGone.has(name)) : [];
  const others = new Set(Object.values(doc).flatMap((part) => namesIn(part)));
  const missing = git && head ? await keepGone(root, [...others].slice(0, mostNames)) : [];
  // What was a file, and no word in the same dress, the commit says.
  const named = git && head ? await listFilesIn(root, head, missing) : [];
  const gone = await keepGone(root, changed.slice(0, mostNames));
  return [...new Set([...gone, ...named.filter((each) => !wasGone.has(each))])];
}

async function countSince(root: string, head: string | undefined, { tip }: CheckedOut): Promise<number> {
  return head === undefined || head === tip ? 0 : ((await countCommitsSince(root, head)) ?? 0);
}

async function keepGone(root: string, names: readonly string[]): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const name of names) if (await isGone(join(root, name))) gone.push(name);
  return gone;
}

/** Whether something is there that cannot be looked at, nobody knows. */
async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return true;
    if (isSystemError(error, "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG")) return false;
    throw error;
  }
}

/** Returns what stands as code and may be the path of a file inside of the project. */
function namesIn(body: string): readonly string[] {
  return codeSpansOf(body)
    .map(unquoteFile)
    .filter(
      (name) =>
        name.length < 1000 && !/^[/~-]|\0|^[a-z]+:\/\/|(?:^|\/)\.\.(?:\/|$)/i.test(name) && name !== "",
    );
}
