import { chatEvents, type Entry, type Json } from "../sessions/entry.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { isOwnSummary } from "../sessions/visible-talk.ts";

/** Returns the entries since the last summary, or all of them. */
export function sinceSummary(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(entries.findLastIndex(isOwnSummary) + 1);
}

/** Counts the messages among entries. */
export function countMessages(entries: readonly Entry[]): number {
  return entries.reduce((count, { kind }) => count + (kind === "message" ? 1 : 0), 0);
}

/** What a merge has brought tells of the chat that it comes from. */
function isOwnEvent(entry: Entry): entry is Extract<Entry, { kind: "event" }> {
  return entry.kind === "event" && !isMergedId(entry.id);
}

/** Returns the text of a field of an event, where it has one. */
function eventText(entry: Entry, event: string, field: string): string | undefined {
  const value: Json | undefined = isOwnEvent(entry) && entry.event === event ? entry.data[field] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** What the last save of a stretch has kept that is still worth something. */
export interface LeftDraft {
  /** The line that was being typed, unless something was sent since. */
  readonly input: string;
  /** The reply that was coming in, unless a message was recorded since. */
  readonly reply: string;
}

/** Returns what was not yet a message when the process that wrote a stretch ended. */
export function findDraft(entries: readonly Entry[]): LeftDraft {
  const place = entries.findLastIndex((entry) => isOwnEvent(entry) && entry.event === chatEvents.draft);
  const draft = entries[place];
  if (draft === undefined) return { input: "", reply: "" };
  const since = entries.slice(place + 1).filter((entry) => entry.kind === "message");
  const text = (field: string) => eventText(draft, chatEvents.draft, field) ?? "";
  return {
    input: since.some(({ role }) => role === "user") ? "" : text("input"),
    reply: since.length > 0 ? "" : text("reply"),
  };
}

/** Returns the model that a stretch was last talked to with. */
export function findModel(entries: readonly Entry[]): string | undefined {
  for (const entry of entries.toReversed()) {
    const named =
      eventText(entry, chatEvents.started, "model") ??
      eventText(entry, chatEvents.resumed, "model") ??
      eventText(entry, chatEvents.modelChanged, "model");
    if (named !== undefined) return named;
    if (entry.kind === "message" && entry.role === "assistant" && entry.model) return entry.model;
  }
  return undefined;
}

/** Tells whether two names mean one model; other clients leave the provider out. */
export function isSameModel(before: string, now: string): boolean {
  return before === now || (!before.includes("/") && now.endsWith(`/${before}`));
}
