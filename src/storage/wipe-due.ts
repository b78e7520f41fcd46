import type { Problem } from "./store-report.ts";

/** Asks for a row that is there until the files were rewritten after a scrub, in a store that has all its tables. */
export const askWipeDue = "SELECT 1 FROM wipe_due";

/** What is told of a store as long as that row is there. */
export const wipeDue: Problem = {
  what: "A scrub is not finished: the files of the store may still hold what it took out.",
  hint: "Run the same `carryon scrub` again when nothing else reads the store, on PostgreSQL as the owner of its tables.",
};
