import type { JsonObject } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";

/** What Carryon looks after itself: what the user has approved, the documents, and the last run of CI. */
const ownChecks = ["build", "test", "documents", "ci"] as const;
export type OwnCheck = (typeof ownChecks)[number];

/** A command that Carryon ran itself, and how it ended. */
export interface OwnRun {
  readonly check: OwnCheck;
  readonly command: string;
  readonly exitCode: number;
  readonly output: string;
  readonly at: Date;
  readonly entry: EntryId;
}

/** Reads a run as it was written down. */
export function parseOwnRun(
  data: JsonObject,
  { at, id: entry }: { readonly at: Date; readonly id: EntryId },
): OwnRun | undefined {
  const { check, command, exitCode, output } = data;
  const known = ownChecks.find((each) => each === check);
  if (known === undefined || typeof command !== "string") return undefined;
  if (typeof exitCode !== "number" || typeof output !== "string") return undefined;
  return { check: known, command, exitCode, output, at, entry };
}
