import { type Block, parseBlocks } from "../../lib/markdown/parse-blocks.ts";
import { isBlank, type Line, lineEndingOf, splitLines } from "../../lib/markdown/split-lines.ts";
import { readPlainLines } from "./plain-line.ts";

/** A heading at the top of a document; lines count from 0. */
export interface Heading {
  readonly depth: number;
  readonly title: string;
  readonly first: number;
  readonly last: number;
}

/** A comment that stands alone, from one line to another. */
interface Comment {
  readonly first: number;
  readonly last: number;
}

/** The structure of a document that its sections are found by. */
export interface Outline {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly headings: readonly Heading[];
  readonly comments: readonly Comment[];
  /** The lines that are code or HTML, where what looks like structure is none. */
  readonly literal: ReadonlySet<number>;
  /** What the text leaves open, so that all that follows would belong to it, and what closes it. */
  readonly open: { readonly line: number; readonly closer: string } | undefined;
}

/** Reads the structure of a Markdown text without a byte order mark. */
export function outlineOf(text: string): Outline {
  return { text, lines: splitLines(text), ...(readPlain(text) ?? parseStructure(text)) };
}

type Structure = Omit<Outline, "text" | "lines">;

/** Reads the structure of a text of plain lines; undefined for any other. */
function readPlain(text: string): Structure | undefined {
  const lines = readPlainLines(text);
  if (lines === undefined) return undefined;
  const comments = lines.flatMap(({ type }, line) =>
    type === "comment" ? [{ first: line, last: line }] : [],
  );
  return {
    headings: lines.flatMap((line, at) =>
      line.type === "heading"
        ? [{ depth: line.depth, title: toTitle(line.content), first: at, last: at }]
        : [],
    ),
    comments,
    literal: new Set(comments.map(({ first }) => first)),
    open: undefined,
  };
}

/** Reads the structure of any text, with the parser of Markdown. */
export function parseStructure(text: string): Structure {
  const blocks = parseBlocks(text);
  return {
    headings: blocks.flatMap(toHeading),
    comments: blocks.flatMap((block) => toComment(block, text)),
    literal: new Set(literalLines(blocks, Number.POSITIVE_INFINITY)),
    open: findOpen(blocks.at(-1), text),
  };
}

/** Returns the content of a line. */
export function lineText({ text, lines }: Pick<Outline, "text" | "lines">, number: number): string {
  const line = lines[number];
  return line === undefined ? "" : text.slice(line.start, line.end);
}

function spanOf({ position }: Block): Comment {
  return { first: (position?.start.line ?? 1) - 1, last: (position?.end.line ?? 1) - 1 };
}

function sourceOf({ position }: Block, text: string): string {
  return text.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}

function toHeading(block: Block): readonly Heading[] {
  if (block.type !== "heading") return [];
  const content = block.children.map((child) => ("value" in child ? child.value : "")).join(" ");
  return [{ depth: block.depth, title: toTitle(content), ...spanOf(block) }];
}

function toTitle(content: string): string {
  return content.replace(/^[*_`\s]+|[*_`\s:]+$/g, "");
}

function toComment(block: Block, text: string): readonly Comment[] {
  if (block.type !== "html") return [];
  const source = sourceOf(block, text).trim();
  const isComment = source.startsWith("<!--") && source.indexOf("-->", 2) === source.length - 3;
  return isComment ? [spanOf(block)] : [];
}

/**
 * Returns the lines of code and HTML at any depth, up to a line.
 *
 * The parser lets what is left open at the end of an item reach into the next one, so each ends where the next begins.
 */
function literalLines(blocks: readonly Block[], limit: number): readonly number[] {
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const end = Math.min(limit, next === undefined ? limit : spanOf(next).first);
    const { first, last } = spanOf(block);
    if (block.type === "code" || block.type === "html") {
      const count = Math.max(1, Math.min(last + 1, end) - first);
      return Array.from({ length: count }, (_, line) => first + line);
    }
    return "children" in block ? literalLines(block.children as readonly Block[], end) : [];
  });
}

/** HTML that begins so goes on, over blank lines, until its own end; all other HTML ends at a blank line. */
const endings: readonly (readonly [start: RegExp, end: RegExp, closer: string])[] = [
  [/^<(?:pre|script|style|textarea)(?=[\s>]|$)/i, /<\/(?:pre|script|style|textarea)>/i, "</pre>"],
  [/^<!--/, /-->/, "-->"],
  [/^<\?/, /\?>/, "?>"],
  [/^<!\[CDATA\[/, /\]\]>/, "]]>"],
  [/^<![a-z]/i, />/, ">"],
];

function findOpen(block: Block | undefined, text: string): Outline["open"] {
  if (block === undefined) return undefined;
  const source = sourceOf(block, text);
  const line = spanOf(block).first;
  if (block.type === "html") {
    // The place of HTML counts the space before it, that of a fence does not.
    const ending = endings.find(([start]) => start.test(source.trimStart()));
    return ending === undefined || ending[1].test(source) ? undefined : { line, closer: ending[2] };
  }
  const fence = block.type === "code" ? /^(?:`{3,}|~{3,})/.exec(source)?.[0] : undefined;
  if (fence === undefined) return undefined;
  const [, ...rest] = source.split(/\r\n|\n|\r/);
  const last = /^ {0,3}([`~]+)[ \t]*$/.exec(rest.at(-1) ?? "")?.[1] ?? "";
  const isClosed = last.startsWith(fence) && last === fence.charAt(0).repeat(last.length);
  return isClosed ? undefined : { line, closer: fence };
}

interface SpliceOptions {
  /** Whether a blank line must follow what is new: never, unless told. */
  readonly apart?: "after" | "never";
}

/** Replaces the lines from `from` up to `to` of a text by others, in the line endings of the text. */
export function replaceLines(
  outline: Pick<Outline, "text" | "lines">,
  { from, to }: { readonly from: number; readonly to: number },
  fresh: readonly string[],
  { apart = "never" }: SpliceOptions = {},
): string {
  const { text, lines } = outline;
  const ending = lineEndingOf(text);
  const isLast = to >= lines.length;
  const start = lines[from]?.start ?? text.length;
  const end = from >= to ? start : (lines[to - 1]?.next ?? text.length);
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isTorn = before !== "" && !/[\n\r]$/.test(before);
  const gap = apart === "after" && !isLast && !isBlank(lineText(outline, to)) ? [""] : [];
  const added = [...fresh, ...gap].join(ending);
  if (fresh.length === 0) return before + after;
  // A last line without an end stays one.
  const hadEnd = isLast && from < to ? /[\n\r]$/.test(text) : !isTorn;
  return `${before}${isTorn ? ending : ""}${added}${after !== "" || hadEnd ? ending : ""}${after}`;
}

/** Puts lines before a line of a text, with a blank line on each side. */
export function insertLines(
  outline: Pick<Outline, "text" | "lines">,
  line: number,
  fresh: readonly string[],
): string {
  const isApart = line === 0 || isBlank(lineText(outline, line - 1));
  return replaceLines(outline, { from: line, to: line }, isApart ? fresh : ["", ...fresh], {
    apart: "after",
  });
}
