import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  type Scalar,
  visit,
} from "yaml";
import { toPrintableLine } from "../../lib/printable.ts";

/** Where a value stands: of a value with a key, where the key is. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

type PlainValue = string | number | boolean | null;

export interface LocatedMap extends Place {
  readonly type: "map";
  /** In the order of the file. A map of its own, because a key may be any text, `__proto__` among them. */
  readonly entries: ReadonlyMap<string, Located>;
}

interface LocatedList extends Place {
  readonly type: "list";
  readonly items: readonly Located[];
}

interface LocatedScalar extends Place {
  readonly type: "scalar";
  readonly value: PlainValue;
}

/** A value of a configuration that knows where it stands. */
export type Located = LocatedMap | LocatedList | LocatedScalar;

/** Tells whether nothing was written after a key. */
export function isNothing(
  value: Located | undefined,
): value is (LocatedScalar & { readonly value: null }) | undefined {
  return value === undefined || (value.type === "scalar" && value.value === null);
}

/** Returns a map without anything in it. */
export function emptyMap({ file, line }: Place): LocatedMap {
  return { file, line, type: "map", entries: new Map() };
}

const longest = 60;

/** Returns as much of a name as fits into a sentence, without what a terminal would obey. */
export function shorten(name: string): string {
  const printable = toPrintableLine(name.slice(0, longest));
  return name.length > longest ? `${printable}…` : printable;
}

/** Something about the configuration of gates that its owner should know. */
export interface GateProblem {
  readonly file: string;
  /** The line, from 1 on; of a whole file 1. */
  readonly line: number;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What to do about it, as a sentence. */
  readonly hint: string;
}

/** A few lines with anchors can stand for billions of values. */
const mostValues = 20_000;

/** A configuration is at most six deep; an anchor inside of what it names has no end. */
const deepest = 24;

/** What the file says has no end, or no meaning. */
export class CannotRead extends Error {
  readonly line: number;
  readonly hint: string;

  constructor({ line }: Place, message: string, hint: string) {
    super(message);
    this.line = line;
    this.hint = hint;
  }
}

/** What is known while a file is read. */
interface Reading {
  readonly file: string;
  readonly lines: LineCounter;
  /** What each alias stands for. */
  readonly meant: ReadonlyMap<Node, Node>;
  readonly problems: GateProblem[];
  left: number;
}

/** Turns the nodes of YAML into values that know their lines, anchors followed and `<<` merged. Throws `CannotRead`. */
export function toLocated(document: Document.Parsed, lines: LineCounter, file: string) {
  const reading: Reading = { file, lines, meant: followAnchors(document), problems: [], left: mostValues };
  const root = readNode(reading, document.contents, { file, line: 1 }, { key: "", depth: 0 });
  return { root, problems: reading.problems };
}

/** An alias stands for the last anchor of its name before it. The parser would look for each through the whole file. */
function followAnchors(document: Document.Parsed): ReadonlyMap<Node, Node> {
  const anchors = new Map<string, Node>();
  const meant = new Map<Node, Node>();
  visit(document, (_key, node) => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) meant.set(node, target);
    } else if (isNode(node) && "anchor" in node && typeof node.anchor === "string") {
      anchors.set(node.anchor, node);
    }
  });
  return meant;
}

interface Position {
  /** The key before the value. */
  readonly key: string;
  readonly depth: number;
}

function readNode(reading: Reading, node: unknown, place: Place, { key, depth }: Position): Located {
  reading.left -= 1;
  if (reading.left < 0)
    throw new CannotRead(
      place,
      "It holds more values than a configuration can have.",
      "Write it without so many anchors.",
    );
  if (depth > deepest)
    throw new CannotRead(
      place,
      "It is nested more deeply than a configuration can be.",
      "Write it without so many levels.",
    );
  if (isAlias(node))
    return readNode(reading, followAlias(reading, node, place), place, { key, depth: depth + 1 });
  if (isMap(node)) return readMap(reading, node.items, place, depth);
  if (isSeq(node)) {
    const items = node.items.map((item) =>
      readNode(reading, item, placeOf(reading, item, place), { key: "", depth: depth + 1 }),
    );
    return { ...place, type: "list", items };
  }
  return { ...place, type: "scalar", value: isScalar(node) ? toPlain(node, key) : null };
}

