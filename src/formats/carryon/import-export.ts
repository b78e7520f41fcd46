import { BrokenStretch } from "../../sessions/errors.ts";
import type { LinkedEntry, Replica } from "../../sessions/replica.ts";
import { type TakenSession, takeSession } from "../../sessions/take-session.ts";
import { BadImport } from "../bad-import.ts";
import { type ExportRecord, RecordFollower } from "./follow-records.ts";
import type { OpenValues, Survey } from "./survey.ts";

/** Takes the sessions of a surveyed export in, all or none. */
export async function importExport(
  replica: Replica,
  open: OpenValues,
  { sessions }: Survey,
  now: Date,
): Promise<readonly TakenSession[]> {
  const cursor = new EntryCursor(open);
  try {
    return await replica.receive(async (intake) => {
      const taken: TakenSession[] = [];
      for (const [number, { session, machine }] of sessions.entries()) {
        const entries = () => cursor.entries(number, session.entries);
        const taking = takeSession(intake, { session, machine, entries }, now);
        taken.push(await taking.catch((error: unknown) => explain(error, open, number)));
      }
      return taken;
    });
  } finally {
    await cursor.close();
  }
}

/** Says where in the file an entry stands that only the store could refuse: an id that comes twice, a parent that is missing. */
async function explain(error: unknown, open: OpenValues, number: number): Promise<never> {
  if (!(error instanceof BrokenStretch)) throw error;
  const follower = new RecordFollower("envelope");
  let ended = 0;
  for await (const value of open("envelope")) {
    const record = follower.take(value);
    if (record.type === "end") ended += 1;
    if (ended === number && record.type === "entry" && record.entry.seq === error.seq)
      throw new BadImport(value.where, error.reason, { cause: error });
  }
  throw error;
}

const batchSize = 200;

/** Reads the entries of the sessions of an export, mostly one session after another; what is asked for again begins anew. */
class EntryCursor {
  readonly #open: OpenValues;
  #records: AsyncGenerator<ExportRecord> | undefined;
  /** The number of the session that begins next in the stream. */
  #next = 0;

  constructor(open: OpenValues) {
    this.#open = open;
  }

  /** Streams the first entries of a session by its number, from 0 on. */
  async *entries(number: number, count: number): AsyncGenerator<readonly LinkedEntry[]> {
    const records = await this.#findSession(number);
    let batch: LinkedEntry[] = [];
    for (let left = count; left > 0; left -= 1) {
      const { value: record } = await records.next();
      if (record?.type !== "entry") break;
      batch.push(record.entry);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    await this.#records?.return(undefined);
    this.#records = undefined;
    this.#next = 0;
  }

  async #findSession(number: number): Promise<AsyncGenerator<ExportRecord>> {
    if (number < this.#next) await this.close();
    this.#records ??= readRecords(this.#open);
    for (;;) {
      const { value: record, done } = await this.#records.next();
      if (done) return this.#records;
      if (record.type !== "begin") continue;
      this.#next += 1;
      if (this.#next > number) return this.#records;
    }
  }
}

/** What entries say was checked when the file was surveyed; their hashes prove that they are the same. */
async function* readRecords(open: OpenValues): AsyncGenerator<ExportRecord> {
  const follower = new RecordFollower("envelope");
  for await (const value of open("envelope")) yield follower.take(value);
}
