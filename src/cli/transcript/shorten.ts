import { formatBytes } from "../../lib/format-bytes.ts";

const maxLines = 10;
const maxCharacters = 1000;

export interface Shortened {
  readonly text: string;
  /** Says how much is missing; empty when nothing is. */
  readonly leftOut: string;
}

/** Cuts a long text after a few lines and says how much was left out. */
export function shorten(text: string): Shortened {
  const lines = text.slice(0, maxCharacters).split("\n");
  const isCut = text.length > maxCharacters || lines.length > maxLines;
  if (!isCut) return { text, leftOut: "" };
  const kept = lines.slice(0, maxLines).join("\n").toWellFormed();
  const rest = text.slice(kept.length);
  const lineCount = rest.split("\n").length - 1;
  const size = formatBytes(Buffer.byteLength(rest));
  return {
    text: kept,
    leftOut:
      lineCount === 0 ? `${size} more` : `${lineCount} more ${lineCount === 1 ? "line" : "lines"}, ${size}`,
  };
}
