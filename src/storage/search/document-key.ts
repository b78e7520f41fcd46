import type { SqlRunner } from "../sql-driver.ts";

/** No entry that is looked for was made before. */
const epochMs = Date.UTC(2020, 0, 1);
/** So many documents of one millisecond have keys of their own; if there are more, they take those of the next ones. */
const perMs = 4096;
/** Node refuses larger numbers; it is reached in 2089. */
export const keyLimit = Number.MAX_SAFE_INTEGER;

/** Returns the first key for a moment: documents are in the order of time, so that the newest are found first. */
export function firstKey(atMs: number): number {
  const latest = keyLimit - 2 ** 40;
  return Math.min(Math.max(0, Math.trunc(atMs) - epochMs) * perMs + 1, latest);
}

/** Returns the first of so many keys that are free and follow one another. */
export async function findKeys(runner: SqlRunner, atMs: number, count: number): Promise<number> {
  let from = firstKey(atMs);
  let reach = Math.max(count, perMs);
  for (;;) {
    const rows = await runner.all("SELECT max(key) FROM search_document WHERE key >= ? AND key < ?", [
      from,
      from + reach,
    ]);
    const last = rows[0]?.[0];
    if (typeof last !== "number") return from;
    from = last + 1;
    reach = count;
  }
}
