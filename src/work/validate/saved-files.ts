import { dirname, isAbsolute, join, posix } from "node:path";
import { type Content, nothingThere, readContent } from "../../git/file-content.ts";
import { type GitPath, toGitPath } from "../../git/git-path.ts";
import { isOwnFile } from "../../git/repository.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { findLink } from "../../lib/read-below.ts";
import { stateFile } from "../work-state.ts";

/** Which files are nobody's work. */
export interface IgnoredFiles {
  /** Folders, from the top of the project and with slashes. */
  readonly folders: readonly string[];
}

/** Tells whether a file is the saved state itself, a lock of ours, or in a folder that does not count. */
export function isIgnored(path: GitPath, { folders }: IgnoredFiles): boolean {
  return path === stateFile || isOwnFile(path) || folders.some((folder) => path.startsWith(toPrefix(folder)));
}

function toPrefix(folder: string): string {
  return toGitPath(posix.join(folder, "/"));
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
