import { sha256 } from "../../sessions/chain.ts";
import type { EntryContent, NewEntry } from "../../sessions/entry.ts";
import { type EntryId, mainStrand, type Strand } from "../../sessions/ids.ts";
import { found } from "../../sessions/observations.ts";
import { Announcer } from "./announcer.ts";
import { type CountedUsage, countUsage } from "./count-usage.ts";
import { EchoMarker } from "./echo-marker.ts";
import { inOrder } from "./in-order.ts";
import { KnownRows } from "./known-rows.ts";
import { keepLinks, type Link, linksOf } from "./links.ts";
import { PromptQueue, readTyped, toObservation } from "./prompt-queue.ts";
import { readContent, readSummary } from "./read-content.ts";
import { readTurn } from "./read-turn.ts";
import { noteEntry, noteRow, readLastPrompt, timeOf } from "./session-facts.ts";
import type { Boundary, TranscriptFacts, TranscriptState } from "./transcript-state.ts";
import { type ChainRow, objectOf, type Row, type StateRow, textOf } from "./wire.ts";

/** Something that whoever reads a transcript may want to report. */
type Note =
  /** The parent of a row was never seen, so that its entry follows the row before it, as it does for the client. */
  | { readonly type: "orphan"; readonly entry: EntryId; readonly parent: string }
  /** A row came again with other content. */
  | { readonly type: "revised"; readonly entry: EntryId; readonly replaces: EntryId }
  /** A row of a type that this version does not know, and of which nothing was recorded. */
  | { readonly type: "unknown"; readonly row: string };

export interface Absorbed {
  readonly state: TranscriptState;
  /** In the order of the rows; ids are those of the client, so that reading again adds nothing. */
  readonly entries: readonly NewEntry[];
  readonly notes: readonly Note[];
  /** What the rows are about, in the words of hooks. */
  readonly links: readonly Link[];
}

/**
 * Turns the next rows of a transcript into entries. Pure: the same rows give the same entries, however they are cut
 * into batches, unless a row is cut off from a parent that comes after it.
 */
export function absorb(state: TranscriptState, rows: readonly Row[]): Absorbed {
  const reader = new Reader(state);
  const known = new Set(state.rows.map(([uuid]) => uuid));
  for (const row of inOrder(rows, (uuid) => known.has(uuid))) reader.read(row);
  return reader.finish();
}

/** Returns what was read together with what still waits in the queue, each once: whoever reads on says what came of it. */
export function tellQueued(absorbed: Absorbed): Absorbed {
  const { state, entries } = absorbed;
  const { queue = [] } = state;
  const told = queue.flatMap(toObservation);
  if (told.length === 0) return absorbed;
  const known = queue.map((each) => ({ ...each, text: null }));
  return { ...absorbed, entries: [...entries, ...told], state: { ...state, queue: known } };
}

class Reader {
  readonly #start: TranscriptState;
  readonly #rows: KnownRows;
  readonly #announcer: Announcer;
  readonly #queue: PromptQueue;
  readonly #marker: EchoMarker;
  readonly #entries: NewEntry[] = [];
  readonly #notes: Note[] = [];
  readonly #links: Link[] = [];
  #facts: TranscriptFacts;
  #usage: readonly CountedUsage[];
  #boundary: Boundary | null;
  #tip: string | null;

  constructor(state: TranscriptState) {
    this.#start = state;
    this.#rows = new KnownRows(state.rows);
    this.#announcer = new Announcer(state);
    this.#queue = new PromptQueue(state.queue ?? []);
    this.#marker = new EchoMarker(state.ownCalls ?? []);
    this.#facts = state.facts;
    this.#usage = state.usage;
    this.#boundary = state.boundary;
    this.#tip = state.tip;
  }

  read(row: Row): void {
    switch (row.family) {
      case "chain":
        this.#readChainRow(row);
        this.#announce(undefined);
        break;
      case "state":
        this.#readStateRow(row);
        this.#announce(row.type === "queue-operation" ? undefined : timeOf(row.fields));
        break;
      case "unknown":
        this.#notes.push({ type: "unknown", row: row.type });
        break;
    }
  }

