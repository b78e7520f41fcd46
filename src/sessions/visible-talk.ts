import { chatEvents, type Entry, type Message } from "./entry.ts";
import type { EntryId } from "./ids.ts";
import { isMergedId } from "./merged-id.ts";

/** Tells whether an entry begins a new stretch. What a merge has brought is part of the stretch that it came to. */
export function isReset(entry: Entry): boolean {
  return entry.kind === "event" && entry.event === chatEvents.reset && !isMergedId(entry.id);
}

/** Tells whether an entry is a summary of what comes before it here; one that a merge has brought was made elsewhere. */
export function isOwnSummary(entry: Entry): entry is Summary {
  return entry.kind === "summary" && !isMergedId(entry.id);
}

type Summary = Extract<Entry, { kind: "summary" }>;

/** Returns the entries after the last reset. */
export function afterReset(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(entries.findLastIndex(isReset) + 1);
}

/** What a model is to know of a stretch: a summary, and what stays word for word. */
export interface VisibleTalk {
  readonly summary: string | undefined;
  readonly messages: readonly Message[];
}

/**
 * Returns what a model sees of the entries of a stretch, in their order.
 *
 * The last summary replaces all that it stands for, but for what it keeps. A message that a client recorded again counts
 * in its last form only.
 */
export function visibleTalk(entries: readonly Entry[]): VisibleTalk {
  const place = entries.findLastIndex(isOwnSummary);
  const summary = entries[place];
  const replaced = new Set(
    entries.flatMap((entry) => (entry.kind === "message" && entry.replaces ? [entry.replaces] : [])),
  );
  const isSeen = (entry: Entry): entry is Message => entry.kind === "message" && !replaced.has(entry.id);
  if (summary?.kind !== "summary") return { summary: undefined, messages: entries.filter(isSeen) };
  const end = entries.findIndex(({ id }) => id === summary.replaces);
  const kept: ReadonlySet<EntryId> = new Set(summary.kept);
  const from = end === -1 || end > place ? place : end;
  const stays = entries.filter((entry, index) => index > from || kept.has(entry.id));
  return { summary: summary.text, messages: stays.filter(isSeen) };
}
