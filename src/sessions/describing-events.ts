import { parseIfJson } from "../lib/parse-if-json.ts";
import type { NewEntry } from "./entry.ts";
import type { LinkedEntry } from "./replica.ts";

/** The events that say something of their session itself: they count in the session in which they stand. */
const describing: ReadonlySet<string> = new Set(["titled", "tagged", "ended", "interrupted", "resumed"]);

/** Tells whether an event describes its session. */
export function isDescribing(event: string): boolean {
  return describing.has(event);
}

/** Tells whether an entry that is to be appended does nothing but describe its session. */
export function isDescription(entry: NewEntry): boolean {
  return entry.kind === "event" && isDescribing(entry.event);
}

/** Tells whether an entry does nothing but describe its session, and says what its hash covers. */
export function describesOnly({ kind, body, scrubbedFrom }: LinkedEntry): boolean {
  if (kind !== "event" || scrubbedFrom !== null) return false;
  const said = parseIfJson(body);
  return typeof said === "object" && said !== null && "event" in said && isDescribing(String(said.event));
}
