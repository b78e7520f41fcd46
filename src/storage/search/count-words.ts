import type { SqlRunner } from "../sql-driver.ts";
import type { ScannedTexts } from "./scan-texts.ts";
import { stemOf } from "./stem.ts";

/** Rows of one statement. */
const atOnce = 200;

/** Adds entries to the counts of the index, or takes them out: in how many of them a word stands, how many they are, and how long. */
export async function countWords(
  transaction: SqlRunner,
  entries: readonly Pick<ScannedTexts, "words" | "length">[],
  sign: 1 | -1,
): Promise<void> {
  const found = entries.filter(({ length }) => length > 0);
  const counts = new Map<string, number>();
  for (const { words } of found) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + sign);
  // In the order of the table each of its pages is touched once.
  const rows = Array.from(counts, ([term, documents]) => ({ stem: stemOf(term), term, documents }));
  rows.sort((one, other) => (one.stem < other.stem ? -1 : one.stem > other.stem ? 1 : 0));
  for (let from = 0; from < rows.length; from += atOnce)
    await addCounts(transaction, rows.slice(from, from + atOnce));
  const length = found.reduce((sum, each) => sum + each.length, 0);
  await transaction.run("UPDATE search_state SET documents = documents + ?, length = length + ?", [
    sign * found.length,
    sign * length,
  ]);
}

async function addCounts(
  transaction: SqlRunner,
  rows: readonly { readonly stem: string; readonly term: string; readonly documents: number }[],
): Promise<void> {
  await transaction.run(
    `INSERT INTO search_word (stem, term, documents) VALUES ${rows.map(() => "(?, ?, ?)").join(", ")}
     ON CONFLICT (stem, term) DO UPDATE SET documents = search_word.documents + excluded.documents`,
    rows.flatMap(({ stem, term, documents }) => [stem, term, documents]),
  );
  const gone = rows.flatMap(({ stem, documents }) => (documents < 0 ? [stem] : []));
  if (gone.length === 0) return;
  await transaction.run(
    `DELETE FROM search_word WHERE documents <= 0 AND stem IN (${gone.map(() => "?").join(", ")})`,
    gone,
  );
}
