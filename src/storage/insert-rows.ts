import type { SqlValue, Statement } from "./sql-driver.ts";

/** A statement that inserts rows, without them. */
export interface RowInsert {
  /** `INSERT INTO …`, up to `VALUES`. */
  readonly into: string;
  /** The placeholders of a row, in brackets. */
  readonly row: string;
  /** What follows the rows. */
  readonly after?: string;
}

/** How many rows go into a statement: of a few sizes only, so that each is prepared once. */
const sizes = [64, 16, 4, 1];

/** Returns the statements that insert rows, in their order: few of them, whatever their number. */
export function insertRows(
  { into, row, after = "" }: RowInsert,
  rows: readonly (readonly SqlValue[])[],
): readonly Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  for (const size of sizes) {
    const sql = `${into} VALUES ${Array.from({ length: size }, () => row).join(", ")} ${after}`;
    for (; rows.length - from >= size; from += size)
      statements.push({ sql, params: rows.slice(from, from + size).flat() });
  }
  return statements;
}
