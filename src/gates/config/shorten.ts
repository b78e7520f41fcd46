import { toPrintableLine } from "../../lib/printable.ts";

const longest = 60;

/** Returns as much of a name as fits into a sentence, without what a terminal would obey. */
export function shorten(name: string): string {
  const printable = toPrintableLine(name.slice(0, longest));
  return name.length > longest ? `${printable}…` : printable;
}
