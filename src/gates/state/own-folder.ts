import { lstatSync, type Stats } from "node:fs";
import { linkedFolderRefused } from "../../lib/file-error.ts";
import type { FileProblem } from "./problem.ts";

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
