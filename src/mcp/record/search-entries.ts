import type { Entry } from "../../conversation/entry.ts";
import { listPages } from "../../conversation/list-all.ts";
import { readShown } from "../../conversation/observations.ts";
import type { Session } from "../../conversation/session.ts";
import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { badCursor } from "./bad-cursor.ts";
import { describeEntry } from "./describe-entry.ts";
import type { ProjectRecord } from "./read-record.ts";

/** One place where all words stand: an entry, or the title of a session. */
export interface Hit {
  readonly session: Session;
  /** Undefined for a title. */
  readonly entry: Pick<Entry, "seq" | "at"> | undefined;
  /** Some of the text around the first word, on one line. */
  readonly excerpt: string;
}

/** What one look at a part of the record has found. */
export interface Found {
  readonly hits: readonly Hit[];
  /** How many entries were read. */
  readonly read: number;
  /** Where to go on; undefined when all was looked at. */
  readonly next: string | undefined;
  /** The sessions that could not be read. */
  readonly unread: readonly string[];
}

export interface SearchRequest {
  readonly words: readonly string[];
  readonly cursor?: string | undefined;
  /** The most hits. */
  readonly limit: number;
  /** The most entries to read before the answer, so that it does not keep others waiting. */
  readonly most: number;
}

/**
 * Looks for entries in which all words stand, in whatever case, and for titles, in the sessions of a project, those that
 * began last first.
 *
 * What a fork shares with a session of the project is looked at there. When sessions began does not change, so that
 * going on with a cursor leaves nothing out that was there at the first look.
 */
export async function searchEntries(record: ProjectRecord, request: SearchRequest): Promise<Found> {
  const { sessions, damaged } = await listByStart(record);
  const search = new Search(record, request, new Set(sessions.map(({ id }) => id)), damaged);
  const start = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  for (const session of sessions) {
    if (start !== undefined && compare(session, start) < 0) continue;
    const from = start?.id === session.id ? start.seq : 0;
    const next = await search.readSession(session, from);
    if (next !== undefined) return search.result(renderCursor(session, next));
  }
  return search.result(undefined);
}

class Search {
  readonly #record: ProjectRecord;
  readonly #request: SearchRequest;
  readonly #words: readonly string[];
  readonly #known: ReadonlySet<string>;
  readonly #unread: string[];
  readonly #hits: Hit[] = [];
  #read = 0;

  constructor(
    record: ProjectRecord,
    request: SearchRequest,
    known: ReadonlySet<string>,
    unread: readonly string[],
  ) {
    this.#record = record;
    this.#request = request;
    this.#words = request.words.map((word) => word.toLowerCase());
    this.#known = known;
    this.#unread = [...unread];
  }

  /** Reads a session from an entry on; returns the entry to go on with when there was enough. 0 is the title. */
  async readSession(session: Session, from: number): Promise<number | undefined> {
    if (this.#isEnough()) return from;
    if (from === 0) this.#look(session, undefined, session.title);
    try {
      for await (const entry of readShown(this.#record.log, session.id, { from: Math.max(1, from) })) {
        if (this.#isEnough()) return entry.seq;
        const isElsewhere = entry.session !== session.id && this.#known.has(entry.session);
        if (isElsewhere) continue;
        this.#read += 1;
        this.#look(session, entry, describeEntry(entry, { full: true }));
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#unread.push(session.id);
    }
    return undefined;
  }

  result(next: string | undefined): Found {
    return { hits: this.#hits, read: this.#read, next, unread: this.#unread };
  }

  #isEnough(): boolean {
    return this.#hits.length >= this.#request.limit || this.#read >= this.#request.most;
  }

  #look(session: Session, entry: Entry | undefined, text: string): void {
    const lower = text.toLowerCase();
    if (!this.#words.every((word) => lower.includes(word))) return;
    const at = lower.indexOf(this.#words[0] ?? "");
    this.#hits.push({ session, entry, excerpt: excerptOf(text, at) });
  }
}

const around = 160;

function excerptOf(text: string, at: number): string {
  const start = Math.max(0, at - around);
  const part = text.slice(start, at + around).toWellFormed();
  const line = toPrintableLine(part).replace(/ {2,}/g, " ").trim();
  return `${start > 0 ? "…" : ""}${line}${at + around < text.length ? "…" : ""}`;
}

interface Begun {
  readonly id: string;
  readonly startedAt: Date;
}

async function listByStart({ log, project }: ProjectRecord) {
  const sessions: Session[] = [];
  const damaged: string[] = [];
  for await (const page of listPages(log, { project: project.id })) {
    sessions.push(...page.sessions);
    damaged.push(...page.damaged);
  }
  return { sessions: sessions.toSorted(compare), damaged };
}

/** Orders sessions by when they began, the last one first. */
function compare(one: Begun, other: Begun): number {
  const later = other.startedAt.getTime() - one.startedAt.getTime();
  return later === 0 ? Number(one.id > other.id) - Number(one.id < other.id) : later;
}

function renderCursor({ startedAt, id }: Begun, seq: number): string {
  return `${startedAt.getTime()}.${id}.${seq}`;
}

function parseCursor(text: string): { readonly startedAt: Date; readonly id: string; readonly seq: number } {
  const [, time, id, seq] = /^(-?\d{1,15})\.([A-Za-z0-9_-]{1,128})\.(\d{1,10})$/.exec(text) ?? [];
  if (time === undefined || id === undefined) throw badCursor(text);
  return { startedAt: new Date(Number(time)), id, seq: Number(seq) };
}
