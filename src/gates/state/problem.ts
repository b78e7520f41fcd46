import { lstatSync, type Stats } from "node:fs";
import type { AppError } from "../../lib/app-error.ts";
import { FileError, linkedFolderRefused } from "../../lib/file-error.ts";
import type { JsonObject } from "../json-object.ts";

/** What is wrong with a file of the gates. It is told, and the work goes on. */
export interface FileProblem {
  readonly path: string;
  /** A sentence without its subject, which is the file: `is not JSON`. */
  readonly problem: string;
  readonly hint: string;
}

/** What can be done about a file that a newer Carryon wrote. No command of ours does it: the file may be worth more than this one knows. */
export const newerRemedy =
  "Update Carryon; or give the file another name, and the next change begins a new one without what it says.";

/** Says of a file that a newer Carryon wrote it. */
export function describeNewer({ version }: JsonObject): string {
  const shown = typeof version === "string" ? version.slice(0, 20) : String(version);
  return `is of version ${shown}, which a newer Carryon wrote, and is left as it is`;
}

/** Returns a failure as a problem of the file that it is about. */
export function toProblem(path: string, error: AppError): FileProblem {
  return {
    path: error instanceof FileError ? error.path : path,
    problem: `was not changed: ${error.message}`,
    hint: error.hint ?? "Try again.",
  };
}

const hint =
  "Nothing is read or kept there, and no tool and no stop is refused; move it away, and the folder is made anew.";

/**
 * Says what stands in the place of folders of ours, the outer ones first; undefined where they are folders, or not there yet.
 * A link is no folder of ours: what it leads to is somebody else's, and is neither read nor written.
 */
export function findFolderFault(folders: readonly string[]): FileProblem | undefined {
  for (const path of folders) {
    const stats = lookAt(path);
    if (stats === undefined || stats.isDirectory()) continue;
    const problem = stats.isSymbolicLink()
      ? "is a symbolic link, and is not followed"
      : "is a file where a folder belongs";
    return { path, problem, hint };
  }
  return undefined;
}

/** Throws where one of the folders is a link. */
export function refuseLinkedFolders(folders: readonly string[]): void {
  const link = folders.find((path) => lookAt(path)?.isSymbolicLink());
  if (link !== undefined) throw linkedFolderRefused(link);
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // What is in the way stands further out, or may not be entered: whoever reads or writes there says so.
    return undefined;
  }
}
