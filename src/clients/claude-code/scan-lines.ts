import { isUtf8 } from "node:buffer";
import { parseIfJson } from "../../lib/json.ts";
import type { RawLine } from "../../lib/line-splitter.ts";
import type { Fault } from "../client.ts";
import { findGlued } from "./read-transcript.ts";
import { isJsonObject } from "./wire.ts";

/** A value of a transcript, or a line that holds none. */
export interface ScannedLine {
  /** The lines that it takes up; more than one where a row was broken by newlines. */
  readonly lines: readonly number[];
  /** The value as it should be written; undefined for a line that holds none. */
  readonly text: string | undefined;
  readonly value: unknown;
  readonly fault: Fault | undefined;
}

type Read = Omit<ScannedLine, "lines">;

/** Reads the lines of a transcript, also those that a crash or another program has damaged. */
export function* scanLines(lines: Iterable<RawLine>): Generator<ScannedLine> {
  let broken: Broken[] = [];
  for (const { number, bytes } of lines) {
    // A line that is too long to be held stays as it is.
    if (bytes === undefined) continue;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
    const read = readWhole(text, bytes).map((each) => ({ ...each, lines: [number] }));
    if (read.length === 0) broken.push({ line: number, text });
    const rows = read.length === 0 ? joinBroken(broken) : read;
    if (rows.length === 0) continue;
    yield* broken.filter(({ line }) => !rows[0]?.lines.includes(line)).flatMap(loseBroken);
    broken = [];
    yield* rows;
  }
  yield* broken.flatMap(loseBroken);
}

interface Broken {
  readonly line: number;
  readonly text: string;
}

function loseBroken({ line, text }: Broken): readonly ScannedLine[] {
  if (text.trim() === "") return [];
  const half = text.startsWith('{"') ? "half-row" : "unreadable-line";
  return [
    { lines: [line], text: undefined, value: undefined, fault: text.includes("\0") ? "nul-bytes" : half },
  ];
}

/** Reads the rows that a line holds, whatever else it holds. */
function readWhole(line: string, bytes: Uint8Array): readonly Read[] {
  const value = parseIfJson(line);
  if (value === undefined) return line.includes("\0") ? readAroundNuls(line) : readDamaged(line);
  const text = escapeSeparators(line);
  // The client reads something else there than was written.
  if (line.includes("\uFFFD") && !isUtf8(bytes)) return [{ text, value, fault: "unreadable-line" }];
  return [{ text, value, fault: text === line ? undefined : "line-separator" }];
}

/** NULs stand in the place of bytes that are lost: what is before them and what is behind them are not one row. */
function readAroundNuls(line: string): readonly Read[] {
  const pieces = line.split(/\0+/).filter((piece) => piece.trim() !== "");
  if (pieces.length === 0) return [{ text: undefined, value: undefined, fault: "nul-bytes" }];
  return pieces.flatMap(readDamaged).map((each) => ({ ...each, fault: "nul-bytes" }));
}

/** Writes U+2028 and U+2029, which only stand in texts, so that no reader takes them for the end of a line. */
export function escapeSeparators(row: string): string {
  return row.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function readDamaged(line: string): readonly Read[] {
  const text = escapeSeparators(line.replace(/^\uFEFF/, ""));
  if (text.trim() === "") return [];
  const value = parseIfJson(text);
  if (isJsonObject(value)) return [{ text, value, fault: "unreadable-line" }];
  const glued = findGlued(text);
  return glued === undefined ? [] : [{ text: glued, value: JSON.parse(glued), fault: "half-row" }];
}

/** A row is not looked for in more lines than these, or more characters. */
const mostJoined = { lines: 64, characters: 8_000_000 };

/** A key, an id or a type with a newline: it was not in a text. In one, the quotation marks would be escaped. */
const brokenName = /\\n[^"\\]*":|"(?:type|id|uuid|parentUuid|messageUuid|tool_use_id)":"[^"\\]*\\[rn]/;

/** Returns the row that the last of these lines are together, because a text in it has newlines that are not escaped. */
function joinBroken(broken: readonly Broken[]): readonly ScannedLine[] {
  if (broken.at(-1)?.text.trimEnd().endsWith("}") !== true) return [];
  const last = broken.slice(-mostJoined.lines);
  for (let from = last.length - 2; from >= 0; from -= 1) {
    if (last[from]?.text.startsWith('{"') !== true) continue;
    const parts = last.slice(from);
    const row = readJoined(parts, "\\n") ?? readJoined(parts, "");
    if (row !== undefined) return [row];
  }
  return [];
}

function readJoined(parts: readonly Broken[], newline: "\\n" | ""): ScannedLine | undefined {
  const joined = parts.map(({ text }) => text).join(newline);
  const text = escapeSeparators(joined).replaceAll("\r", newline && "\\r");
  const value = text.length > mostJoined.characters ? undefined : parseIfJson(text);
  if (!isJsonObject(value) || brokenName.test(text)) return undefined;
  return { lines: parts.map(({ line }) => line), text, value, fault: "raw-newline" };
}
