import { parseIfJson } from "../lib/json.ts";
import type { LinkedEntry } from "./replica.ts";

/** The event that marks a line of a session's digest as wrong, and the one that takes the mark back. */
export const wrongLine = "digest-wrong";
export const rightLine = "digest-right";
/** The events by which a person says that the work of a session is done, or that it is not. */
export const workDone = "work-done";
export const workReopened = "work-reopened";

/** What a person says of a session's digest: it is no work in the session, and a merge brings it along as it is. */
export const corrections = [wrongLine, rightLine, workDone, workReopened] as const;
export type Correction = (typeof corrections)[number];

const correcting: ReadonlySet<string> = new Set(corrections);

/** Tells whether an event corrects the digest of its session. */
export function isCorrection(event: string): event is Correction {
  return correcting.has(event);
}

/** The events that say something of their session itself: they count in the session in which they stand. */
export const describingEvents: ReadonlySet<string> = new Set([
  "titled",
  "tagged",
  "ended",
  "interrupted",
  "resumed",
  ...corrections,
]);

/** Tells whether an entry does nothing but describe its session, and says what its hash covers. */
export function describesOnly({ kind, body, scrubbedFrom }: LinkedEntry): boolean {
  if (kind !== "event" || scrubbedFrom !== null) return false;
  const said = parseIfJson(body);
  return (
    typeof said === "object" && said !== null && "event" in said && describingEvents.has(String(said.event))
  );
}
