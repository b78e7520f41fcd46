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
  return Math.min(Math.trunc(Math.max(0, atMs - epochMs) * perMs) + 1, latest);
}

/**
 * Returns for each of several entries, oldest first, the first of so many keys that are free and follow one another.
 *
 * Mostly there is nothing in the index between the oldest and the newest of them, and one look tells.
 */
export async function allotKeys(
  runner: SqlRunner,
  wanted: readonly { readonly atMs: number; readonly count: number }[],
): Promise<readonly number[]> {
  const [oldest, newest] = [wanted[0], wanted.at(-1)];
  if (oldest === undefined || newest === undefined) return [];
  const room = wanted.reduce((sum, { count }) => sum + count, perMs);
  const isFree = (await findLast(runner, firstKey(oldest.atMs), firstKey(newest.atMs) + room)) === undefined;
  let next = 0;
  const keys: number[] = [];
  for (const { atMs, count } of wanted) {
    const from = Math.max(firstKey(atMs), next);
    const key = isFree ? from : await findKeys(runner, from, count);
    keys.push(key);
    next = key + count;
  }
  return keys;
}

async function findKeys(runner: SqlRunner, first: number, count: number): Promise<number> {
  let [from, reach] = [first, Math.max(count, perMs)];
  for (;;) {
    const last = await findLast(runner, from, from + reach);
    if (last === undefined) return from;
    [from, reach] = [last + 1, count];
  }
}

/** Finds the last key that is taken between two. */
async function findLast(runner: SqlRunner, from: number, before: number): Promise<number | undefined> {
  const rows = await runner.all("SELECT max(key) FROM search_document WHERE key >= ? AND key < ?", [
    from,
    before,
  ]);
  const last = rows[0]?.[0];
  return typeof last === "number" ? last : undefined;
}