  finish(): Absorbed {
    const { session, agent } = this.#start;
    const { title, tag } = this.#announcer;
    return {
      state: {
        ...{ session, agent, rows: this.#rows.list(), usage: this.#usage },
        ...{ boundary: this.#boundary, tip: this.#tip },
        ...this.#announcer.state,
        links: keepLinks([...this.#start.links, ...this.#links]),
        ...{ queue: this.#queue.queued, ownCalls: this.#marker.calls },
        facts: { ...this.#facts, title, tag, leaf: this.#leaf() },
      },
      entries: this.#entries,
      notes: this.#notes,
      links: this.#links,
    };
  }

  #readStateRow(row: StateRow): void {
    const { type, fields } = row;
    if (type === "queue-operation")
      this.#entries.push(...this.#queue.add(row, this.#leaf()).flatMap(toObservation));
    else if (type === "last-prompt") this.#facts = { ...this.#facts, lastPrompt: readLastPrompt(row) };
    else if (type === "relocated")
      this.#facts = { ...this.#facts, cwd: textOf(fields, "relocatedCwd") ?? this.#facts.cwd };
    else if (type !== "summary" || this.#rows.entryOf(textOf(fields, "leafUuid") ?? "") !== undefined)
      this.#announcer.take(row);
  }

  #readChainRow(row: ChainRow): void {
    this.#facts = noteRow(this.#facts, row);
    const isNew = this.#rows.entryOf(row.uuid) === undefined;
    const strand = strandOf(row, this.#start.agent);
    const parent = this.#parentOf(row);
    const content = this.#contentOf(row);
    this.#links.push(...linksOf(row));
    if (isNew && strand === mainStrand && content !== undefined) this.#settleQueue(row, content);
    if (content !== undefined) this.#record(row, strand, parent, content);
    else if (isNew) this.#rows.stand(row.uuid, parent === undefined ? this.#before(strand) : parent);
    if (content?.kind === "summary") this.#putKeptBehind(row.uuid);
    if (isNew && strand === strandOf(undefined, this.#start.agent)) this.#moveTip(row, content);
  }

  /** A row that says what was typed while the model worked makes the record of the queue superfluous. */
  #settleQueue(row: ChainRow, content: EntryContent): void {
    const typed = readTyped(row, content);
    if (typed === undefined) return;
    const settled = this.#queue.settle(typed);
    const known = settled.found.filter(({ text }) => text === null);
    this.#entries.push(...known.map(({ id }) => found(id, new Date(typed.at))));
    this.#entries.push(...settled.lost.flatMap(toObservation));
  }

  /** The client, too, does not take a row of progress, or of another member of a team, for the end of the talk. */
  #moveTip(row: ChainRow, content: EntryContent | undefined): void {
    const { uuid, type, fields } = row;
    const isEnd = type !== "progress" && textOf(fields, "teamName") === undefined;
    if (!isEnd) return;
    if ((this.#rows.entryOf(uuid) ?? null) !== null) this.#tip = uuid;
    const turn = content === undefined ? undefined : readTurn(row, content);
    if (turn !== undefined) this.#facts = { ...this.#facts, turn };
  }

  /** Returns undefined for a parent that was never seen. */
  #parentOf({ parentUuid }: ChainRow): EntryId | null | undefined {
    return parentUuid === null ? null : this.#rows.entryOf(parentUuid);
  }

  #contentOf(row: ChainRow): EntryContent | undefined {
    const boundary = readBoundary(row, this.#rows);
    if (boundary !== undefined) {
      const { anchored, ...rest } = boundary;
      this.#boundary = rest;
      // A rewind to before a compaction keeps messages without a summary in front of them.
      return anchored ? this.#summarise("") : undefined;
    }
    const text = readSummary(row);
    return text === undefined ? readContent(row) : this.#summarise(text);
  }

  #summarise(text: string): EntryContent {
    const { replaces, kept } = this.#boundary ?? { replaces: this.#leaf(), kept: [] };
    return { kind: "summary", text, replaces, ...(kept.length === 0 ? {} : { kept }) };
  }

  /** What follows something that a compaction kept follows the summary, behind which the client puts it. */
  #putKeptBehind(summary: string): void {
    const { keptRows = [] } = this.#boundary ?? {};
    // In a fork they come only now, and name the summary themselves.
    const known = keptRows.filter((uuid) => this.#rows.entryOf(uuid) !== undefined);
    for (const uuid of known) this.#rows.stand(uuid, this.#rows.entryOf(summary) ?? null);
    this.#boundary = null;
  }

  #record(row: ChainRow, strand: Strand, parent: EntryId | null | undefined, content: EntryContent): void {
    const { uuid } = row;
    const digest = digestOf(content);
    const known = this.#rows.recordOf(uuid, digest);
    if (known === "last") return;
    const id = known === "nothing" ? uuid : nameRevision(uuid, digest, known);
    const at = new Date(this.#facts.updatedAt ?? 0);
    const told = known === "nothing" ? this.#withUsage(row, content) : revise(content, uuid);
    const follows = parent === undefined ? this.#before(strand) : parent;
    const place = strand === mainStrand ? { parent: follows } : { strand, parent: follows };
    this.#entries.push({ ...this.#marker.mark(told), id, at, ...place });
    this.#rows.record(uuid, id, digest);
    if (known !== "nothing") this.#notes.push({ type: "revised", entry: id, replaces: uuid });
    if (parent === undefined) this.#notes.push({ type: "orphan", entry: id, parent: row.parentUuid ?? "" });
    this.#facts = noteEntry(this.#facts, this.#start.session, row, id);
  }

  #withUsage(row: ChainRow, content: EntryContent): EntryContent {
    const { counted, usage } = countUsage(this.#usage, row);
    this.#usage = counted;
    return content.kind !== "message" || usage === undefined ? content : { ...content, usage };
  }

  /** Puts titles and the like where the conversation stands; what comes next there follows them. */
  #announce(told: string | undefined): void {
    const at = told ?? this.#facts.updatedAt;
    const tip = this.#tip;
    if (at === null || tip === null) return;
    for (const { id, event, data } of this.#announcer.flush()) {
      this.#entries.push({ kind: "event", event, data, id, at: new Date(at), parent: this.#leaf() });
      this.#rows.stand(tip, id);
    }
  }

  /** Returns what stands before the next row, where that is of the talk that the file is of. */
  #before(strand: Strand): EntryId | null {
    return strand === strandOf(undefined, this.#start.agent) ? this.#leaf() : null;
  }

  #leaf(): EntryId | null {
    return this.#tip === null ? null : (this.#rows.entryOf(this.#tip) ?? null);
  }
}

/** What a summary stands for is no part of what it says, and may be seen otherwise when it is read again. */
function digestOf(content: EntryContent): string {
  return sha256(content.kind === "summary" ? content.text : JSON.stringify(content)).slice(0, 12);
}

/**
 * Names the entry of a row that came with a content after it had come with another, and so often with this one before.
 *
 * The number is counted in the transcript, so that reading it again from its start gives the same names.
 */
function nameRevision(uuid: string, digest: string, before: number): EntryId {
  const end = before === 0 ? `-${digest}` : `-${digest}-${before + 1}`;
  return `${uuid.slice(0, 128 - end.length)}${end}` as EntryId;
}

/** Returns the strand of a row, or of the transcript when no row is given. */
function strandOf(row: ChainRow | undefined, agent: string | null): Strand {
  const named = row === undefined ? undefined : textOf(row.fields, "agentId");
  const owner = named ?? agent ?? (row?.fields.isSidechain === true ? "unnamed" : undefined);
  if (owner === undefined) return mainStrand;
  return `agent-${owner.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 120)}` as Strand;
}

/** Says in the content itself what it replaces. */
function revise(content: EntryContent, replaces: EntryId): EntryContent {
  switch (content.kind) {
    case "message":
      return { ...content, replaces };
    case "event":
      return { ...content, data: { ...content.data, replaces } };
    case "other":
      return { ...content, raw: { ...content.raw, replaces } };
    case "summary":
    case "round":
    case "checkpoint":
      return content;
  }
}

/** Where the client compacted its conversation. */
interface CompactBoundary {
  readonly replaces: EntryId | null;
  readonly kept: readonly EntryId[];
  /** The rows that were kept, also those of which nothing is recorded. */
  readonly keptRows: readonly string[];
  /** Whether what was kept follows the boundary itself, without a summary. */
  readonly anchored: boolean;
}

/** Reads the row that a compaction begins with, or returns undefined for any other. */
function readBoundary(row: ChainRow, rows: KnownRows): CompactBoundary | undefined {
  const { type, fields, uuid } = row;
  if (type !== "system" || fields.subtype !== "compact_boundary") return undefined;
  const metadata = objectOf(fields, "compactMetadata");
  const messages = objectOf(metadata, "preservedMessages");
  const segment = objectOf(metadata, "preservedSegment");
  const replaces = rows.entryOf(textOf(fields, "logicalParentUuid") ?? "") ?? null;
  const anchor = textOf(messages, "anchorUuid") ?? textOf(segment, "anchorUuid");
  const { uuids } = messages;
  const keptRows = Array.isArray(uuids)
    ? uuids.filter((each) => typeof each === "string")
    : rows.between(textOf(segment, "headUuid") ?? "", textOf(segment, "tailUuid") ?? "");
  return { replaces, kept: rows.own(keptRows), keptRows, anchored: anchor === uuid };
}
