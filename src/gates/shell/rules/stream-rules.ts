import { type Argument, exactly, isDevice, isExact, join } from "../argument.ts";
import { type Classification, nothing, quote, reads, unknown, worst, writes } from "../classification.ts";
import { findOption, looks, parseOptions } from "../options.ts";
import { type Call, type Programs, plainly, type Rule } from "../program.ts";
import { type SedEffect, sedEffects } from "../sed-script.ts";

/** What a program of awk does beyond printing to its output. */
type AwkEffect =
  | { readonly type: "writes" }
  /** A command for the shell, where it is a plain text. */
  | { readonly type: "runs"; readonly command: string | undefined }
  /** Something is loaded that is not seen here. */
  | { readonly type: "loads" };

interface Token {
  readonly type: "text" | "pattern" | "word" | "symbol";
  readonly text: string;
}

const space = /(?:[ \t\r]+|\\\r?\n|#[^\n]*)+/y;
const lexemes: readonly { readonly type: Token["type"]; readonly pattern: RegExp }[] = [
  { type: "text", pattern: /"(?:[^"\\\n]|\\[\s\S])*"/y },
  { type: "word", pattern: /[@A-Za-z_]\w*|\d[\w.]*/y },
  { type: "symbol", pattern: />>|\|&|\|\||&&|[<>=!]=|[\s\S]/y },
];
const pattern = /\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*\//y;

/** Longer programs are not looked at. */
const longest = 10_000;

/** Returns what a program of awk writes and runs, in order. */
function awkEffects(program: string): readonly AwkEffect[] {
  if (program.length > longest) return [{ type: "runs", command: undefined }];
  const tokens = toTokens(program);
  // Behind these a slash may divide or begin a pattern.
  if (/(?:\+\+|--)[\s\\]*\//.test(program)) return [{ type: "runs", command: undefined }];
  let depth: number | undefined;
  return tokens.flatMap((token, at) => {
    depth = depthOfPrint(depth, token);
    return [...(depth === 0 ? outputsAt(tokens, at) : []), ...effectsAt(tokens, at)];
  });
}

/** Returns how many brackets are open in a print, or `undefined` outside of one. */
function depthOfPrint(depth: number | undefined, { type, text }: Token): number | undefined {
  if (type === "word" && /^printf?$/.test(text)) return 0;
  if (depth === undefined || type !== "symbol") return depth;
  if (/^[([]$/.test(text)) return depth + 1;
  if (/^[)\]]$/.test(text)) return depth > 0 ? depth - 1 : undefined;
  return /^[;}\n]$/.test(text) ? undefined : depth;
}

function toTokens(program: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    at += lengthAt(space, program, at);
    if (at >= program.length) break;
    const token = readToken(program, at, tokens.at(-1));
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function lengthAt(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.exec(text)?.[0].length ?? 0;
}

function readToken(program: string, at: number, before: Token | undefined): Token {
  if (program.charAt(at) === "/" && !endsValue(before)) {
    const length = lengthAt(pattern, program, at);
    if (length > 0) return { type: "pattern", text: program.slice(at, at + length) };
  }
  for (const { type, pattern: expression } of lexemes) {
    const length = lengthAt(expression, program, at);
    if (length > 0) return { type, text: program.slice(at, at + length) };
  }
  return { type: "symbol", text: program.charAt(at) };
}

/** Tells whether a slash behind this token divides. */
function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.type === "word")
    return !/^(?:print|printf|return|in|getline|case|do|else|exit|delete)$/.test(token.text);
  return token.type !== "symbol" || /^[)\]$]$/.test(token.text);
}

/** Returns where a print goes whose sign of direction stands at a place. */
function outputsAt(tokens: readonly Token[], at: number): readonly AwkEffect[] {
  const { type, text } = tokens[at] ?? { type: "symbol", text: "" };
  if (type !== "symbol") return [];
  const target = endsAt(tokens[at + 2]) ? textOf(tokens[at + 1]) : undefined;
  if (text === ">" || text === ">>") return output.test(target ?? "") ? [] : [{ type: "writes" }];
  return text === "|" || text === "|&" ? [{ type: "runs", command: target }] : [];
}

const output = /^(?:\/dev\/(?:stdout|stderr|null|tty))$/;

const endsAt = (token: Token | undefined): boolean => token === undefined || /^[;}\n]$/.test(token.text);

function effectsAt(tokens: readonly Token[], at: number): readonly AwkEffect[] {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (token?.type === "word") return calledAt(tokens, at, token.text);
  if (token?.type !== "symbol" || !/^\|&?$/.test(token.text)) return [];
  if (next?.text === "getline")
    return [{ type: "runs", command: isAlone(tokens[at - 2]) ? textOf(before) : undefined }];
  return token.text === "|&" ? [{ type: "runs", command: undefined }] : [];
}

