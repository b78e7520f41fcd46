import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import { observationIn } from "../../sessions/observations.ts";
import type { Dialect, SqlRunner } from "../sql-driver.ts";
import { textsOf, titleTexts } from "./entry-texts.ts";
import { type Indexed, toDocuments, unlessBad } from "./index-entries.ts";
import { type Behind, type EntryPlace, readBefore, readNext } from "./read-behind.ts";
import type { ToolNames } from "./tool-names.ts";

/** What one transaction adds to the index. */
export interface Batch {
  readonly indexed: Indexed[];
  /** What hooks saw and the transcript has by now: it is not found twice. */
  readonly over: EntryPlace[];
  /** How far each session was indexed, and will be. */
  readonly steps: Step[];
  /** How many entries were read. */
  entries: number;
  /** How many characters those that are indexed have. */
  characters: number;
}

interface Step {
  readonly sessionKey: number;
  readonly from: number | null;
  readonly upTo: number;
  readonly title: string | null;
}

/** Enough to be fast, few enough that nobody waits long for the store. */
const mostEntries = 8192;
const mostCharacters = 4_000_000;
const atOnce = 256;

/** From where entries are read, and the engine for which terms are made of them. */
interface Source {
  readonly log: SqlRunner;
  readonly dialect: Dialect;
}

/** Reads what is next and makes terms of it. This takes most of the time, and nobody has to wait for it. */
export async function prepareBatch(
  source: Source,
  sessions: readonly Behind[],
  tools: ToolNames,
): Promise<Batch> {
  const batch: Batch = { indexed: [], over: [], steps: [], entries: 0, characters: 0 };
  for (const session of sessions) if (!isFull(batch)) await addSession(batch, source, session, tools);
  return batch;
}

function isFull({ entries, characters }: Batch): boolean {
  return entries >= mostEntries || characters >= mostCharacters;
}

async function addSession(batch: Batch, source: Source, session: Behind, tools: ToolNames): Promise<void> {
  batch.indexed.push(...titleOf(source, session));
  const { sessionKey, upTo: from, baseSeq, headSeq, isRecord } = session;
  let upTo = isRecord ? headSeq : (from ?? baseSeq);
  while (upTo < headSeq && !isFull(batch)) {
    const next = await readNext(source.log, session, upTo, atOnce);
    const { over, indexed } = await indexAll(source, session, next.entries, tools);
    batch.over.push(...over);
    batch.indexed.push(...indexed);
    batch.entries += next.entries.length;
    for (const { documents } of indexed) batch.characters += documents?.length ?? 0;
    upTo = next.upTo;
  }
  batch.steps.push({ sessionKey, from, upTo, title: isRecord ? null : session.title });
}

function titleOf(
  source: Source,
  { sessionKey, title, upTo, startedMs, isRecord }: Behind,
): readonly Indexed[] {
  if (title === null || upTo !== null || isRecord) return [];
  const documents = unlessBad(() => toDocuments(source, sessionKey, titleTexts(title)));
  return [{ sessionKey, seq: 0, atMs: startedMs, tools: null, documents }];
}

async function indexAll(source: Source, session: Behind, entries: readonly Entry[], tools: ToolNames) {
  const isOver = new Set(entries.flatMap((entry) => unlessBad(() => observationIn(entry)) ?? []));
  const over: EntryPlace[] = [];
  for (const id of isOver) over.push(...(await readOver(source.log, session.sessionKey, id)));
  const indexed: Indexed[] = [];
  for (const entry of entries.filter(({ id }) => !isOver.has(id)))
    indexed.push(...(await indexEntry(source, session, entry, tools)));
  return { over, indexed };
}

async function readOver(log: SqlRunner, sessionKey: number, id: string): Promise<readonly EntryPlace[]> {
  const rows = await log.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [sessionKey, id]);
  return rows.map(([seq]) => ({ sessionKey, seq: seq as number }));
}

/** Makes documents of an entry, or says that it must be left out: it stops no other. */
async function indexEntry(
  source: Source,
  session: Behind,
  entry: Entry,
  tools: ToolNames,
): Promise<readonly Indexed[]> {
  const { sessionKey } = session;
  const place = { sessionKey, seq: entry.seq, atMs: entry.at.getTime() };
  try {
    const found = textsOf(entry);
    if (found === undefined) return [];
    const before = () => readBefore(source.log, session, entry.seq - 1, 200);
    const names = await tools.follow(sessionKey, found, before);
    return [{ ...place, tools: names, documents: toDocuments(source, sessionKey, found) }];
  } catch (error) {
    if (error instanceof AppError) throw error;
    return [{ ...place, tools: null, documents: undefined }];
  }
}
