import { usageError } from "../lib/app-error.ts";
import type { RandomSource } from "../lib/uuid-v7.ts";
import { findSecrets } from "../redaction/find-secrets.ts";
import type { Correction } from "./describing-events.ts";
import type { NewEntry } from "./entry.ts";
import { type EntryId, makeSessionId, type SessionId } from "./ids.ts";
import { cleanTitle, isTag } from "./session-facts.ts";

/** A session with this tag is never cleaned away. */
export const pinnedTag = "pinned";

/** Returns a title on one line, without white space around it, at most 200 characters; an empty one is refused. */
export function parseTitle(text: string): string {
  const title = cleanTitle(text);
  if (title === null) throw usageError("empty-title", "A title cannot be empty.");
  return title;
}

/** Returns the tag, or throws when it is not one word of at most 64 letters, digits and `_ . : / -`. */
export function parseTag(text: string): string {
  if (!isTag(text)) {
    throw usageError("invalid-tag", `${JSON.stringify(text.slice(0, 80))} is not a valid tag.`, {
      hint: "Use one word of at most 64 letters, digits and the characters _ . : / -",
    });
  }
  return text;
}

/** Makes the entry that gives a session a title. */
export function titled(id: EntryId, at: Date, title: string): NewEntry {
  return { id, at, kind: "event", event: "titled", data: { title } };
}

/** Makes the entry that adds tags to a session and removes others. */
export function tagged(
  id: EntryId,
  at: Date,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): NewEntry {
  const { add = [], remove = [] } = change;
  return { id, at, kind: "event", event: "tagged", data: { add, remove } };
}

/** Makes the entry that says how a session stopped. */
export function stopped(id: EntryId, at: Date, status: "ended" | "interrupted"): NewEntry {
  return { id, at, kind: "event", event: status, data: {} };
}

/** Makes the entry that corrects a session's digest; a line is given in the form of `lineKey`. */
export function corrected(id: EntryId, at: Date, event: Correction, line?: string): NewEntry {
  return { id, at, kind: "event", event, data: line === undefined ? {} : { line } };
}

/**
 * Returns the time for an entry that has the last word on what came before: now, or just after it.
 *
 * Of two events the later one counts; a clock that was set back, or two events in one millisecond, must not undo the newer.
 */
export function nextMoment(now: Date, before: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}

/** Makes the id of a session that begins now; a title that holds a secret does not become part of it. */
export function newSessionId(
  { random }: { readonly random: RandomSource },
  now: Date,
  title = "",
): SessionId {
  return makeSessionId(now, title === "" || findSecrets(title).length === 0 ? title : "", random);
}
