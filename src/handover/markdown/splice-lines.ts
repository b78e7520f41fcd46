import { isBlank, lineEndingOf } from "../../lib/markdown/split-lines.ts";
import { lineText, type Outline } from "./outline.ts";

export interface SpliceOptions {
  /** Whether a blank line must follow what is new: never, unless told. */
  readonly apart?: "after" | "never";
}

/** Replaces the lines from `from` up to `to` of a text by others, in the line endings of the text. */
export function replaceLines(
  outline: Pick<Outline, "text" | "lines">,
  { from, to }: { readonly from: number; readonly to: number },
  fresh: readonly string[],
  { apart = "never" }: SpliceOptions = {},
): string {
  const { text, lines } = outline;
  const ending = lineEndingOf(text);
  const isLast = to >= lines.length;
  const start = lines[from]?.start ?? text.length;
  const end = from >= to ? start : (lines[to - 1]?.next ?? text.length);
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isTorn = before !== "" && !/[\n\r]$/.test(before);
  const gap = apart === "after" && !isLast && !isBlank(lineText(outline, to)) ? [""] : [];
  const added = [...fresh, ...gap].join(ending);
  if (fresh.length === 0) return before + after;
  // A last line without an end stays one.
  const hadEnd = isLast && from < to ? /[\n\r]$/.test(text) : !isTorn;
  return `${before}${isTorn ? ending : ""}${added}${after !== "" || hadEnd ? ending : ""}${after}`;
}

/** Puts lines before a line of a text, with a blank line on each side. */
export function insertLines(
  outline: Pick<Outline, "text" | "lines">,
  line: number,
  fresh: readonly string[],
): string {
  const isApart = line === 0 || isBlank(lineText(outline, line - 1));
  return replaceLines(outline, { from: line, to: line }, isApart ? fresh : ["", ...fresh], {
    apart: "after",
  });
}
