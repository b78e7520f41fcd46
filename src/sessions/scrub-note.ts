import { parseIfJson } from "../lib/json.ts";
import type { NewEntry } from "./entry.ts";
import { type EntryId, isName } from "./ids.ts";

/** An entry whose body was replaced, and the SHA-256 of what stands there now, in hex. */
export interface ScrubbedEntry {
  readonly id: EntryId;
  readonly hash: string;
}

/** The name of the event that notes replaced bodies. */
export const scrubbedEvent = "scrubbed";

/** Makes the entry by which a session says that bodies of its entries were replaced, so that its chain covers them again. */
export function scrubbed(id: EntryId, at: Date, entries: readonly ScrubbedEntry[]): NewEntry {
  return {
    id,
    at,
    kind: "event",
    event: scrubbedEvent,
    data: { entries: entries.map(({ id: entry, hash }) => ({ id: entry, hash })) },
  };
}

/** Returns what the stored text of an event says of replaced bodies: nothing, unless it is a note of the form that we write. */
export function readScrubNote(text: string): readonly ScrubbedEntry[] {
  if (!text.startsWith(noteStart)) return [];
  // Whatever it is that is no JSON, it is no note.
  const body = parseIfJson(text);
  return isScrubNote(body) ? body.data.entries : [];
}

const noteStart = JSON.stringify({ event: scrubbedEvent }).slice(0, -1);

interface ScrubNote {
  readonly event: typeof scrubbedEvent;
  readonly data: { readonly entries: readonly ScrubbedEntry[] };
}

/** Tells whether the body of an entry is a note, and holds nothing else. */
export function isScrubNote(body: unknown): body is ScrubNote {
  if (!hasOnly(body, ["event", "data"]) || body.event !== scrubbedEvent) return false;
  const { data } = body;
  return hasOnly(data, ["entries"]) && Array.isArray(data.entries) && data.entries.every(isScrubbedEntry);
}

function isScrubbedEntry(item: unknown): item is ScrubbedEntry {
  return hasOnly(item, ["id", "hash"]) && isText(item.id, isName) && isText(item.hash, isHash);
}

function isText(value: unknown, hasForm: (text: string) => boolean): boolean {
  return typeof value === "string" && hasForm(value);
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function hasOnly(value: unknown, keys: readonly string[]): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.keys(value).join() === keys.join();
}
