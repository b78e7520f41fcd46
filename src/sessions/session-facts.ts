import { chainHash, sha256 } from "./chain.ts";
import { isCorrection } from "./describing-events.ts";
import { type EntryContent, type MessageContent, messageText, type NewEntry } from "./entry.ts";
import { type EntryId, mainStrand, parseEntryId, parseStrand, type Strand } from "./ids.ts";
import type { Observation } from "./observations.ts";
import { scrubbedEvent } from "./scrub-note.ts";
import type { SessionStatus } from "./session.ts";
import { toHeadline, typedText } from "./user-words.ts";

/** When something was said of a session, and by which entry: the greatest wins, so that replicas agree. */
interface Stamp {
  readonly atMs: number;
  readonly by: string;
}

interface Stamped<Value> {
  readonly value: Value;
  readonly stamp: Stamp;
}

export interface TagFact {
  readonly tag: string;
  readonly isSet: boolean;
  readonly stamp: Stamp;
}

/** What the entries of a session say about the session itself. */
export interface SessionFacts {
  readonly title: Stamped<string | null>;
  /** Every tag that was ever set or removed; each has a stamp of its own, so that two who tag at once do not undo each other. */
  readonly tags: readonly TagFact[];
  readonly status: Stamped<SessionStatus>;
  /** The beginning of the first prompt, which a hook may have seen before it was written: the title of a session that nobody named. */
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
    tags: [],
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
        opening: facts.opening ?? openingOf(content),
        status: latest(facts.status, { value: "open", stamp }),
      };
    case "event":
      // Replaced bodies and remarks about a digest are no work in the session: `latest` stays the one that was worked in.
      if (content.event === scrubbedEvent || isCorrection(content.event)) return facts;
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
  if (event === "tagged") return { tags: mergeTags(facts.tags, data, stamp) };
  if (event === ("prompt-seen" satisfies Observation) && typeof data.prompt === "string")
    return { opening: facts.opening ?? makeOpening(toHeadline(typedText(data.prompt))) };
  const status = statusEvents.get(event);
  return status === undefined ? {} : { status: latest(facts.status, { value: status, stamp }) };
}

function latest<Value>(one: Stamped<Value>, other: Stamped<Value>): Stamped<Value> {
  return isLater(other.stamp, one.stamp) ? other : one;
}

function isLater(one: Stamp, other: Stamp): boolean {
  return one.atMs === other.atMs ? one.by > other.by : one.atMs > other.atMs;
}

/** Returns the tags after an event that adds some and removes others; what is no tag does not count. */
function mergeTags(
  tags: readonly TagFact[],
  data: { readonly [key: string]: unknown },
  stamp: Stamp,
): readonly TagFact[] {
  const told = [
    ...listTags(data.add).map((tag) => ({ tag, isSet: true, stamp })),
    ...listTags(data.remove).map((tag) => ({ tag, isSet: false, stamp })),
  ];
  const merged = new Map(tags.map((fact) => [fact.tag, fact]));
  for (const fact of told) {
    const known = merged.get(fact.tag);
    if (known === undefined || isLater(fact.stamp, known.stamp)) merged.set(fact.tag, fact);
  }
  return told.length === 0 ? tags : [...merged.values()].sort((one, other) => (one.tag < other.tag ? -1 : 1));
}

function listTags(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string" && isTag(each)) : [];
}

const tagForm = /^[\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,63}$/u;

/** Tells whether a text is one word of at most 64 letters, digits and `_ . : / -`. */
export function isTag(text: string): boolean {
  return tagForm.test(text);
}

/** Returns a title on one line, at most 200 characters, that any engine can store; null when nothing is left. */
export function cleanTitle(text: string): string | null {
  return firstOf(text, titleLength);
}

/** Returns the opening that a message gives a session: what the user typed, and not what was said in the user's name. */
function openingOf(message: MessageContent): string | null {
  return message.role === "user" && message.echo !== true
    ? makeOpening(toHeadline(typedText(messageText(message))))
    : null;
}

/** Returns the opening that 0.1.0 made of the first text in the user's name, whoever said it. */
export function plainOpening(content: EntryContent): string | null {
  if (content.kind === "message") return content.role === "user" ? makeOpening(messageText(content)) : null;
  if (content.kind !== "event" || content.event !== ("prompt-seen" satisfies Observation)) return null;
  return typeof content.data.prompt === "string" ? makeOpening(content.data.prompt) : null;
}

function makeOpening(text: string): string | null {
  return firstOf(text, openingLength);
}

/** Returns the first characters on one line, or null when there are none. NUL is no character for PostgreSQL. */
function firstOf(text: string, length: number): string | null {
  const line = text.slice(0, 4000).toWellFormed().replaceAll("\0", "\ufffd").replace(/\s+/g, " ").trim();
  return line === "" ? null : [...line].slice(0, length).join("").trimEnd();
}

/** An entry in the form in which it is stored. */
interface EncodedEntry {
  readonly parent: EntryId | null;
  readonly kind: string;
  readonly atMs: number;
  /** What it may say, and the text of that. */
  readonly content: EntryContent;
  readonly body: string;
  /** The text of what it said before secrets were taken out. */
  readonly given: string;
}

/** What an entry is known by in its session, and what it makes of the session. */
interface LinkedToChain {
  readonly id: EntryId;
  readonly strand: Strand;
  readonly bodyHash: string;
  readonly givenHash: string;
  readonly hash: string;
  readonly facts: SessionFacts;
}

/** Adds an entry to the chain and the facts of a session. Throws `InvalidId` for an id or strand of another form. */
export function linkEntry(
  before: { readonly hash: string; readonly facts: SessionFacts },
  entry: NewEntry,
  { parent, kind, atMs, content, body, given }: EncodedEntry,
): LinkedToChain {
  const id = parseEntryId(entry.id);
  const strand = parseStrand(entry.strand ?? mainStrand);
  const bodyHash = sha256(body);
  return {
    ...{ id, strand, bodyHash },
    givenHash: given === body ? bodyHash : sha256(given),
    hash: chainHash(before.hash, { id, parent, strand, kind, atMs, bodyHash }),
    facts: applyEntry(before.facts, { id, at: entry.at, content }),
  };
}
