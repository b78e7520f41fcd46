import type { SqlRunner } from "../sql-driver.ts";

/** The counts by which hits are ranked. */
export interface IndexSize {
  readonly documents: number;
  /** How many terms a document has on average. */
  readonly length: number;
}

export async function readSize(runner: SqlRunner): Promise<IndexSize> {
  const rows = await runner.all("SELECT documents, length FROM search_state");
  const [documents = 0, length = 0] = (rows[0] ?? []).map(Number);
  return { documents, length: length / Math.max(1, documents) };
}

/** A word of the index, and in how many documents it stands. */
export interface CountedWord {
  readonly term: string;
  readonly documents: number;
}

/** Finds the words of the index that have one of these stems, by their stems; those in most documents first. */
export async function readWords(
  runner: SqlRunner,
  stems: readonly string[],
): Promise<ReadonlyMap<string, readonly CountedWord[]>> {
  if (stems.length === 0) return new Map();
  const rows = await runner.all(
    `SELECT stem, term, documents FROM search_word WHERE stem IN (${stems.map(() => "?").join(", ")})
     ORDER BY documents DESC, term`,
    stems,
  );
  const found = Map.groupBy(rows, ([stem]) => String(stem));
  return new Map(
    Array.from(found, ([stem, own]) => [
      stem,
      own.map(([, term, documents]) => ({ term: String(term), documents: Number(documents) })),
    ]),
  );
}
