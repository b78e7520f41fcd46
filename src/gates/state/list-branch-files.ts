import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readContent } from "./file-content.ts";
import { findFolderFault } from "./problem.ts";

/** A file with the state of the gates of a branch. */
interface BranchFile {
  readonly path: string;
  readonly branch: string;
}

/** Lists the files of a folder that say whose state they hold; one that cannot be read says nothing. */
export function listBranchFiles(folder: string): readonly BranchFile[] {
  return listJsonFiles([folder]).flatMap((path) => {
    const content = readContent(path);
    const branch = content.type === "document" ? content.value.branch : undefined;
    return typeof branch === "string" ? [{ path, branch }] : [];
  });
}

/** Lists the files of the last of some folders, the outer ones first. Those that were set aside are known to be broken. */
export function listJsonFiles(folders: readonly string[]): readonly string[] {
  const folder = folders.at(-1) ?? "";
  if (findFolderFault(folders) !== undefined) return [];
  try {
    const names = readdirSync(folder).filter(
      (name) => /^[^.].*\.json$/.test(name) && !/\.broken-/.test(name),
    );
    return names.map((name) => join(folder, name));
  } catch {
    // Without a folder there are no files; what else is in its place is told of the folder.
    return [];
  }
}
