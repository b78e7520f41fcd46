/** What a program of awk does beyond printing to its output. */
export type AwkEffect =
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
export function awkEffects(program: string): readonly AwkEffect[] {
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
