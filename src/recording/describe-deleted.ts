import { plural } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { DeletedWork } from "./deleted-work.ts";

/** How many sessions are named. */
const mostNamed = 20;

/** Describes the work that goes on in the client in deleted sessions and is not recorded; empty when there is none. */
export function describeDeleted(deleted: readonly DeletedWork[]): string {
  if (deleted.length === 0) return "";
  const entries = deleted.reduce((sum, each) => sum + each.entries, 0);
  const sessions = deleted.map(({ session }) => toPrintableLine(session)).slice(0, mostNamed);
  return (
    `Left out: ${plural(entries, "entry", "entries")} of ${plural(deleted.length, "session")} that you deleted ` +
    `and that went on in Claude Code: ${sessions.join(", ")}`
  );
}
