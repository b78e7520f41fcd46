import { describingEvents, isCorrection } from "./describing-events.ts";
import type { Entry, EntryContent, EventContent, JsonObject, NewEntry } from "./entry.ts";
import { type EntryId, mainStrand } from "./ids.ts";
import { mergedId, noteIds } from "./merged-id.ts";
import { observationIn } from "./observations.ts";

/** The events by which a merge says where its block begins and ends. */
export const mergingEvent = "merging";
export const mergedEvent = "merged";

/** What the name of an event of another session begins with that would otherwise describe the session it came to. */
export const broughtPrefix = "merged-";

/** What a block is made of. */
export interface BlockFacts {
  /** The entries to bring, in their order. */
  readonly part: readonly Entry[];
  /** What makes this merge different from every other: where the entries come from, and up to where. */
  readonly key: string;
  readonly now: Date;
  /** What the first entry of the block says. */
  readonly data: JsonObject;
}

/**
 * Makes the entries of a merge: one that says where they come from, the entries themselves, one that says where they end.
 *
 * Each keeps its time, its strand and what it says. It follows the one that it followed before where that came along; the
 * others follow the beginning of the block, so that the conversation goes through both sessions.
 */
export function makeBlock({ part, key, now, data }: BlockFacts): readonly NewEntry[] {
  const ids = noteIds(key);
  const brought = new Map(part.map((entry) => [entry.id, mergedId(entry)]));
  const entries = part.map((entry): NewEntry => {
    const parent = parentIn(entry, brought, ids.begin);
    return {
      ...toContent(entry, brought),
      ...{ id: mergedId(entry), at: entry.at, strand: entry.strand },
      ...(parent === undefined ? {} : { parent }),
    };
  });
  const end: EventContent = {
    kind: "event",
    event: mergedEvent,
    data: { block: ids.begin, entries: part.length },
  };
  return [
    { kind: "event", event: mergingEvent, data, id: ids.begin, at: now },
    ...entries,
    { ...end, id: ids.end, at: now },
  ];
}

type Brought = ReadonlyMap<EntryId, EntryId>;

/** On other strands, what follows nothing that came along goes on where the strand is. */
function parentIn({ parent, strand }: Entry, brought: Brought, begin: EntryId): EntryId | undefined {
  const known = parent === null ? undefined : brought.get(parent);
  return known ?? (strand === mainStrand ? begin : undefined);
}

/** Returns what an entry says. Where it names entries that came along, it names them as they are called here. */
function toContent(entry: Entry, brought: Brought): EntryContent {
  const {
    id: _id,
    session: _session,
    seq: _seq,
    parent: _parent,
    strand: _strand,
    at: _at,
    ...content
  } = entry;
  const here = (id: EntryId) => brought.get(id) ?? id;
  switch (content.kind) {
    case "message":
      return content.replaces === undefined ? content : { ...content, replaces: here(content.replaces) };
    case "summary": {
      const { replaces, kept } = content;
      const names = { replaces: replaces === null ? null : here(replaces) };
      return { ...content, ...names, ...(kept === undefined ? {} : { kept: kept.map(here) }) };
    }
    case "event":
      return toEvent(content, observationIn(entry), here);
    case "round":
    case "checkpoint":
    case "other":
      return content;
  }
}

function toEvent(
  content: EventContent,
  observation: string | undefined,
  here: (id: EntryId) => EntryId,
): EventContent {
  if (observation !== undefined)
    return { ...content, data: { ...content.data, entry: here(observation as EntryId) } };
  // What was corrected comes along, and so do the corrections.
  return describingEvents.has(content.event) && !isCorrection(content.event)
    ? { ...content, event: `${broughtPrefix}${content.event}` }
    : content;
}
