import { findCopies, leaveOutCopies } from "../../clients/claude-code/copied-rows.ts";
import type { Link } from "../../clients/claude-code/links.ts";
import {
  type FileFacts,
  isReadByOlder,
  isReadThrough,
  readTranscript,
  type TranscriptBatch,
  type TranscriptPosition,
} from "../../clients/claude-code/read-transcript.ts";
import { type Absorbed, absorb, tellQueued } from "../../clients/claude-code/to-entries.ts";
import { startTranscript, type TranscriptState } from "../../clients/claude-code/transcript-state.ts";
import type { Row } from "../../clients/claude-code/wire.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import type { Bookmark, Source } from "../../sessions/ingestion.ts";
import { found } from "../../sessions/observations.ts";
import type { NewSession } from "../../sessions/session.ts";
import type { SyncTally } from "../sync-report.ts";
import { adoptOrphans } from "./adopt-orphans.ts";
import { findOrigin } from "./find-origin.ts";
import { openHiding } from "./hide-private.ts";
import { type HookNotes, readHookNotes } from "./hook-notes.ts";
import { isWriting } from "./is-writing.ts";
import { isBesides, isMarked, leaveOutHeld, leaveOutTitle } from "./leave-out-held.ts";
import { leaveOutSeen } from "./queued-and-seen.ts";
import { forkSession, isKnown, toStart } from "./start-session.ts";
import { makeStop } from "./stop-entry.ts";
import type { SyncSite } from "./sync-site.ts";

/** A transcript of a session, or of one of its subagents. */
export interface Transcript {
  readonly path: string;
  readonly session: SessionId;
  readonly agent: string | null;
  /** Whether Carryon wrote its beginning: what the session has of it is no news. */
  readonly isGiven: boolean;
  readonly file: FileFacts;
  /** When the client last wrote to it. */
  readonly writtenAt: Date;
  /** What hooks have told of the session and was not looked at yet; undefined when they have told nothing. */
  readonly told: ReadonlySet<Link> | undefined;
}

/** How often somebody else may be faster before we leave it to them. */
const attempts = 5;

/** Takes what is new in a transcript into the log. */
export async function ingestTranscript(
  site: SyncSite,
  transcript: Transcript,
  tally: SyncTally,
): Promise<void> {
  const source: Source = { client: "claude-code", path: transcript.path };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const bookmark = await site.ingestion.find(source);
    if (bookmark !== undefined && isUntouched(transcript, bookmark)) return;
    if ((await new Reading(site, transcript, tally, bookmark).readOn()) !== "overtaken") return;
  }
}

/** A session that hooks told of may have been written to since its file was looked at. */
function isUntouched(transcript: Transcript, bookmark: Bookmark): boolean {
  const { told, file } = transcript;
  return (
    told === undefined && isReadThrough(positionOf(bookmark), file) && !isReadAgain(transcript, bookmark)
  );
}

/** Of subagents no more is recorded than before. */
function isReadAgain({ agent }: Transcript, bookmark: Bookmark): boolean {
  return agent === null && isReadByOlder(positionOf(bookmark));
}

function positionOf(bookmark: Bookmark): TranscriptPosition {
  return JSON.parse(bookmark.position);
}

/** What became of a batch: it is in the store, waits for the next one, or is left to somebody else or altogether. */
type Fate = "stored" | "waits" | "overtaken" | "gone";

/** One way through what is new in a transcript. */
class Reading {
  readonly #site: SyncSite;
  readonly #transcript: Transcript;
  readonly #tally: SyncTally;
  readonly #bookmark: Bookmark | undefined;
  /** Whether it is read a second time, for what an older version did not record. */
  readonly #isAgain: boolean;
  #revision: number;
  #isStarted: boolean;
  #state: TranscriptState | undefined;
  #origin: SessionId | undefined;
  #shared: EntryId | undefined;
  #notes: HookNotes | undefined;

  constructor(site: SyncSite, transcript: Transcript, tally: SyncTally, bookmark: Bookmark | undefined) {
    this.#site = site;
    this.#transcript = transcript;
    this.#tally = tally;
    this.#bookmark = bookmark;
    this.#revision = bookmark?.revision ?? 0;
    this.#isStarted = bookmark !== undefined;
    this.#isAgain = bookmark !== undefined && isReadAgain(transcript, bookmark);
  }

