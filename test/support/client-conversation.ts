import type { MessageContent, NewEntry, SummaryContent } from "../../src/sessions/entry.ts";
import { type EntryId, mainStrand } from "../../src/sessions/ids.ts";

type Spoken = NewEntry & (MessageContent | SummaryContent);

/** What a model is given: the path to a leaf, with what a compaction kept and all results of parallel tools. */
export function conversationOf(entries: readonly NewEntry[], leaf: EntryId | null): readonly Spoken[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path = withKept(pathTo(byId, leaf), byId);
  const revisions = new Map(
    entries.flatMap((entry) =>
      entry.kind === "message" && entry.replaces !== undefined ? [[entry.replaces, entry] as const] : [],
    ),
  );
  return withSiblings(path, entries)
    .map((entry) => revisions.get(originOf(entry)) ?? entry)
    .filter(isSpoken);
}

/** Returns where the conversation stands; a row that came again did not move it. */
export function leafOf(entries: readonly NewEntry[], strand = mainStrand): EntryId | null {
  const talk = entries.filter((entry) => (entry.strand ?? mainStrand) === strand);
  return talk.findLast((entry) => originOf(entry) === entry.id)?.id ?? null;
}

function originOf(entry: NewEntry): EntryId {
  return entry.kind === "message" && entry.replaces !== undefined ? entry.replaces : entry.id;
}

function isSpoken(entry: NewEntry): entry is Spoken {
  return entry.kind === "message" || (entry.kind === "summary" && entry.text !== "");
}

function pathTo(byId: ReadonlyMap<EntryId, NewEntry>, leaf: EntryId | null): NewEntry[] {
  const path: NewEntry[] = [];
  let at = leaf === null ? undefined : byId.get(leaf);
  for (; at !== undefined; at = byId.get((at.parent ?? "") as EntryId)) path.unshift(at);
  return path;
}

function withKept(path: readonly NewEntry[], byId: ReadonlyMap<EntryId, NewEntry>): readonly NewEntry[] {
  return path.flatMap((entry) =>
    entry.kind === "summary" ? [entry, ...(entry.kept ?? []).flatMap((id) => byId.get(id) ?? [])] : [entry],
  );
}

/** The rows of one message, and the results of its tools, may have several ends; only one of them is on the path. */
function withSiblings(path: readonly NewEntry[], entries: readonly NewEntry[]): readonly NewEntry[] {
  const given = new Set(path.map((entry) => entry.id));
  return path.flatMap((entry, index) => {
    const id = messageOf(entry);
    const isLast = id !== undefined && !path.slice(index + 1).some((each) => messageOf(each) === id);
    if (!isLast) return [entry];
    const rows = entries.filter((each) => messageOf(each) === id);
    const calls = new Set(rows.flatMap((row) => callsOf(row, "tool-call")));
    const results = entries.filter((each) => callsOf(each, "tool-result").some((call) => calls.has(call)));
    const missing = [...rows, ...results].filter((each) => !given.has(each.id));
    for (const each of missing) given.add(each.id);
    return [entry, ...missing];
  });
}

function messageOf(entry: NewEntry): string | undefined {
  return entry.kind === "message" && entry.replaces === undefined ? entry.clientMessageId : undefined;
}

function callsOf(entry: NewEntry, type: "tool-call" | "tool-result"): readonly string[] {
  if (entry.kind !== "message") return [];
  return entry.parts.flatMap((part) => (part.type === type ? [part.call] : []));
}
