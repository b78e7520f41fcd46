import { parseIfJson } from "../lib/json.ts";
import type { LinkedEntry } from "./replica.ts";

/** The event that marks a line of a session's digest as wrong. */
export const wrongLine = "digest-wrong";

/** The events that say something of their session itself: they count in the session in which they stand. */
export const describingEvents: ReadonlySet<string> = new Set([
  "titled",
  "tagged",
  "ended",
  "interrupted",
  "resumed",
  wrongLine,
]);

/** Tells whether an entry does nothing but describe its session, and says what its hash covers. */
export function describesOnly({ kind, body, scrubbedFrom }: LinkedEntry): boolean {
  if (kind !== "event" || scrubbedFrom !== null) return false;
  const said = parseIfJson(body);
  return (
    typeof said === "object" && said !== null && "event" in said && describingEvents.has(String(said.event))
  );
}
