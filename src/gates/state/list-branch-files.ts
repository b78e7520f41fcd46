import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../lib/app-error.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { readContent } from "./file-content.ts";

/** A file with the state of the gates of a branch. */
interface BranchFile {
  readonly path: string;
  readonly branch: string;
}

/** Lists the files of a folder that say whose state they hold; one that cannot be read says nothing. */
export function listBranchFiles(folder: string): readonly BranchFile[] {
  return readNames(folder).flatMap((name) => {
    const path = join(folder, name);
    const content = readContent(path);
    const branch = content.type === "document" ? content.value.branch : undefined;
    return typeof branch === "string" ? [{ path, branch }] : [];
  });
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return [];
    throw writeFailed(folder, error);
  }
}
