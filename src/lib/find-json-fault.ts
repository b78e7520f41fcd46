/** What a JSON text has that a parser would not tell of, or choke on. */
export interface JsonFault {
  /** The line of the text, from 1 on. */
  readonly line: number;
  readonly reason: string;
}

const opening = new Set(["{", "["]);
const closing = new Set(["}", "]"]);

/**
 * Finds the first place where a JSON text is nested too deeply or an object has a key twice.
 *
 * Looks at brackets and strings only, in memory that grows with the depth and the keys: whether it is JSON at all,
 * the parser says.
 */
export function findJsonFault(text: string, levels: number): JsonFault | undefined {
  const scan = new Scan(levels);
  const mark = /["{}[\],:]/g;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const end = match[0] === '"' ? findEnd(text, match.index) : mark.lastIndex;
    const reason = scan.take(text, match.index, end);
    if (reason !== undefined) return { line: countLines(text, match.index), reason };
    mark.lastIndex = end;
  }
  return undefined;
}

/** Returns where a string ends that begins at a place; an expression would need a stack as deep as the string is long. */
function findEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Where a scan is: the keys of each object that it is in; an array has none. */
class Scan {
  readonly #levels: number;
  readonly #within: (Set<string> | undefined)[] = [];
  #awaitsKey = false;

  constructor(levels: number) {
    this.#levels = levels;
  }

  take(text: string, from: number, to: number): string | undefined {
    const mark = text[from] ?? "";
    if (opening.has(mark)) return this.#open(mark);
    if (mark === '"' && this.#awaitsKey) return this.#key(text.slice(from, to));
    if (closing.has(mark)) this.#within.pop();
    this.#awaitsKey = mark === "," && this.#within.at(-1) !== undefined;
    return undefined;
  }

  #open(token: string): string | undefined {
    this.#within.push(token === "{" ? new Set() : undefined);
    this.#awaitsKey = token === "{";
    return this.#within.length > this.#levels ? `it is nested deeper than ${this.#levels} levels` : undefined;
  }

  #key(token: string): string | undefined {
    this.#awaitsKey = false;
    const keys = this.#within.at(-1);
    const key = token.includes("\\") ? unescaped(token) : token.slice(1, -1);
    if (keys?.has(key)) return `it has the key ${JSON.stringify(key.slice(0, 40))} twice`;
    keys?.add(key);
    return undefined;
  }
}

/** A string that is none is left to the parser. */
function unescaped(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token;
  }
}

function countLines(text: string, upTo: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < upTo; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
