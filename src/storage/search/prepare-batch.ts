import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import { observationIn } from "../../sessions/observations.ts";
import type { Dialect, SqlRunner } from "../sql-driver.ts";
import { textsOf } from "./entry-texts.ts";
import {
  type Documents,
  type Indexed,
  readDocuments,
  titleDocuments,
  toDocuments,
  unlessBad,
} from "./index-entries.ts";
import { type Behind, readBefore, readNext } from "./read-behind.ts";
import type { ToolNames } from "./tool-names.ts";

/** What one transaction adds to the index. */
export interface Batch {
  readonly indexed: readonly Indexed[];
  /** What hooks saw and the transcript has by now, with what the index has of it: it is not found twice. */
  readonly over: readonly {
    readonly sessionKey: number;
    readonly seq: number;
    readonly documents: Documents;
  }[];
  /** How far each session was indexed, and will be. */
  readonly steps: readonly Step[];
  /** How many entries were read. */
  readonly entries: number;
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
  const batch = {
    indexed: [] as Indexed[],
    over: [] as Batch["over"][number][],
    steps: [] as Step[],
    entries: 0,
  };
  let room = { entries: mostEntries, characters: mostCharacters };
  for (const session of sessions) {
    if (room.entries <= 0 || room.characters <= 0) break;
    batch.indexed.push(...titleOf(source, session));
    const { sessionKey, upTo: from, baseSeq, headSeq, isRecord } = session;
    let upTo = isRecord ? headSeq : (from ?? baseSeq);
    while (upTo < headSeq && room.entries > 0 && room.characters > 0) {
      const next = await readNext(source.log, session, upTo, Math.min(room.entries, atOnce));
      const found = await indexAll(source, session, next.entries, tools);
      batch.over.push(...found.over);
      batch.indexed.push(...found.indexed);
      batch.entries += next.entries.length;
      const characters = found.indexed.reduce((sum, { documents }) => sum + (documents?.length ?? 0), 0);
      room = {
        entries: room.entries - next.entries.length,
        characters: room.characters - characters,
      };
      upTo = next.upTo;
    }
    batch.steps.push({ sessionKey, from, upTo, title: isRecord ? null : session.title });
  }
  return batch;
}

function titleOf(
  source: Source,
  { sessionKey, title, upTo, startedMs, isRecord }: Behind,
): readonly Indexed[] {
  if (title === null || upTo !== null || isRecord) return [];
  const documents = unlessBad(() => titleDocuments(source, sessionKey, title));
  return [{ sessionKey, seq: 0, atMs: startedMs, tools: null, documents }];
}

async function indexAll(source: Source, session: Behind, entries: readonly Entry[], tools: ToolNames) {
  const isOver = new Set(entries.flatMap((entry) => unlessBad(() => observationIn(entry)) ?? []));
  const over: Batch["over"][number][] = [];
  for (const id of isOver) over.push(...(await readOver(source, session, id)));
  const indexed: Indexed[] = [];
  for (const entry of entries) {
    const found =
      isOver.size > 0 && isOver.has(entry.id) ? undefined : await indexEntry(source, session, entry, tools);
    if (found !== undefined) indexed.push(found);
  }
  return { over, indexed };
}

async function readOver(
  { log, dialect }: Source,
  { sessionKey }: Behind,
  id: string,
): Promise<Batch["over"]> {
  const rows = await log.all("SELECT seq FROM entry WHERE session_key = ? AND id = ?", [sessionKey, id]);
  const seq = rows[0]?.[0];
  if (typeof seq !== "number") return [];
  return [{ sessionKey, seq, documents: await readDocuments(log, sessionKey, seq, dialect) }];
}

/** Makes documents of an entry, or says that it must be left out: it stops no other. */
async function indexEntry(
  source: Source,
  session: Behind,
  entry: Entry,
  tools: ToolNames,
): Promise<Indexed | undefined> {
  const { sessionKey } = session;
  const place = { sessionKey, seq: entry.seq, atMs: entry.at.getTime() };
  try {
    const found = textsOf(entry);
    if (found === undefined) return undefined;
    const before = () => readBefore(source.log, session, entry.seq - 1, 200);
    const names = await tools.follow(sessionKey, found, before);
    return { ...place, tools: names, documents: toDocuments(source, sessionKey, found) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { ...place, tools: null, documents: undefined };
  }
}
