import type { Row, SqlValue } from "./sql-driver.ts";

/** What a column must hold: text, an integer, a moment in milliseconds or bytes; `?` allows null. */
export type ColumnType = "text" | "text?" | "integer" | "integer?" | "moment" | "moment?" | "bytes?";

/** The farthest moment from 1970 that a `Date` can hold. */
const farthestMs = 8.64e15;

/** Tells whether each value of a row has its type; only in a damaged file has one another. */
export function hasTypes(row: Row, types: readonly ColumnType[]): boolean {
  for (let index = 0; index < types.length; index += 1) {
    if (!hasType(row[index], types[index] as ColumnType)) return false;
  }
  return true;
}

function hasType(value: SqlValue | undefined, type: ColumnType): boolean {
  if (value === null) return type.endsWith("?");
  switch (type) {
    case "text":
    case "text?":
      return typeof value === "string";
    case "integer":
    case "integer?":
      return Number.isSafeInteger(value);
    case "moment":
    case "moment?":
      return Number.isSafeInteger(value) && Math.abs(value as number) <= farthestMs;
    case "bytes?":
      return value instanceof Uint8Array;
  }
}