  async readOn(): Promise<Fate | undefined> {
    this.#isStarted ||= await isKnown(this.#site, this.#transcript.session);
    const from = this.#isAgain || this.#bookmark === undefined ? undefined : positionOf(this.#bookmark);
    let fate: Fate | undefined;
    let last: { readonly batch: TranscriptBatch; readonly absorbed: Absorbed } | undefined;
    const hide = openHiding(this.#site.privacy, this.#transcript);
    for await (const read of readTranscript(this.#transcript.path, from)) {
      const batch = { ...read, rows: hide(read) };
      const absorbed = await this.#absorb(batch);
      if (this.#isEarly(batch, absorbed)) return undefined;
      last = { batch, absorbed };
      fate = await this.#take(batch, absorbed);
      if (fate === "overtaken" || fate === "gone") return fate;
    }
    // A fork that has nothing of its own yet is a session all the same, unless the client may still be copying.
    if (fate === "waits" && last !== undefined && this.#shared !== undefined && !this.#isCopying())
      fate = await this.#store(last.batch, { ...last.absorbed, entries: [] });
    if (fate === "stored") this.#tally.changed += 1;
    return fate;
  }

  async #absorb(batch: TranscriptBatch): Promise<Absorbed> {
    const rows = await this.#redact(batch.rows);
    const before = batch.isStart ? this.#begin() : await this.#goOn();
    const read = this.#withQueued(batch, this.#keepTold(before, absorb(before, rows)));
    const { ingestion } = this.#site;
    const absorbed = this.#isStarted ? await adoptOrphans(ingestion, this.#transcript, read) : read;
    const { facts } = absorbed.state;
    if (!this.#isStarted && this.#transcript.agent === null)
      this.#origin ??= await findOrigin(ingestion, this.#transcript.session, facts, absorbed.entries);
    const own = await this.#leaveOutShared(absorbed, batch.rows);
    const kept = this.#isStarted ? await this.#leaveOutKnown(own) : own;
    this.#state = kept.state;
    return kept;
  }

  /** What waits at the end of a transcript is recorded, unless it cannot be told yet to which session it belongs. */
  #withQueued({ isEnd }: TranscriptBatch, read: Absorbed): Absorbed {
    const isPlaced = this.#isStarted || (read.state.facts.cwd !== null && !this.#isCopying());
    return isEnd && isPlaced ? tellQueued(read) : read;
  }

  /** Leaves out what we wrote, and what an older version has recorded: all that is read again, and what it did not mark. */
  async #leaveOutKnown(absorbed: Absorbed): Promise<Absorbed> {
    const { session, isGiven } = this.#transcript;
    const isMeant = this.#isAgain || isGiven ? () => true : isMarked;
    const read = isGiven ? await leaveOutTitle(this.#site.log, session, absorbed) : absorbed;
    const { known, rest } = await leaveOutHeld(this.#site.ingestion, session, read, isMeant);
    this.#tally.known += known;
    return rest;
  }

  /** The parent of a row cannot be told later, so that one which may be about to come is waited for. */
  #isEarly({ isEnd }: TranscriptBatch, { notes, state }: Absorbed): boolean {
    const updatedAt = new Date(state.facts.updatedAt ?? 0);
    const isOrphaned = isEnd && notes.some(({ type }) => type === "orphan");
    return isOrphaned && isWriting(this.#site, this.#transcript.session, updatedAt);
  }

  #isCopying(): boolean {
    return isWriting(this.#site, this.#transcript.session, this.#transcript.writtenAt);
  }

  /** Remembers what hooks have told until that is looked at, although a long turn has newer rows. */
  #keepTold(before: TranscriptState, read: Absorbed): Absorbed {
    const { told = new Set() } = this.#transcript;
    const links = [...before.links, ...read.links].filter((link) => told.has(link));
    if (links.length === 0) return read;
    return { ...read, state: { ...read.state, links: [...new Set([...links, ...read.state.links])] } };
  }

  #begin(): TranscriptState {
    return startTranscript(this.#transcript.session, this.#transcript.agent);
  }

  async #goOn(): Promise<TranscriptState> {
    if (this.#state !== undefined) return this.#state;
    return this.#bookmark === undefined ? this.#begin() : JSON.parse(await this.#bookmark.state());
  }

  /** What is kept of titles, tags and the last prompt comes from rows of state, and is stored with where we are. */
  async #redact(rows: readonly Row[]): Promise<readonly Row[]> {
    const redact = async (row: Row) =>
      row.family === "state" ? { ...row, fields: await this.#site.ingestion.redact(row.fields) } : row;
    return rows.some(({ family }) => family === "state") ? Promise.all(rows.map(redact)) : rows;
  }

  /** Leaves out what the session shares with its origin, under the same ids or under new ones. */
  async #leaveOutShared(absorbed: Absorbed, rows: readonly Row[]): Promise<Absorbed> {
    const { ingestion } = this.#site;
    const holder = this.#isStarted ? this.#transcript.session : this.#origin;
    if (holder === undefined) return absorbed;
    const copies = findCopies(rows);
    const originals = new Set(await ingestion.held(holder, [...copies.values()]));
    const kept = leaveOutCopies(
      absorbed,
      new Map([...copies].filter(([, original]) => originals.has(original))),
    );
    if (this.#isStarted) return kept;
    const held = await ingestion.held(
      holder,
      kept.entries.map(({ id }) => id),
    );
    const known = new Set(held);
    const own = kept.entries.findIndex((entry) => !known.has(entry.id) && !isBesides(entry));
    const copied = kept.entries.slice(0, own === -1 ? undefined : own);
    const run = new Set(copied.flatMap(({ id }) => (known.has(id) ? [id] : [])));
    const shared = [...run, ...originals, ...(this.#shared === undefined ? [] : [this.#shared])];
    this.#shared = (await ingestion.held(holder, shared)).at(-1);
    return { ...kept, entries: kept.entries.filter(({ id }) => !run.has(id)) };
  }

  async #take(batch: TranscriptBatch, absorbed: Absorbed): Promise<Fate> {
    const waits = !this.#isStarted && absorbed.entries.length === 0;
    const fate = waits ? "waits" : await this.#store(batch, absorbed);
    if (fate === "stored" || fate === "waits") this.#note(batch, absorbed);
    return fate;
  }

  async #store({ position, isEnd }: TranscriptBatch, { entries, state, links }: Absorbed): Promise<Fate> {
    const { session, path } = this.#transcript;
    const { ingestion } = this.#site;
    const start = this.#isStarted ? undefined : await this.#start(state, entries[0]?.at);
    const own = start === undefined ? await leaveOutSeen(this.#site.log, session, entries) : entries;
    // Where nothing is new, whoever settles the session knows better when it was.
    const isLast = isEnd && entries.length > 0;
    const told = await ingestion.store({
      ...{ source: { client: "claude-code", path }, session, start, after: this.#revision },
      isRepeatable: true,
      entries: [...own, ...(await this.#remark(isLast, state, links))],
      position: JSON.stringify(position),
      state: JSON.stringify(await this.#withoutSecrets(state)),
      leading: this.#transcript.agent === null ? (state.facts.leading[0] ?? null) : null,
    });
    if (told.type !== "stored") return told.type;
    if (!this.#isStarted) this.#tally.sessions += 1;
    this.#isStarted = true;
    this.#revision = told.revision;
    this.#tally.added += told.added;
    this.#tally.known += told.known;
    for (const entry of told.differing) this.#tally.revised.push({ session, entry, kept: "first" });
    return "stored";
  }

  /** Says which of the things that hooks saw are in the transcript now, and how a session ended that is over. */
  async #remark(isLast: boolean, { facts }: TranscriptState, links: readonly Link[]): Promise<NewEntry[]> {
    const { session, agent, told } = this.#transcript;
    this.#notes ??= (await readHookNotes(this.#site.ingestion, session)).notes;
    const updatedAt = new Date(facts.updatedAt ?? 0);
    const read = new Set(links);
    const remarks = this.#notes.outstanding
      .filter(([link]) => read.has(link))
      .map(([, entry]) => found(entry, updatedAt));
    // A hook that was not heard yet may know better.
    if (!isLast || told !== undefined || agent !== null || this.#notes.last?.event === "SessionEnd")
      return remarks;
    const stop = makeStop(this.#site, { session, updatedAt, turn: facts.turn, notes: this.#notes });
    return stop === undefined ? remarks : [...remarks, stop];
  }

  /** Titles, tags and the last prompt were redacted as rows. */
  async #withoutSecrets(state: TranscriptState): Promise<TranscriptState> {
    const { cwd, branch } = state.facts;
    return { ...state, facts: { ...state.facts, ...(await this.#site.ingestion.redact({ cwd, branch })) } };
  }

  /** Makes a fork, which shares what its origin has; any other session is returned, to be made with its first entries. */
  async #start(
    { facts }: TranscriptState,
    at = new Date(facts.updatedAt ?? 0),
  ): Promise<NewSession | undefined> {
    const { session } = this.#transcript;
    if (this.#origin === undefined || this.#shared === undefined) return toStart(this.#site, session, facts);
    await forkSession(this.#site, session, facts, { session: this.#origin, entry: this.#shared, at });
    this.#tally.forks += 1;
    return undefined;
  }

  #note({ rejected }: TranscriptBatch, { notes }: Absorbed): void {
    const { session, path } = this.#transcript;
    for (const { line, reason } of rejected) this.#tally.rejected.push({ path, line, reason });
    for (const note of notes) {
      if (note.type === "unknown") this.#tally.countUnknown(note.row);
      else if (note.type === "revised")
        this.#tally.revised.push({ session, entry: note.entry, kept: "both" });
      else this.#tally.orphans.push({ session, entry: note.entry, parent: note.parent });
    }
  }
}
