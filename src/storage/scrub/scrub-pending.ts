import type { TextPattern } from "../../redaction/text-pattern.ts";
import type { Row, SqlDriver, SqlRunner } from "../sql-driver.ts";
import { compressText, decompressText } from "../zstd.ts";
import type { Scrub } from "./scrub-text.ts";

/** A text that is no part of a session yet: what hooks saw, and what reading a transcript goes on from. */
interface PendingText {
  readonly text: string;
  /** Replaces it, unless it has changed since it was read; tells whether it did. */
  readonly replace: (runner: SqlRunner, text: string) => Promise<number>;
}

/** Counts the texts that hold a pattern and are no part of a session yet. */
export async function countPending(runner: SqlRunner, pattern: TextPattern, scrub: Scrub): Promise<number> {
  let found = 0;
  for await (const { text } of readPending(runner)) if (scrubJson(text, pattern, scrub) !== text) found += 1;
  return found;
}

/** Replaces what a pattern finds in texts that are no part of a session yet. */
export async function scrubPending(driver: SqlDriver, pattern: TextPattern, scrub: Scrub): Promise<void> {
  for await (const { text, replace } of readPending(driver)) {
    const scrubbed = scrubJson(text, pattern, scrub);
    if (scrubbed === text) continue;
    await driver.transaction(async (transaction) => {
      await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
      await replace(transaction, scrubbed);
    });
  }
}

async function* readPending(runner: SqlRunner): AsyncGenerator<PendingText> {
  const inbox = "SELECT key, payload FROM inbox WHERE key > ? ORDER BY key LIMIT 100";
  for await (const [key = null, payload] of pages(runner, inbox, [0], 1)) {
    yield {
      text: String(payload),
      replace: (transaction, text) =>
        transaction.run("UPDATE inbox SET payload = ? WHERE key = ?", [text, key]),
    };
  }
  const states = `SELECT client, path, revision, state FROM ingestion WHERE (client, path) > (?, ?)
    ORDER BY client, path LIMIT 100`;
  for await (const [client = null, path = null, revision = null, state] of pages(
    runner,
    states,
    ["", ""],
    2,
  )) {
    if (!(state instanceof Uint8Array)) continue;
    yield {
      text: decompressText(state),
      replace: (transaction, text) =>
        transaction.run("UPDATE ingestion SET state = ? WHERE client = ? AND path = ? AND revision = ?", [
          ...[compressText(text), client, path, revision],
        ]),
    };
  }
}

/** Goes through a table page by page; the first columns say where the next page begins. */
async function* pages(runner: SqlRunner, sql: string, start: Row, columns: number): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await runner.all(sql, after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.slice(0, columns);
  }
}

function scrubJson(text: string, pattern: TextPattern, scrub: Scrub): string {
  if (!pattern.mayBeIn(text)) return text;
  let isChanged = false;
  const replaceIn = (one: string) => {
    const other = scrub(one);
    isChanged ||= other !== one;
    return other;
  };
  const scrubbed = scrubStrings(JSON.parse(text), replaceIn);
  return isChanged ? JSON.stringify(scrubbed) : text;
}

function scrubStrings(value: unknown, scrub: Scrub): unknown {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((each) => scrubStrings(each, scrub));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [scrub(key), scrubStrings(each, scrub)]),
  );
}
