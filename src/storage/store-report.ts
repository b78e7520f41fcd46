import type { AppError } from "../lib/app-error.ts";

export interface Problem {
  readonly what: string;
  readonly hint: string;
}

/** What `doctor` says of a store. */
export interface StoreReport {
  /** The path of its file, or `host:port/database`. */
  readonly path: string;
  /** False only where it is known that nothing was ever recorded. */
  readonly exists: boolean;
  readonly bytes: number;
  readonly walBytes: number;
  /** What is left on the disk; infinite where nobody can say. */
  readonly freeBytes: number;
  readonly schema: number | null;
  /** The version of the engine; the other one's is null, and so is that of a server that does not answer. */
  readonly sqlite: string | null;
  readonly postgres: string | null;
  /** Null for a store that cannot be read or is not there. */
  readonly sessions: number | null;
  readonly problems: readonly Problem[];
}

/** What to do, for errors whose own hint sends the reader to `doctor`. */
const afterDoctor = new Map([
  [
    "store-corrupt",
    "Bring a backup back with `carryon restore`, which keeps the damaged file. Without a backup, `carryon doctor --move-aside` renames it, so that a new store can begin; nothing is deleted.",
  ],
  ["session-damaged", "A backup may still have the session; the others are not affected."],
]);

/** What is told of a search index that cannot be read. */
export const brokenIndex: Problem = {
  what: "The search index is damaged; the sessions themselves are not.",
  hint: "Make it anew with `carryon doctor --reindex`.",
};

/** Returns a failure in the form that a report lists it. */
export function toProblem(error: AppError): Problem {
  return { what: error.message, hint: afterDoctor.get(error.code) ?? error.hint ?? "" };
}