function calledAt(tokens: readonly Token[], at: number, word: string): readonly AwkEffect[] {
  if (word.startsWith("@")) return [{ type: "loads" }];
  if (word !== "system" || tokens[at + 1]?.text !== "(") return [];
  return [{ type: "runs", command: tokens[at + 3]?.text === ")" ? textOf(tokens[at + 2]) : undefined }];
}

/** Tells whether a text behind this token is not the second half of a longer one. */
const isAlone = (before: Token | undefined): boolean =>
  before === undefined ||
  (before.type === "symbol" && /^[({;\n}!]$|^(?:&&|\|\|)$/.test(before.text)) ||
  /^(?:while|if)$/.test(before.text);

/** Returns the content of a plain text; one with an escape is left alone. */
function textOf(token: Token | undefined): string | undefined {
  if (token?.type !== "text" || token.text.includes("\\")) return undefined;
  return token.text.slice(1, -1);
}

const sed: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: "-efl --expression --file --line-length", attached: "i" });
  if (findOption(parsed, "-i --in-place") !== undefined)
    return writes(`${quote(`${name} -i`)} edits files in place.`);
  if (parsed.isLoose) return plainly("unknown", name);
  if (looks(parsed, "--sandbox")) return plainly("reads", name);
  if (findOption(parsed, "-f --file") !== undefined)
    return unknown("What the script of `sed -f` does is not seen here.");
  const given = parsed.options.filter((option) => option.name === "-e" || option.name.startsWith("--e"));
  const scripts = given.length > 0 ? given.map(({ value }) => value) : parsed.operands.slice(0, 1);
  const lines = scripts.flatMap((script) => script ?? []);
  return worst(reads("`sed` only prints."), judgeSed(joinLines(lines)));
};

/** Scripts of several options are one script to it, a line each. */
const joinLines = (lines: readonly Argument[]): Argument =>
  lines.reduce((text, line, at) => join(text, at === 0 ? line : join(exactly("\n"), line)), exactly(""));

function judgeSed(script: Argument): Classification {
  const found = worst(...sedEffects(script.text).map(describeSed));
  if (isExact(script) || found.verdict === "writes") return found;
  return unknown("What the script of `sed` does is decided only when it runs.");
}

function describeSed(effect: SedEffect): Classification {
  if (effect.type === "runs") return unknown("The script of `sed` runs commands.");
  if (effect.type === "lost") return unknown("The script of `sed` is not understood.");
  return isDevice(exactly(effect.file)) ? nothing : writes("The script of `sed` writes a file.");
}

const awk: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    values: "-FvfielmEW --field-separator --assign --file --include --source --exec --load",
    attached: "odpD",
    endsAtOperand: true,
  });
  const isInPlace = parsed.options.some(({ value }) => value !== undefined && /^inplace\b/.test(value.text));
  if (isInPlace) return writes(`${quote(`${call.name} -i inplace`)} edits files in place.`);
  const prints = findOption(parsed, "-o -d -p --pretty-print --dump-variables --profile");
  if (prints !== undefined) return writes(`${quote(`${call.name} ${prints.name}`)} writes a file.`);
  const loads = findOption(parsed, "-f --file -i --include -l --load -E --exec -W -D --debug");
  if (loads !== undefined || parsed.isLoose) return plainly("unknown", call.name);
  const given = parsed.options.filter((option) => option.name === "-e" || option.name === "--source");
  const programs = given.length > 0 ? given.map(({ value }) => value) : parsed.operands.slice(0, 1);
  return worst(
    reads(`${quote(call.name)} only prints.`),
    ...programs.map((program) => judgeAwk(program, call)),
  );
};

function judgeAwk(program: Argument | undefined, call: Call): Classification {
  if (program === undefined) return nothing;
  const found = worst(...awkEffects(program.text).map((effect) => describeAwk(effect, call)));
  if (isExact(program) || found.verdict === "writes") return found;
  return unknown(`What the program of ${quote(call.name)} does is decided only when it runs.`);
}

function describeAwk(effect: AwkEffect, { name, script }: Call): Classification {
  if (effect.type === "writes") return writes(`The program of ${quote(name)} prints to a file.`);
  if (effect.type === "loads") return unknown(`The program of ${quote(name)} loads another.`);
  return effect.command === undefined
    ? unknown(`The program of ${quote(name)} runs commands.`)
    : script(exactly(effect.command));
}

/** Programs with a small language of their own for editing streams. */
export const streamRules: Programs = { "sed gsed": sed, "awk gawk mawk nawk": awk };
