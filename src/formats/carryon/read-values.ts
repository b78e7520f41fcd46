import { isObject } from "../../lib/field-readers.ts";
import { findJsonFault } from "../../lib/find-json-fault.ts";
import { parseIfJson } from "../../lib/json.ts";
import { maxDepth } from "../../sessions/entry.ts";
import { BadImport } from "../bad-import.ts";
import { type ImportLimits, levelsAround } from "../limits.ts";
import { lineName, readLines } from "../read-lines.ts";
import type { Scrutiny } from "./parse-entry.ts";

/** A value of an export, and where it stands. */
export interface PlacedValue {
  readonly where: string;
  readonly value: unknown;
}

/** Longer lines are looked through before they are parsed: brackets alone could become a hundred times their size. */
const longLine = 100_000;

/** Yields the values of a file of JSON lines; throws `BadImport` at the first bad one. */
export async function* readValues(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  scrutiny: Scrutiny,
): AsyncGenerator<PlacedValue> {
  const parse = scrutiny === "whole" ? parseStrictly : parseAgain;
  for await (const { number, text } of readLines(bytes, limits))
    yield { where: lineName(number), value: parse(text, lineName(number)) };
}

/** Parses a text that is one JSON document, in which nothing is ambiguous; throws `BadImport` with the line. */
export function parseDocument(text: string): unknown {
  const fault = findJsonFault(text, maxDepth + levelsAround);
  if (fault !== undefined) throw new BadImport(lineName(fault.line), fault.reason);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (isLines(text)) throw new BadImport(lineName(1), "its type is none that is known");
    // The parser's own message quotes the text, which may hold a secret.
    const place = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
    throw new BadImport(lineName(text.slice(0, place).split("\n").length), "it is not valid JSON");
  }
}

/** Tells whether a text is lines of JSON, such as those of a session. */
function isLines(text: string): boolean {
  const [first = "", second = ""] = text.split("\n", 2);
  return [first, second].every((line) => isObject(parseIfJson(line)));
}

function parseAgain(text: string, where: string): unknown {
  const value = parseIfJson(text);
  if (value === undefined) throw new BadImport(where, "it is not valid JSON");
  return value;
}

/** Parses a JSON text in which nothing is ambiguous: no key twice, no depth without end. */
function parseStrictly(text: string, where: string): unknown {
  if (text.length > longLine) refuseFault(text, where);
  const value = parseAgain(text, where);
  // What `JSON.stringify` would write just so has no key twice; that is what we write ourselves.
  if (text.length > longLine || isCanonical(text, value)) return value;
  refuseFault(text, where);
  return value;
}

function isCanonical(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(value) === text;
  } catch (error) {
    // Nested too deeply to be written, which is found out next.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function refuseFault(text: string, where: string): void {
  const fault = findJsonFault(text, maxDepth + levelsAround);
  if (fault !== undefined) throw new BadImport(where, fault.reason);
}
