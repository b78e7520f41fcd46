import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";

/** Where the state of the gates of a repository is. */
export interface GatePlace {
  /** `<git-common-dir>/requirements`, which all work trees share. */
  readonly folder: string;
  /** What a new file names as its project. */
  readonly project: string;
  readonly clock: Clock;
  /** A folder for what is derived from large files; two repositories that share one get in each other's way. */
  readonly cache?: string;
  /** The bytes from which on a file is worth a view: 64 KiB, unless told. */
  readonly viewFrom?: number;
  /** How many milliseconds a change waits for others: 10,000, unless told. */
  readonly wait?: number;
}

/** Returns where the files of the gates are, in the folder that all work trees of a repository share. */
export function locateGates(commonFolder: string): string {
  return join(commonFolder, "requirements");
}
