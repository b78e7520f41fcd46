import { fold } from "../lib/markdown/fold.ts";
import { type Block, parseBlocks } from "../lib/markdown/parse-blocks.ts";
import { readPlainLines } from "./markdown/plain-line.ts";

type ListBlock = Extract<Block, { type: "list" }>;

/** One item at the top of a body. */
export interface Item {
  /** What stands after the marker, all lines of it. */
  readonly text: string;
  /** `-`, `*`, `+`, or a number with its dot. */
  readonly marker: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the items of all lists at the top of a body. */
export function itemsOf(body: string): readonly Item[] {
  return readPlainItems(body) ?? parseItems(body);
}

/** Returns the items of a body that is one list of plain lines, or has no list; undefined for any other. */
function readPlainItems(body: string): readonly Item[] | undefined {
  const lines = readPlainLines(body);
  const items: Item[] = [];
  const kinds = new Set<string>();
  let start = 0;
  for (const [index, source] of body.split("\n").entries()) {
    const line = lines?.[index] ?? { type: "blank" };
    if (line.type === "item") {
      const { content, marker } = line;
      kinds.add(`${line.indent}${marker.slice(-1)}`);
      items.push({ text: content.trimEnd(), marker, start, end: start + source.trimEnd().length });
    } else if (line.type !== "blank") kinds.add("other");
    start += source.length + 1;
  }
  const isOne = kinds.size < 2 && items.every(({ start: at, marker }) => body.startsWith(marker, at));
  return lines !== undefined && isOne ? items : undefined;
}

/** Returns the items of any body, with the parser of Markdown. */
export function parseItems(body: string): readonly Item[] {
  const blocks = parseBlocks(body);
  return blocks.flatMap((block, index) => {
    const limit = blocks[index + 1]?.position?.start.offset ?? body.length;
    return block.type === "list"
      ? block.children.map((_, number) => toFound(block, number, limit, body))
      : [];
  });
}

/** The parser lets what is left open at the end of an item reach into the next one. */
function toFound(list: ListBlock, number: number, limit: number, body: string): Item {
  const position = list.children[number]?.position;
  const next = list.children[number + 1]?.position?.start.offset ?? limit;
  const start = position?.start.offset ?? 0;
  const source = body.slice(start, Math.min(position?.end.offset ?? start, next)).trimEnd();
  const [lead = "", marker = ""] = /^[ \t]*([-*+]|\d{1,9}[.)])[ \t]*/.exec(source) ?? [];
  return { text: source.slice(lead.length), marker, start, end: start + source.length };
}

/** Tells whether a body is made of nothing but items. */
export function isList(body: string): boolean {
  const lines = readPlainLines(body);
  if (lines?.every(({ type }) => type === "item")) return true;
  return parseBlocks(body).every(({ type }) => type === "list");
}

/** Returns a text as an item of a list can hold it: on one line, and as nothing but the text of one item. */
export function toItem(text: string): string {
  const item = fold(text);
  const [first, ...others] = itemsOf(`- ${item}`);
  return item === "" || (first?.text === item && others.length === 0) ? item : `\\${item}`;
}

/** What an item of a new list begins with. */
export type ListStyle = "bullets" | "numbers";

/** Returns a body with more items at its end, which go on in the style of the list that is there. */
export function addItems(body: string, texts: readonly string[], style: ListStyle): string {
  const known = itemsOf(body);
  const last = known.at(-1);
  const isAtEnd = last !== undefined && body.slice(last.end).trim() === "";
  const first = isAtEnd ? last.marker : style === "bullets" ? "-" : "0.";
  let number = Math.max(Number.parseInt(first, 10), isAtEnd ? highestNumber(known) : 0);
  const lines = texts.map((text) => {
    number += 1;
    const marker = Number.isNaN(number) ? first : `${number}${first.at(-1)}`;
    return `${marker} ${indentTo(text, marker.length + 1)}`;
  });
  if (lines.length === 0) return body;
  if (body === "") return lines.join("\n");
  return `${body}${isAtEnd ? "\n" : "\n\n"}${lines.join("\n")}`;
}

/** Returns a body without some of its items; what stood around them stays as far apart as it was. */
export function removeItems(body: string, isUnwanted: (item: Item) => boolean): string {
  // From the end, so that the places of the others stay right.
  return itemsOf(body)
    .filter(isUnwanted)
    .reduceRight((text, { start, end }) => joinApart(text.slice(0, start), text.slice(end)), body);
}

/** Joins two texts by the wider of the gaps that they have where they meet. */
function joinApart(one: string, other: string): string {
  const [before, after] = [one.trimEnd(), other.replace(/^\n+/, "")];
  if (before === "" || after.trim() === "") return before + after.trimEnd();
  const above = one.slice(before.length).replace(/[^\n]/g, "");
  const below = other.slice(0, other.length - after.length);
  return before + (above.length < below.length ? below : above) + after;
}

/** Returns two bodies as one: the items of the second go on in the list of the first, other text stands below it. */
export function joinBodies(one: string, other: string, style: ListStyle): string {
  if (one === "" || other === "") return one + other;
  if (!isList(other)) return `${one}\n\n${other}`;
  return addItems(
    one,
    itemsOf(other).map((item) => outdent(item)),
    style,
  );
}

/** Some number a whole range in a line of its own, such as `9-16: … (D8-D16)`. */
function highestNumber(items: readonly Item[]): number {
  const numbers = items.flatMap(({ marker, text }) => [
    Number.parseInt(marker, 10),
    ...text.split("\n").map((line) => Number(/^\d{1,6}-(\d{1,6}):/.exec(line)?.[1])),
  ]);
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.length === 0 ? Number.NaN : Math.max(...known);
}

/** Takes away the space that the further lines of an item have because of its marker. */
function outdent({ text, marker }: Item): string {
  const space = new RegExp(`^ {0,${marker.length + 1}}`);
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? line : line.replace(space, "")))
    .join("\n");
}

function indentTo(text: string, width: number): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : " ".repeat(width) + line))
    .join("\n");
}
