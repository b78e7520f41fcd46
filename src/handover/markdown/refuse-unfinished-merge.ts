import { conflictError } from "../../lib/app-error.ts";
import { findConflicts } from "./find-conflicts.ts";

/** Throws when a document still has the marks of a git merge: nobody knows which side counts. */
export function refuseUnfinishedMerge(text: string): void {
  const lines = findConflicts(text);
  if (lines.length === 0) return;
  throw conflictError(
    "unfinished-merge",
    `A git merge left its marks in the document, in lines ${lines.join(", ")}.`,
    { hint: "Finish the merge by hand, then try again; nothing was written." },
  );
}
