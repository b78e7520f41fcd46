import type { LinkedEntry } from "../../sessions/replica.ts";
import { type ExportRecord, RecordFollower } from "./follow-records.ts";
import type { OpenValues } from "./survey.ts";

const batchSize = 200;

/** Reads the entries of the sessions of an export, mostly one session after another; what is asked for again begins anew. */
export class EntryCursor {
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
