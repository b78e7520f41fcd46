import { isObject } from "../../lib/field-readers.ts";
import { findJsonFault } from "../../lib/find-json-fault.ts";
import { isDeeperThan, parseIfJson } from "../../lib/json.ts";
import { findSecrets } from "../../redaction/find-secrets.ts";
import { maxDepth } from "../../sessions/entry.ts";
import { type EntryId, isName, type Strand } from "../../sessions/ids.ts";
import { bodySchemas, describeIssue } from "../../sessions/parse-new-entry.ts";
import type { LinkedEntry } from "../../sessions/replica.ts";
import { BadImport } from "../bad-import.ts";
import { type ImportLimits, levelsAround } from "../limits.ts";
import { lineName, readLines } from "../source.ts";
import { isMoment } from "./wire.ts";

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

/** How much is asked of what an entry says: all, or nothing where its hash proves that it was asked before. */
export type Scrutiny = "whole" | "envelope";

const required = ["seq", "id", "parent", "strand", "kind", "at", "hash", "body"];
const allowed: ReadonlySet<string> = new Set([...required, "scrubbedFrom"]);

/** Reads entries of an export; one of them serves a whole file, because names come again and again. */
export class EntryParser {
  readonly #scrutiny: Scrutiny;
  readonly #plainNames = new Set<string>();

  constructor(scrutiny: Scrutiny) {
    this.#scrutiny = scrutiny;
  }

  /** Returns the entry that a value is, or what is wrong with it. */
  parse(value: unknown): LinkedEntry | string {
    if (!isObject(value)) return "it is not an object";
    const problem = this.#findProblem(value);
    if (problem !== undefined) return problem;
    const { seq, id, parent, strand, kind, at, hash, scrubbedFrom = null, body } = value;
    return {
      seq: seq as number,
      id: id as EntryId,
      parent: parent as EntryId | null,
      strand: strand as Strand,
      kind: kind as string,
      at: new Date(at as string),
      hash: hash as string,
      // Equal to what was exported: what `JSON.stringify` wrote, it writes again.
      body: JSON.stringify(body),
      scrubbedFrom: scrubbedFrom as string | null,
    };
  }

  #findProblem(value: Readonly<Record<string, unknown>>): string | undefined {
    const keys = Object.keys(value);
    const missing = required.find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return `${missing} is missing`;
    const unknown = keys.find((key) => !allowed.has(key));
    if (unknown !== undefined) return `there is no field ${unknown}`;
    const { seq, at, hash, scrubbedFrom, body } = value;
    if (!Number.isSafeInteger(seq) || Number(seq) < 1) return "seq must be a whole number from 1 on";
    if (typeof at !== "string" || !isMoment(at)) return "at must be a time such as 2026-11-15T14:30:22.000Z";
    if (!isHash(hash)) return "hash must be a SHA-256 in lower-case hex";
    if (scrubbedFrom !== undefined && !isHash(scrubbedFrom))
      return "scrubbedFrom must be a SHA-256 in lower-case hex";
    if (!isObject(body)) return "body must be an object";
    return this.#findBadName(value) ?? this.#findBadBody(value.kind as string, body);
  }

  #findBadName(value: Readonly<Record<string, unknown>>): string | undefined {
    for (const field of ["id", "parent", "strand", "kind"]) {
      const name = value[field];
      if (name === null && field === "parent") continue;
      if (typeof name !== "string" || !isName(name))
        return `${field} must be 1 to 128 letters, digits, - and _`;
      if (!this.#isPlain(name)) return `${field} must not be a secret`;
    }
    return undefined;
  }

  /** Ids that are made here are looked at no further; others are, and those of strands and kinds only once. */
  #isPlain(name: string): boolean {
    if (/^ent_[0-9a-f-]{36}$/.test(name) || this.#plainNames.has(name)) return true;
    if (findSecrets(name).length > 0) return false;
    if (this.#plainNames.size < 1000) this.#plainNames.add(name);
    return true;
  }

  #findBadBody(kind: string, body: object): string | undefined {
    if (this.#scrutiny === "envelope") return undefined;
    if (isDeeperThan(body, maxDepth)) return `it is nested deeper than ${maxDepth} levels`;
    const schema = Object.hasOwn(bodySchemas, kind)
      ? bodySchemas[kind as keyof typeof bodySchemas]
      : undefined;
    const parsed = schema?.safeParse(body);
    return parsed?.success === false ? `body: ${describeIssue(parsed.error)}` : undefined;
  }
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
