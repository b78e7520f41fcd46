import { statSync } from "node:fs";
import { toFolderError } from "../home-folder.ts";

/** What tells a file from every other one that exists, whatever its name is: no number is given again while it is open. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Returns which file a name leads to; undefined when it leads to none. Costs one system call. */
export function readIdentity(path: string): FileIdentity | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw toFolderError(error, path);
  }
}

export function isSameFile(one: FileIdentity | undefined, other: FileIdentity | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
