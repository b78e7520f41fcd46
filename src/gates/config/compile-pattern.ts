/** The engine for all patterns: `re2-pattern.ts`, which a hook loads only when it needs it. */
export interface PatternEngine {
  readonly compileRe2Pattern: (pattern: string) => (text: string) => boolean;
}

/** A pattern of a trigger. */
interface Pattern {
  /** Tells whether it is found anywhere in a text, whatever the case of its letters. Linear in the text. */
  finds(text: string): boolean;
}

/**
 * Makes a pattern ready to be looked for. The engine is loaded at the first text in which only it can tell; what it throws
 * at a pattern that it does not know is thrown then. A configuration has no such patterns.
 */
export function compilePattern(pattern: string, loadEngine: () => PatternEngine): Pattern {
  const simple = compileSimplePattern(pattern);
  if (simple !== undefined) return { finds: simple };
  const mayFind = compileNeededText(pattern);
  let find: ((text: string) => boolean) | undefined;
  return {
    finds: (text) => {
      if (!mayFind(text)) return false;
      find ??= loadEngine().compileRe2Pattern(pattern);
      return find(text);
    },
  };
}

/** One part of a pattern: a text, a choice of texts, white space, the edge of a word, the start, or "or". */
interface Part {
  readonly type: "text" | "choice" | "space" | "edge" | "start" | "or";
  readonly source: string;
}

/** Letters beyond ASCII are left to the engine, which knows their other case. */
const letter = String.raw`(?![\\^$.|?*+()[\]{}])[\x00-\x7f]|\\[!-/:-@[-\x60{-~]`;
const part = new RegExp(
  String.raw`(?<text>${letter})|(?<choice>\((?:\?:)?(?:${letter})+(?:\|(?:${letter})+)*\))|(?<space>\\s[+*]?)|(?<edge>\\b)|(?<start>\^)|(?<or>\|)`,
  "uy",
);

/**
 * Returns what finds a simple pattern, or undefined for one that needs a real engine: loading that costs as much as
 * starting Node, and most patterns are `git\s+(commit|merge)` and the like.
 *
 * The engine of JavaScript goes back at a failure. A simple pattern leaves it nothing to try: before white space and after it
 * stands something else, so that the cost is linear.
 */
export function compileSimplePattern(pattern: string): ((text: string) => boolean) | undefined {
  const parts = toParts(pattern);
  if (parts === undefined) return undefined;
  if (!splitAtBars(parts).every(isSteady)) return undefined;
  const found = new RegExp(parts.map(toSource).join(""), "u");
  return (command) => found.test(command);
}

/** Returns what tells whether a text may hold a pattern: it has what everything has that the pattern finds. */
export function compileNeededText(pattern: string): (text: string) => boolean {
  // JavaScript and RE2 know the same pairs of letters where texts are taken as Unicode.
  const needed = new RegExp(findNeededText(pattern), "iu");
  return (text) => needed.test(text);
}

/** Returns a text that is in everything that a pattern finds, but for case; empty where that is not easily said. */
function findNeededText(pattern: string): string {
  if (pattern.includes("|") || pattern.includes("(?")) return "";
  const text = /^[^\\^$.|?*+()[\]{}]*/u.exec(pattern)?.[0] ?? "";
  const next = pattern.charAt(text.length);
  return "?*{".includes(next) && next !== "" ? [...text].slice(0, -1).join("") : text;
}

function toParts(pattern: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < pattern.length) {
    const groups = part.exec(pattern)?.groups;
    if (groups === undefined) return undefined;
    const [type, source] = Object.entries(groups).find(([, found]) => found !== undefined) ?? [];
    parts.push({ type: type as Part["type"], source: source ?? "" });
  }
  return parts;
}

function splitAtBars(parts: readonly Part[]): readonly (readonly Part[])[] {
  const ways: Part[][] = [[]];
  for (const each of parts) {
    if (each.type === "or") ways.push([]);
    else ways.at(-1)?.push(each);
  }
  return ways;
}

/** Tells whether each part can begin at one place only, once the part before it has been found. */
function isSteady(way: readonly Part[]): boolean {
  const parts = way.filter(({ type }) => type !== "edge");
  const rest = parts[0]?.type === "start" ? parts.slice(1) : parts;
  return rest.every((each, index) => mayFollow(rest[index - 1], each));
}

function mayFollow(before: Part | undefined, each: Part): boolean {
  if (each.type === "choice" && !isClear(each.source)) return false;
  if (each.type === "space")
    return before !== undefined && before.type !== "space" && !/\s(?:$|[|)])/.test(before.source);
  return each.type !== "start" && (before?.type !== "space" || !/(?:^|[(:|])\s/.test(each.source));
}

/** Tells whether at most one text of a choice can be found at a place: none begins with another. */
function isClear(choice: string): boolean {
  const texts =
    choice
      .toLowerCase()
      .replace(/^\((?:\?:)?/, "")
      .match(/(?:\\.|[^|)\\])+/gu) ?? [];
  return texts.every((text, index) =>
    texts.every((other, place) => place === index || !other.startsWith(text)),
  );
}

/**
 * White space is that of RE2, which is less than that of JavaScript. Letters are written in both cases: the flag for it
 * would make letters of some signs, and move the edges of words.
 */
function toSource({ type, source }: Part): string {
  if (type === "space") return `[\\t\\n\\f\\r ]${source.slice(2)}`;
  if (type !== "choice" && type !== "text") return source;
  const inner = source.replace(/\\([^A-Za-z0-9])/gu, (whole, sign: string) =>
    /[\^$\\.*+?()[\]{}|/]/.test(sign) ? whole : sign,
  );
  return inner.replace(/[a-z]/gi, (each) => `[${casesOf(each)}]`);
}

/** The sign for Kelvin and the long s are the third forms of two letters. */
const thirdForms: Readonly<Record<string, string>> = { k: "\u212a", s: "\u017f" };

function casesOf(given: string): string {
  const lower = given.toLowerCase();
  return lower + lower.toUpperCase() + (thirdForms[lower] ?? "");
}