function followAlias({ meant }: Reading, alias: Alias, place: Place): Node {
  const target = meant.get(alias);
  if (target !== undefined) return target;
  const problem = `It names an anchor ${shorten(alias.source)} that is not there.`;
  throw new CannotRead(place, problem, "Put the anchor before it, or remove it.");
}

function readMap(reading: Reading, pairs: readonly Pair[], place: Place, depth: number): LocatedMap {
  const entries = new Map<string, Located>();
  const merged = new Map<string, Located>();
  for (const { key, value } of pairs) {
    const at = placeOf(reading, key, place);
    const name = nameOf(reading, key);
    if (name === undefined) {
      tell(reading, at, "A key is no text and is left out.", "Use a word as the key.");
    } else if (name === "<<" && isScalar(key) && key.type === "PLAIN") {
      merge(reading, merged, readNode(reading, value, at, { key: "", depth: depth + 1 }));
    } else {
      if (entries.has(name))
        tell(
          reading,
          at,
          `The key ${shorten(name)} stands here for a second time${columnOf(reading, key)}.`,
          "The last one counts: remove the others.",
        );
      entries.set(name, readNode(reading, value, at, { key: name, depth: depth + 1 }));
    }
  }
  fillIn(entries, merged);
  return { ...place, type: "map", entries };
}

/** Takes over what stands after `<<`; of several maps the first counts. */
function merge(reading: Reading, merged: Map<string, Located>, value: Located): void {
  for (const map of value.type === "list" ? value.items : [value]) {
    if (map.type === "map") {
      fillIn(merged, map.entries);
    } else {
      tell(
        reading,
        value,
        "What stands after << is no map and is left out.",
        "Name the anchor of a map there.",
      );
    }
  }
}

function fillIn(entries: Map<string, Located>, more: ReadonlyMap<string, Located>): void {
  for (const [name, value] of more) if (!entries.has(name)) entries.set(name, value);
}

function nameOf(reading: Reading, key: unknown): string | undefined {
  const node = isAlias(key) ? reading.meant.get(key) : key;
  if (!isScalar(node) || node.value === null || typeof node.value === "object") return undefined;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

function placeOf({ file, lines }: Reading, node: unknown, otherwise: Place): Place {
  const at = isNode(node) ? node.range?.[0] : undefined;
  return at === undefined ? otherwise : { file, line: lines.linePos(at).line };
}

/** Lines of braces hold many keys. */
function columnOf({ lines }: Reading, node: unknown): string {
  const at = isNode(node) ? node.range?.[0] : undefined;
  return at === undefined ? "" : `, in column ${lines.linePos(at).col}`;
}

function tell({ file, problems }: Reading, { line }: Place, problem: string, hint: string): void {
  problems.push({ file, line, problem, hint });
}

function toPlain({ value, type, source }: Scalar, key: string): PlainValue {
  if (typeof value === "string")
    return type === "PLAIN" && yesOrNo.test(key) ? (toYesOrNo(value) ?? value) : value;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  // A tag has made something else of it, such as a date.
  return source ?? String(value);
}

/** The keys whose value is yes or no. Elsewhere such a word is a text. */
const yesOrNo = /^(?:clear_session_state|enabled|inherit|inject_context|stop_only|verify_requirements)$/;

/** Reads a word of YAML 1.1, in which the files of other tools are written; YAML 1.2 knows only true and false. */
function toYesOrNo(word: string): boolean | undefined {
  if (/^(?:yes|Yes|YES|on|On|ON)$/.test(word)) return true;
  return /^(?:no|No|NO|off|Off|OFF)$/.test(word) ? false : undefined;
}
