import { type EntryContent, messageText } from "./entry.ts";
import type { EntryId } from "./ids.ts";
import type { SessionStatus } from "./session.ts";

/** When something was said of a session, and by which entry: the greatest wins, so that replicas agree. */
interface Stamp {
  readonly atMs: number;
  readonly by: string;
}

interface Stamped<Value> {
  readonly value: Value;
  readonly stamp: Stamp;
}

/** What the entries of a session say about the session itself. */
export interface SessionFacts {
  readonly title: Stamped<string | null>;
  readonly tags: Stamped<readonly string[]>;
  readonly status: Stamped<SessionStatus>;
  /** The beginning of the first user message: the title of a session that nobody named. */
  readonly opening: string | null;
  readonly updatedMs: number;
  readonly messages: number;
}

const openingLength = 60;
const titleLength = 200;

const statusEvents: ReadonlyMap<string, SessionStatus> = new Map([
  ["ended", "ended"],
  ["interrupted", "interrupted"],
  ["resumed", "open"],
]);

/** Returns the facts of a session that has no entries yet. */
export function startFacts(startedMs: number, title: string | null): SessionFacts {
  const stamp = { atMs: startedMs, by: "" };
  return {
    title: { value: title === null ? null : cleanTitle(title), stamp },
    tags: { value: [], stamp },
    status: { value: "open", stamp },
    opening: null,
    updatedMs: startedMs,
    messages: 0,
  };
}

/** Returns the facts after one more entry. Pure, and the order of arrival does not matter for what is described. */
export function applyEntry(
  facts: SessionFacts,
  entry: { readonly id: EntryId; readonly at: Date; readonly content: EntryContent },
): SessionFacts {
  const { content } = entry;
  const stamp = { atMs: entry.at.getTime(), by: entry.id };
  const moved = { ...facts, updatedMs: Math.max(facts.updatedMs, stamp.atMs) };
  switch (content.kind) {
    case "message":
      return {
        ...moved,
        messages: facts.messages + 1,
        opening: facts.opening ?? (content.role === "user" ? makeOpening(messageText(content)) : null),
        status: latest(facts.status, { value: "open", stamp }),
      };
    case "event":
      return { ...moved, ...describedBy(facts, content.event, content.data, stamp) };
    case "summary":
    case "round":
    case "checkpoint":
    case "other":
      return moved;
  }
}

function describedBy(
  facts: SessionFacts,
  event: string,
  data: { readonly [key: string]: unknown },
  stamp: Stamp,
): Partial<SessionFacts> {
  if (event === "titled" && typeof data.title === "string") {
    return { title: latest(facts.title, { value: cleanTitle(data.title), stamp }) };
  }
  if (event === "tagged" && isTextList(data.tags)) {
    return { tags: latest(facts.tags, { value: data.tags, stamp }) };
  }
  const status = statusEvents.get(event);
  return status === undefined ? {} : { status: latest(facts.status, { value: status, stamp }) };
}

function latest<Value>(one: Stamped<Value>, other: Stamped<Value>): Stamped<Value> {
  const isLater =
    other.stamp.atMs === one.stamp.atMs ? other.stamp.by > one.stamp.by : other.stamp.atMs > one.stamp.atMs;
  return isLater ? other : one;
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Returns a title on one line, at most 200 characters, that any engine can store; null when nothing is left. */
export function cleanTitle(text: string): string | null {
  return firstOf(text, titleLength);
}

function makeOpening(text: string): string | null {
  return firstOf(text, openingLength);
}

/** Returns the first characters on one line, or null when there are none. NUL is no character for PostgreSQL. */
function firstOf(text: string, length: number): string | null {
  const line = text.slice(0, 4000).toWellFormed().replaceAll("\0", "\ufffd").replace(/\s+/g, " ").trim();
  return line === "" ? null : [...line].slice(0, length).join("").trimEnd();
}
