import { sha256 } from "../../sessions/chain.ts";

/** What a text is compared by: the digest of its lines, however they are indented, and how many there are. */
export interface TextKey {
  readonly digest: string;
  readonly lines: number;
}

/** A prompt of more lines is looked at so far. */
const mostLines = 1000;

/** Returns what a text is compared by. */
export function keyOf(text: string): TextKey {
  const lines = linesOf(text);
  return { digest: digestOf(lines), lines: lines.length };
}

/** Tells which keys have their text in another one, as whole lines: a client may send several prompts as one. */
export function findKeys<Key extends TextKey>(text: string, keys: readonly Key[]): readonly Key[] {
  if (keys.length === 0) return [];
  const lines = linesOf(text);
  return keys.filter(
    (key) =>
      key.lines > 0 &&
      lines.some((_line, from) => digestOf(lines.slice(from, from + key.lines)) === key.digest),
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n", mostLines)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

function digestOf(lines: readonly string[]): string {
  return sha256(lines.join("\n")).slice(0, 12);
}
