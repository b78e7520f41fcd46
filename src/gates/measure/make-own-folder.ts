import { lstatSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { linkedFolderRefused } from "../../lib/file-error.ts";

/** Makes a folder of ours and the one around it. Refuses a link in their place: what that leads to is somebody else's. */
export function makeOwnFolder(folder: string): void {
  for (const path of [dirname(folder), folder]) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (stats.isSymbolicLink()) throw linkedFolderRefused(path);
  }
}
