import { RE2JS } from "re2js";

/** Returns what finds a pattern in a text, whatever the case of its letters, in time that grows with the text alone. Throws what RE2 says against it. */
export function compileRe2Pattern(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(toRe2(pattern), RE2JS.CASE_INSENSITIVE);
  return (text) => compiled.matcher(text).find();
}

/** Where `$` stands for the end of a line, as the pattern itself says. */
const linewise = /\(\?[a-z]*m/;

const piece =
  /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[\s\S])|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\$|\{,(?=\d+\})/g;

/** Rewrites what Python writes in another way than RE2; the rest is the same in both, or RE2 refuses it. */
function toRe2(pattern: string): string {
  const end = linewise.test(pattern) ? "$" : "(?:\\n?\\z)";
  return pattern.replace(piece, (found: string, short?: string, long?: string) => {
    if (short !== undefined || long !== undefined) return `\\x{${short ?? long}}`;
    if (found === "\\Z") return "\\z";
    if (found === "$") return end;
    return found === "{," ? "{0," : found;
  });
}

/** Longer ones are no patterns that a person writes. */
const longest = 1000;

/** Why a pattern cannot be used, as the end of a sentence, and what to do about it. */
interface PatternFault {
  readonly reason: string;
  readonly hint: string;
}

/** Returns why and where a pattern cannot be used, or undefined if it can. */
export function findPatternFault(pattern: string): PatternFault | undefined {
  if (pattern.length > longest)
    return { reason: `it is longer than ${longest} characters`, hint: "Write a shorter one." };
  try {
    compileRe2Pattern(pattern);
    return undefined;
  } catch (error) {
    return describeFault(pattern, error);
  }
}

const itself = "or put a \\ before a sign that stands for itself";

/** What to do, by the beginning of what the engine says. */
const remedies: readonly (readonly [reason: string, hint: string])[] = [
  ["missing closing )", `Close the group, ${itself}: \\(.`],
  ["unexpected )", `Open the group that it closes, ${itself}: \\).`],
  ["missing closing ]", `Close the list of characters, ${itself}: \\[.`],
  ["missing argument to repetition", `Put what is repeated before it, ${itself}.`],
  ["invalid nested repetition", `Repeat it once, ${itself}.`],
  ["invalid repeat count", "Let it repeat at most 1000 times, the smaller number first."],
  ["trailing backslash", "Remove the last \\, or write it twice."],
];

const unsupported = "Write it without looking ahead or behind and without referring back to a group.";

/** The engine says what is wrong and with which part; where that part is, it does not say. */
function describeFault(pattern: string, error: unknown): PatternFault {
  const { error: said, input } = error as { readonly error?: unknown; readonly input?: unknown };
  if (typeof said !== "string")
    return { reason: error instanceof Error ? error.message : String(error), hint: unsupported };
  const [, hint = unsupported] = remedies.find(([reason]) => said.startsWith(reason)) ?? [];
  const at = locateFault(pattern, said, input);
  if (at !== undefined) return { reason: `${said}, at character ${at + 1}: ${pattern.slice(at)}`, hint };
  return { reason: typeof input === "string" ? `${said}: ${input}` : said, hint };
}

/** Returns where a fault is, if there is only one place where it can be. */
function locateFault(pattern: string, said: string, input: unknown): number | undefined {
  if (said.endsWith(" )")) return findLoneParenthesis(pattern);
  if (typeof input !== "string" || said.startsWith("duplicate")) return undefined;
  const at = pattern.indexOf(input);
  return at >= 0 && at === pattern.lastIndexOf(input) ? at : undefined;
}

/** Returns where the first parenthesis without its other is. */
function findLoneParenthesis(pattern: string): number | undefined {
  const open: number[] = [];
  for (const { 0: part, index } of pattern.matchAll(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[()]/g)) {
    if (part === "(") open.push(index);
    if (part === ")" && open.pop() === undefined) return index;
  }
  return open[0];
}
