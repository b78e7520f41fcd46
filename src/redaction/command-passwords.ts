import { markerOpening } from "../lib/marker.ts";
import { findInWords, knownCommands, type Word } from "./command-line.ts";
import { findClosing } from "./quoting.ts";
import type { Finding, ReaderRule, Rule } from "./rule.ts";
import { isGivenPassword, looksLikePassword } from "./secret-value.ts";

const none: readonly Finding[] = [];

/** Passwords that the commands of a table take. */
const commandRule: ReaderRule = {
  keywords: knownCommands,
  read: ({ text }, { start, end }) => {
    if (!isWholeWord(text, start, end)) return none;
    const words = readWords(text, end);
    return findInWords(text.slice(start, end).toLowerCase(), words).map((found) => {
      const from = words[found.word]?.start ?? 0;
      return { kind: "command-password", start: from + found.start, end: from + found.end };
    });
  },
};

/** Tells whether a command stands for itself, or at the end of a path; a marker before it was part of a word. */
function isWholeWord(text: string, start: number, end: number): boolean {
  return !/[A-Za-z0-9_.@\]-]/.test(text[start - 1] ?? " ") && /[ \t\\"']/.test(text[end] ?? "");
}

/** Passwords among the arguments of commands. */
export const commandPasswordRules: readonly Rule[] = [
  {
    kind: "command-password",
    keywords: [" -u ", "--user "],
    source: String.raw`(?: -u|--user) ["']?[^\s:"'@\[]{1,64}:(?<secret>[^\s"'\[]{6,128})`,
    isSecret: looksLikePassword,
  },
  {
    // mysql -psecret
    kind: "command-password",
    keywords: [" -p"],
    source: String.raw` -p["']?(?<secret>[A-Za-z0-9!@#$%^&*_+=.-]{6,64})(?=["'\s]|$)`,
    isSecret: isMixedPassword,
  },
  {
    // openssl -passin pass:secret
    kind: "command-password",
    keywords: [" pass:"],
    source: String.raw`(?<=-pass(?:in|out)?) pass:(?<secret>[^\s"'\x60]{4,128})`,
    isSecret: isGivenPassword,
  },
  {
    kind: "command-password",
    keywords: ["requirepass ", "masterauth "],
    source: String.raw`(?:requirepass|masterauth) ["']?(?<secret>[^\s"'\x60]{4,128})`,
    isSecret: isGivenPassword,
  },
  commandRule,
];

function isMixedPassword(secret: string): boolean {
  return (
    /[a-z]/.test(secret) &&
    /[A-Z!@#$%^&*+=]/.test(secret) &&
    /[0-9]/.test(secret) &&
    looksLikePassword(secret)
  );
}

/** A word and where it begins in the text. */
interface PlacedWord extends Word {
  readonly start: number;
}

const mostWords = 24;
const longestWord = 256;
const gap = /[ \t]{1,16}(?:\\\r?\n[ \t]{0,40})?/y;
const quote = /(?<slashes>\\{0,3})(?<quote>["'])/y;
const comma = /\\{0,3}["'],\s{0,80}(?=\\{0,3}["'])/y;
const bare = new RegExp(String.raw`[^\s"'\x60|;&<>()\\]{1,${longestWord}}`, "y");

/**
 * Reads the words that follow a command on its line, or in the list in which it is the first.
 *
 * A marker ends the line: what it stands for may have held the end of the command.
 */
function readWords(text: string, from: number): readonly PlacedWord[] {
  return isAt(comma, text, from) ? readItems(text, from) : readArguments(text, from);
}

function readItems(text: string, from: number): readonly PlacedWord[] {
  const words: PlacedWord[] = [];
  for (let at = from; words.length < mostWords && isAt(comma, text, at); ) {
    const word = readQuoted(text, comma.lastIndex);
    if (word === undefined) break;
    words.push({ text: word.text, start: word.start });
    at = word.start + word.text.length;
  }
  return words;
}

function readArguments(text: string, from: number): readonly PlacedWord[] {
  const words: PlacedWord[] = [];
  for (let at = from; words.length < mostWords; ) {
    const isGlued = !isAt(gap, text, at);
    const start = isGlued ? at : gap.lastIndex;
    const word = readQuoted(text, start) ?? (isGlued ? undefined : readBare(text, start));
    if (word === undefined || (isGlued && at === from) || word.text.includes(markerOpening)) break;
    words.push({ text: word.text, start: word.start, isGlued });
    at = word.end;
  }
  return words;
}

interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function readQuoted(text: string, at: number): Found | undefined {
  quote.lastIndex = at;
  const groups = quote.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const start = quote.lastIndex;
  const slashes = groups.slashes?.length ?? 0;
  // A quote that does not close is that of a longer text around the command.
  const end = findClosing(text.slice(0, start + longestWord), { start, slashes, quote: groups.quote ?? "" });
  if (end === Math.min(text.length, start + longestWord) || text[end] === "\n") return undefined;
  return { text: text.slice(start, end), start, end: end + slashes + 1 };
}

function readBare(text: string, at: number): Found | undefined {
  bare.lastIndex = at;
  const found = bare.exec(text)?.[0];
  return found === undefined ? undefined : { text: found, start: at, end: at + found.length };
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
