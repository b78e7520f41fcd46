import { type AppError, usageError } from "../lib/app-error.ts";
import { type Deadline, makeDeadline } from "../lib/make-deadline.ts";
import { findMarkers, type Range } from "../lib/marker.ts";
import { toSlug } from "../lib/slug.ts";

/** What somebody looks for in recorded text. Markers hold nothing that could be found, so that they never match. */
export interface TextPattern {
  /** Returns the text with what `mark` makes of each match, or the same text when there is none. */
  readonly replace: (text: string, mark: (match: string) => string) => string;
  /** Tells whether the strings of a JSON text may hold a match; no is certain, and costs less than parsing. */
  readonly mayBeIn: (json: string) => boolean;
  /** Tells whether a text holds it in any case, or as it would stand in the id of a session. */
  readonly isLike: (text: string) => boolean;
  /** Runs work that looks at many texts under one deadline, which costs less than one for each. */
  readonly together: Deadline;
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  /** How long a regular expression may take for texts that are looked at together; ten seconds unless given. */
  readonly deadlineMs?: number;
}

/** Shorter texts are part of too many words. */
const shortestLiteral = 4;

/**
 * Makes a pattern that finds a text as it is, and as it stands inside JSON text, addresses and titles.
 *
 * All its spellings have the marker of the text itself.
 */
export function literalPattern(text: string, { ignoreCase = false }: PatternOptions = {}): TextPattern {
  if ([...text].length < shortestLiteral) {
    throw badPattern(
      `A text of less than ${shortestLiteral} characters is part of too many words.`,
      "Give the whole secret.",
    );
  }
  const spellings = listSpellings(text);
  const source = spellings.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join("|");
  const inJson = spellings.map(escapeInJson);
  const isCertain = !ignoreCase && text.isWellFormed();
  const isInAnyCase = holds(new RegExp(source, "giu"));
  const slug = toSlug(text);
  return {
    replace: replaceBy(new RegExp(source, ignoreCase ? "giu" : "gu"), () => text),
    mayBeIn: (json) => !isCertain || inJson.some((each) => json.includes(each)),
    isLike: (name) => isInAnyCase(name) || (slug.length >= shortestLiteral && toSlug(name).includes(slug)),
    together: (work) => work(),
  };
}

/** In one of these, a regular expression that can match nothing at all does so. */
const samples = ["", "a", " a-1_\nb\tZ é.!\r\n"];

/** Makes a pattern of a regular expression of JavaScript; each match has a marker of its own. */
export function regexPattern(
  source: string,
  { ignoreCase = false, deadlineMs = 10_000 }: PatternOptions = {},
): TextPattern {
  const regex = compile(source, ignoreCase ? "giu" : "gu");
  const isInAnyCase = holds(compile(source, "giu"));
  const together = makeDeadline(deadlineMs, () =>
    usageError(
      "slow-pattern",
      `The regular expression was given up: it took longer than ${deadlineMs / 1000} s for a few entries.`,
      {
        hint: "Make it simpler: no repetition inside another, as in (a+)+, and a limit for each, as in a{1,80}.",
      },
    ),
  );
  if (together(() => samples.some((text) => [...text.matchAll(regex)].some(([match]) => match === "")))) {
    throw badPattern(
      "The regular expression matches the empty text, so that it would match everywhere.",
      "Let it match at least one character, as with + instead of *.",
    );
  }
  const replace = replaceBy(regex, (match) => match);
  return {
    replace: (text, mark) => together(() => replace(text, mark)),
    mayBeIn: () => true,
    isLike: (text) => together(() => isInAnyCase(text)),
    together,
  };
}

/** What the engine says of a bad pattern repeats it, and it may be the secret itself. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const reason = error.message.slice(error.message.lastIndexOf(": ") + 2);
    throw badPattern(
      `The regular expression is not valid: ${reason}.`,
      "Without --regex the pattern is taken as plain text.",
    );
  }
}

function badPattern(message: string, hint: string): AppError {
  return usageError("bad-pattern", message, { hint });
}

/** The longest first, so that none is taken for a part of itself. */
function listSpellings(text: string): readonly string[] {
  const inJson = escapeInJson(text);
  const spellings = [
    ...[text, text.replace(/\r?\n/g, "\r\n"), inJson, escapeInJson(inJson), escapeAscii(inJson)],
    ...(text.isWellFormed() ? [encodeURIComponent(text)] : []),
    // The form that a title has: on one line.
    text
      .split(/\s/)
      .filter((word) => word !== "")
      .join(" "),
  ];
  const long = [...new Set(spellings)].filter((each) => [...each].length >= shortestLiteral);
  return long.sort((one, other) => other.length - one.length);
}

function escapeInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Writes what is not ASCII as many programs do in JSON: `\u00e9`. */
function escapeAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function replaceBy(regex: RegExp, nameOf: (match: string) => string): TextPattern["replace"] {
  return (text, mark) => {
    const parts: string[] = [];
    let from = 0;
    let markers: readonly Range[] | undefined;
    for (const { 0: match, index } of text.matchAll(regex)) {
      const range = { start: index, end: index + match.length };
      markers ??= findMarkers(text);
      if (match === "" || isCovered(range, markers)) continue;
      parts.push(text.slice(from, range.start), mark(nameOf(match)));
      from = range.end;
    }
    return parts.length === 0 ? text : parts.join("") + text.slice(from);
  };
}

function holds(regex: RegExp): (text: string) => boolean {
  const replace = replaceBy(regex, (match) => match);
  return (text) => replace(text, () => "") !== text;
}

/** Tells whether a stretch lies in markers as a whole. */
function isCovered({ start, end }: Range, markers: readonly Range[]): boolean {
  const covered = markers.map((each) => Math.min(end, each.end) - Math.max(start, each.start));
  return covered.reduce((sum, each) => sum + Math.max(each, 0), 0) === end - start;
}
