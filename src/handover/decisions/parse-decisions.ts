import { isBlank, splitLines } from "../../lib/markdown/split-lines.ts";
import { type Decision, type DecisionText, decisionFields } from "../decision.ts";
import { describeConflicts, isConflictMarker, type Problem } from "../problem.ts";

/** An entry as it was found. */
export interface FoundDecision extends Decision {
  /** The line of its head, counted from 1. */
  readonly line: number;
  /** Its lines, ended with LF; not what stands between it and the next one. */
  readonly raw: string;
  /** Whether its author has struck it through. */
  readonly isStruck: boolean;
}

/** What was read from a decisions.md, in the order of the file, and what is wrong with it. */
export interface ParsedDecisions {
  readonly decisions: readonly FoundDecision[];
  readonly problems: readonly Problem[];
}

/**
 * Reads decisions.md, or the end of one from the head of an entry on.
 *
 * It is read line by line and not as Markdown: it is a log, where a fence that somebody left open must not swallow
 * what is appended after it, and whose end must mean the same when it is read alone. Numbers may have gaps and times
 * may go back; both are as good as any.
 */
export function parseDecisions(text: string, firstLine = 1): ParsedDecisions {
  if (lastParsed?.text === text && lastParsed.firstLine === firstLine) return lastParsed.parsed;
  const parsed = parse(text, firstLine);
  lastParsed = { text, firstLine, parsed };
  return parsed;
}

/** A command reads the same document several times, for what it says and for what has become of it. */
let lastParsed:
  | { readonly text: string; readonly firstLine: number; readonly parsed: ParsedDecisions }
  | undefined;

function parse(text: string, firstLine: number): ParsedDecisions {
  const decisions: FoundDecision[] = [];
  const torn: Problem[] = [];
  let open: OpenEntry | undefined;
  for (const [index, { start, end }] of splitLines(text).entries()) {
    const line = text.slice(start, end);
    const head = parseHead(line);
    if (head === undefined) {
      open?.add(line);
      continue;
    }
    if (open !== undefined) decisions.push(open.close());
    open = new OpenEntry(head, firstLine + index, line);
    if (head.type === "") torn.push(tornEntry(head.seq, firstLine + index));
  }
  if (open !== undefined) decisions.push(open.close());
  const conflicts = describeConflicts(text, firstLine);
  return { decisions, problems: [...conflicts, ...torn, ...findRepeated(decisions)] };
}

interface Head {
  readonly at: string;
  readonly seq: number;
  readonly type: string;
  readonly summary: string;
  readonly isStruck: boolean;
}

/** Reads the first line of an entry; one that was cut off after its number has no type. */
export function parseHead(line: string): Head | undefined {
  // A byte order mark may stand before the first one; in bytes that were not decoded it is three characters.
  const match =
    /^(?:\uFEFF|\u00EF\u00BB\u00BF)?(~~)?\[([^\]]*)\] *D(\d{1,15})\b(?::[ \t]*([A-Z_]*)[ \t]*(?:\|[ \t]*(.*))?)?/s.exec(
      line,
    );
  if (match === null) return undefined;
  const [, struck, at = "", seq = "", type = "", rest = ""] = match;
  const summary = struck === undefined ? rest.trim() : rest.trim().replace(/~~$/, "");
  return { at, seq: Number(seq), type, summary, isStruck: struck !== undefined };
}

const fieldsByLabel: ReadonlyMap<string, keyof DecisionText> = new Map(
  decisionFields.map(({ field, label }) => [label.toLowerCase(), field]),
);

/** Takes the lines of an entry as they come. */
class OpenEntry {
  readonly #head: Head;
  readonly #line: number;
  readonly #lines: string[];
  readonly #values = new Map<string, string>();
  #last: string | undefined;
  /** How many lines belong to the entry: what comes after a blank line and is no field does not. */
  #own = 1;

  constructor(head: Head, line: number, text: string) {
    this.#head = head;
    this.#line = line;
    this.#lines = [text];
  }

  add(line: string): void {
    const isNext = this.#own === this.#lines.length;
    this.#lines.push(line);
    const [, label, value = ""] = /^[ \t]*[-*+][ \t]+([A-Za-z-]+):[ \t]*(.*)$/s.exec(line) ?? [];
    const isOutside = isBlank(line) || isConflictMarker(line) || line === "=======";
    const goesOn = label !== undefined || (isNext && !isOutside);
    if (goesOn) this.#own = this.#lines.length;
    if (label !== undefined) this.#begin(label, value.trim());
    else if (!goesOn) this.#last = undefined;
    else if (this.#last !== undefined) {
      this.#values.set(this.#last, `${this.#values.get(this.#last) ?? ""}\n${line.trim()}`);
    }
  }

  #begin(label: string, value: string): void {
    const field = fieldsByLabel.get(label.toLowerCase());
    // The first of two counts, and what goes on after the second is no part of the first.
    this.#last = field === undefined || this.#values.has(field) ? undefined : field;
    if (this.#last !== undefined) this.#values.set(this.#last, value);
  }

  close(): FoundDecision {
    const fields = decisionFields.map(({ field }) => [field, this.#values.get(field) ?? ""]);
    return {
      ...this.#head,
      ...(Object.fromEntries(fields) as unknown as Omit<DecisionText, "summary">),
      line: this.#line,
      raw: this.#lines.slice(0, this.#own).join("\n").trimEnd(),
    };
  }
}

function tornEntry(seq: number, line: number): Problem {
  return { code: "torn-entry", line, message: `the entry D${seq} was cut off when it was written` };
}

function findRepeated(decisions: readonly FoundDecision[]): readonly Problem[] {
  const first = new Map<number, number>();
  return decisions.flatMap(({ seq, line }) => {
    const before = first.get(seq);
    if (before === undefined) first.set(seq, line);
    if (before === undefined) return [];
    return [{ code: "repeated-number", line, message: `D${seq} is also in line ${before}` }];
  });
}
