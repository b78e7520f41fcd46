import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import { observationIn } from "../../sessions/observations.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { textsOf } from "./entry-texts.ts";
import { type Indexed, titleDocuments, toDocuments, unlessBad } from "./index-entries.ts";
import { type Behind, readBefore, readNext } from "./read-behind.ts";
import type { ToolNames } from "./tool-names.ts";

/** What one transaction adds to the index. */
export interface Batch {
  readonly indexed: readonly Indexed[];
  /** What hooks saw and the transcript has by now, by the key of the session. */
  readonly over: readonly { readonly sessionKey: number; readonly entry: string }[];
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
const mostEntries = 4096;
const mostTerms = 400_000;
const atOnce = 256;

/** Reads what is next and makes terms of it. This takes most of the time, and nobody has to wait for it. */
export async function prepareBatch(
  runner: SqlRunner,
  sessions: readonly Behind[],
  tools: ToolNames,
): Promise<Batch> {
  const batch = {
    indexed: [] as Indexed[],
    over: [] as Batch["over"][number][],
    steps: [] as Step[],
    entries: 0,
  };
  let terms = 0;
  for (const session of sessions) {
    const room = mostEntries - batch.entries;
    if (room <= 0 || terms > mostTerms) break;
    const from = session.upTo ?? session.baseSeq;
    const next = session.isRecord
      ? { entries: [], upTo: session.headSeq }
      : await readNext(runner, session, from, Math.min(room, atOnce));
    const found = await indexAll(runner, session, next.entries, tools);
    batch.over.push(...found.over);
    batch.indexed.push(...titleOf(runner, session), ...found.indexed);
    batch.entries += next.entries.length;
    terms += found.indexed.reduce((sum, { documents }) => sum + (documents?.length ?? 0), 0);
    const { sessionKey, upTo, title } = session;
    batch.steps.push({ sessionKey, from: upTo, upTo: next.upTo, title: session.isRecord ? null : title });
  }
  return batch;
}

function titleOf(
  runner: SqlRunner,
  { sessionKey, title, upTo, startedMs, isRecord }: Behind,
): readonly Indexed[] {
  if (title === null || upTo !== null || isRecord) return [];
  const documents = unlessBad(() => titleDocuments(runner, sessionKey, title));
  return [{ sessionKey, seq: 0, atMs: startedMs, tools: null, documents }];
}

async function indexAll(runner: SqlRunner, session: Behind, entries: readonly Entry[], tools: ToolNames) {
  const { sessionKey } = session;
  const over = entries.flatMap((entry) => {
    const observation = unlessBad(() => observationIn(entry));
    return observation === undefined ? [] : [{ sessionKey, entry: observation }];
  });
  const isOver = new Set(over.map(({ entry }) => entry));
  const indexed: Indexed[] = [];
  for (const entry of entries) {
    const found = isOver.has(entry.id) ? undefined : await indexEntry(runner, session, entry, tools);
    if (found !== undefined) indexed.push(found);
  }
  return { over, indexed };
}

/** Makes documents of an entry, or says that it must be left out: it stops no other. */
async function indexEntry(
  runner: SqlRunner,
  session: Behind,
  entry: Entry,
  tools: ToolNames,
): Promise<Indexed | undefined> {
  const { sessionKey } = session;
  const place = { sessionKey, seq: entry.seq, atMs: entry.at.getTime() };
  try {
    const found = textsOf(entry);
    if (found === undefined) return undefined;
    const before = () => readBefore(runner, session, entry.seq - 1, 200);
    const names = await tools.follow(sessionKey, found, before);
    return { ...place, tools: names, documents: toDocuments(runner, sessionKey, found) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { ...place, tools: null, documents: undefined };
  }
}
