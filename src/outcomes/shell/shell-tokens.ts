/** A word of a command line without its quotes, an operator between commands, or the target of a redirection. */
export interface ShellToken {
  readonly type: "word" | "operator" | "target";
  readonly text: string;
}

const operator = /(?:&&|\|\||\|&|;;?|[|&()\n])/y;
const redirection = /(?:\d*|&)(?:>>?\|?|<<<?-?|<)(?:&(?:\d+|-))?/y;
const blank = /[ \t\r]+/y;
const comment = /#[^\n]*/y;

/**
 * Splits a command line as a shell would: quotes are taken off, comments and the bodies of here-documents left out.
 *
 * Substitutions stay as they are written, inside their word. Nothing is refused: an open quote ends with the line.
 * The cost is linear.
 */
export function shellTokens(line: string): readonly ShellToken[] {
  const tokens: ShellToken[] = [];
  const documents: string[] = [];
  let at = 0;
  let expects: "word" | "target" | "document" = "word";
  while (at < line.length) {
    const skipped =
      lengthAt(blank, line, at) || lengthAt(comment, line, at) || (line.startsWith("\\\n", at) ? 2 : 0);
    const symbol = skipped > 0 ? 0 : lengthAt(redirection, line, at) || lengthAt(operator, line, at);
    if (skipped > 0) at += skipped;
    else if (symbol > 0) takeSymbol(line.slice(at, at + symbol));
    else takeWord();
  }
  return tokens;

  function takeSymbol(text: string): void {
    at += text.length;
    if (/[<>]/.test(text)) {
      if (!/&(?:\d+|-)$/.test(text)) expects = /^\d*<<-?$/.test(text) ? "document" : "target";
      return;
    }
    expects = "word";
    tokens.push({ type: "operator", text });
    if (text === "\n") at = afterDocuments(line, at, documents.splice(0));
  }

  function takeWord(): void {
    const word = readWord(line, at);
    at = word.end;
    if (expects === "document") documents.push(word.text);
    else tokens.push({ type: expects, text: word.text });
    expects = "word";
  }
}

function lengthAt(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0].length ?? 0;
}

/** Returns where the here-documents end that begin at a place, or the end of the line if one is never closed. */
function afterDocuments(line: string, start: number, names: readonly string[]): number {
  let at = start;
  for (const name of names) {
    let closed = false;
    while (!closed && at < line.length) {
      const end = line.indexOf("\n", at);
      closed = line.slice(at, end < 0 ? undefined : end).trim() === name;
      at = end < 0 ? line.length : end + 1;
    }
  }
  return at;
}

const plain = /[^\s'"\\$`|&;()<>]+/y;

function readWord(line: string, start: number): { readonly text: string; readonly end: number } {
  const parts: string[] = [];
  let at = start;
  while (at < line.length && (at === start || !/[\s|&;()<>]/.test(line.charAt(at)))) {
    const run = lengthAt(plain, line, at);
    const end = run > 0 ? at + run : endOfPiece(line, at);
    parts.push(run > 0 ? line.slice(at, end) : unquote(line.slice(at, end)));
    at = end;
  }
  return { text: parts.join(""), end: at };
}

/** Returns where a quoted, escaped or substituted piece of a word ends. */
function endOfPiece(line: string, at: number): number {
  const first = line.charAt(at);
  if (first === "\\") return Math.min(at + 2, line.length);
  if (first === "'" || first === "`") return after(line.indexOf(first, at + 1), line);
  if (first === '"') return endOfQuote(line, at + 1);
  if (line.startsWith("$(", at)) return endOfSubstitution(line, at + 2);
  if (line.startsWith("${", at)) return after(line.indexOf("}", at + 2), line);
  return at + 1;
}

const after = (index: number, line: string): number => (index < 0 ? line.length : index + 1);

function endOfQuote(line: string, start: number): number {
  let at = start;
  while (at < line.length && line.charAt(at) !== '"') at += line.charAt(at) === "\\" ? 2 : 1;
  return Math.min(at + 1, line.length);
}

function endOfSubstitution(line: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < line.length && depth > 0) {
    const character = line.charAt(at);
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    at += 1;
  }
  return at;
}

function unquote(piece: string): string {
  if (piece.startsWith("'")) return piece.slice(1).replace(/'$/, "");
  if (piece.startsWith('"'))
    return piece
      .slice(1)
      .replace(/"$/, "")
      .replace(/\\(["\\$`])/g, "$1");
  return piece.startsWith("\\") ? piece.slice(1) : piece;
}
