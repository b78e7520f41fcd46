import { dirname, isAbsolute, join, posix } from "node:path";
import { type Content, nothingThere, readContent } from "../../git/file-content.ts";
import { describePath, type GitPath, toGitPath } from "../../git/git-path.ts";
import type { ChangedPath } from "../../git/git-status.ts";
import { findOwnFiles, type GitOperation, isOwnFile, type RepositoryFiles } from "../../git/repository.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { findLink } from "../../lib/read-below.ts";
import { describeLeftOut } from "../describe-left-out.ts";
import { chooseFiles } from "../save/choose-files.ts";
import { type SavedFile, stateFile } from "../work-state.ts";
import type { Validation } from "./validation.ts";

/** How many are named. */
const most = 3;

/** Names the first few of many: `a, b, c and 4 more`. */
export function nameFew(names: readonly string[]): string {
  const rest = names.length - most;
  return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Which files are nobody's work. */
export interface IgnoredFiles {
  /** Folders, from the top of the project and with slashes. */
  readonly folders: readonly string[];
}

/** Tells whether a file is the saved state itself, a lock of ours, or in a folder that does not count. */
export function isIgnored(path: GitPath, { folders }: IgnoredFiles): boolean {
  return (
    path === stateFile ||
    isOwnFile(path) ||
    folders.some((folder) => path.startsWith(toGitPath(posix.join(folder, "/"))))
  );
}

/** Returns the paths that a saved one can mean: bytes that are no UTF-8 were written as `\\xNN`. */
export function pathsOf(saved: string): readonly GitPath[] {
  const bytes = saved.replace(/\\x([01][0-9a-f]|7f|[89a-f][0-9a-f])/g, (_, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  const isPlain = /^[\x20-\x7e]*$/.test(saved);
  return bytes !== saved && isPlain ? [toGitPath(saved), bytes as GitPath] : [toGitPath(saved)];
}

/**
 * Returns what the work tree has of a saved file. A path that leads out of the project, also through a link, has nothing:
 * it stands in a file of the repository.
 */
export async function readSaved(root: string, saved: string): Promise<Content> {
  for (const path of pathsOf(saved).filter(isProjectPath)) {
    const content = await readBelow(root, path);
    if (content.type !== "gone") return content;
  }
  return nothingThere;
}

function isProjectPath(path: GitPath): boolean {
  const parts = path.split("/");
  return !isAbsolute(path) && !path.includes("\0") && !parts.includes("..") && parts[0] !== ".git";
}

async function readBelow(root: string, path: GitPath): Promise<Content> {
  const folder = join(root, dirname(Buffer.from(path, "latin1").toString()));
  try {
    const isBehindLink = folder !== join(root) && (await findLink(root, folder)) !== undefined;
    return isBehindLink ? nothingThere : readContent(root, path);
  } catch (error) {
    // No file can have such a name.
    if (isSystemError(error, "ENAMETOOLONG", "EINVAL")) return nothingThere;
    throw readFailed(folder, error);
  }
}

/** What is known of the files that have changed. */
export interface KnownChanges extends IgnoredFiles {
  /** What the last save did not commit; it counts only once it has changed. */
  readonly leftOut: readonly SavedFile[];
  /** What git is in the middle of, if anything: then a save commits nothing. */
  readonly operation?: GitOperation | undefined;
  /** The branch that is being rebased, if one is. */
  readonly rebased?: string | null | undefined;
}

/** Each is read to be judged: of more, a save says what it leaves out. */
const mostJudged = 1000;

/** Tells which files have changes that are in no commit; what a save would leave out is told apart. */
export async function checkChanges(
  repository: RepositoryFiles,
  changes: readonly ChangedPath[],
  known: KnownChanges,
): Promise<readonly Validation[]> {
  const leftOut = new Map(
    known.leftOut.flatMap(({ path, sha256 }) => pathsOf(path).map((each) => [each, sha256] as const)),
  );
  const isOwn = await findOwnFiles(repository);
  const counted = changes.filter(({ path }) => !isOwn(path) && !isIgnored(path, known));
  const found: ChangedPath[] = [];
  for (const change of counted) {
    const saved = leftOut.get(change.path);
    if (saved === undefined || (await hashOf(repository.root, change)) !== saved) found.push(change);
  }
  if (found.length === 0) return [];
  if (known.operation !== undefined) return [tellUnfinished(found, known.operation)];
  if (counted.length > mostJudged) return tellSavable(found);
  const choice = await chooseFiles(repository, counted);
  const kept = new Map(choice.leftOut.map((each) => [each.path, describeLeftOut(each)]));
  return [
    ...tellSavable(found.filter(({ path }) => !kept.has(path))),
    ...tellKept(found.flatMap(({ path }) => kept.get(path) ?? [])),
  ];
}

function tellUnfinished(found: readonly ChangedPath[], operation: GitOperation): Validation {
  const action = `Finish or abort the ${operation}: until then \`carryon save\` commits nothing.`;
  return tell(namesOf(found), "that are not committed", action);
}

function tellSavable(found: readonly ChangedPath[]): readonly Validation[] {
  const action = "Commit them (`carryon save` does) or stash them before you switch to another branch.";
  return found.length === 0 ? [] : [tell(namesOf(found), "that are not committed", action)];
}

/** Saving again would not commit these either, and a stash does not take those that git does not know. */
function tellKept(kept: readonly string[]): readonly Validation[] {
  const [it, belongs] = kept.length === 1 ? ["it", "it belongs"] : ["them", "they belong"];
  const action = `Commit ${it} with git yourself if ${belongs} there; else let git ignore ${it}, or keep ${it} elsewhere.`;
  return kept.length === 0 ? [] : [tell(kept, "that `carryon save` leaves out", action)];
}

function namesOf(found: readonly ChangedPath[]): readonly string[] {
  return found.map(({ path }) => describePath(path));
}

function tell(names: readonly string[], which: string, action: string): Validation {
  const what = names.length === 1 ? "A file has" : `${names.length} files have`;
  return { code: "UNCOMMITTED_CHANGES", message: `${what} changes ${which}: ${nameFew(names)}.`, action };
}

/** A file that is gone may seem to be there behind a link that has taken the place of its folder. */
async function hashOf(root: string, { path, isGone, submodule }: ChangedPath): Promise<string | null> {
  return isGone || submodule !== undefined ? null : readContent(root, path).sha256;
}
