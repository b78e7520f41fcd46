import { isDeepStrictEqual } from "node:util";
import { type Document, isAlias, isMap, isScalar, type Pair, parseDocument, type Scalar } from "yaml";
import { type AppError, configError } from "../lib/app-error.ts";
import { parseRequirements } from "./config/parse-requirements.ts";
import { shorten } from "./config/to-located.ts";

/** The file cannot be changed without breaking what is in it. */
function badRequirements(file: string, reason: string, hint: string): AppError {
  return configError("bad-requirements", `${file} cannot be changed: ${reason}`, { hint });
}

const beginning = '# What counts only for you, in this work tree. Keep it out of commits.\nversion: "1.0"\n';

/**
 * Turns a requirement, or without a name all of them, on or off in the text of a requirements.local.yaml, and returns the new text. Comments, order and, where
 * the setting is there already, every other character stay. An empty text becomes a new file.
 */
export function setEnabled(
  text: string,
  name: string | undefined,
  { enabled, file }: { enabled: boolean; file: string },
): string {
  const { isReadable, root, problems } = parseRequirements(text, file);
  const problem = problems.at(-1);
  if (!isReadable && problem !== undefined)
    throw badRequirements(
      file,
      problem.problem.replace(/ All gates are off\.$/, ""),
      `Line ${problem.line}: ${problem.hint}`,
    );
  if (root.entries.size === 0 && text.trim() === "") return setEnabled(beginning, name, { enabled, file });
  const document = openDocument(text, file);
  const path = name === undefined ? [] : ["requirements", keyOf(document.get("requirements", true), name)];
  for (const [index, part] of path.entries())
    refuseOther(document.getIn(path.slice(0, index + 1), true), shorten(String(part)), file);
  const value = document.getIn([...path, "enabled"], true);
  refuseAnchor(value, "enabled", file);
  // What says nothing else than the default is taken out: it would win over what the other files say.
  if (name === undefined && enabled)
    return value === undefined ? text : removeSetting(text, document, "enabled");
  if (isScalar(value) && isWritten(value)) return replace(text, value, String(enabled));
  return insertSetting(text, document, [...path, "enabled"], enabled);
}

function openDocument(text: string, file: string): Document {
  const document = parseDocument(text);
  if (document.errors.length === 0) return document;
  throw badRequirements(file, "a key stands there twice.", "Remove one of them, and try again.");
}

/** Returns the key of a requirement as YAML has read it: a name such as 1 is a number there. */
function keyOf(requirements: unknown, name: string): unknown {
  const keys = isMap(requirements) ? requirements.items.map(({ key }) => key) : [];
  const found = keys.find((key) => isScalar(key) && (key.source ?? String(key.value)) === name);
  return isScalar(found) ? found.value : name;
}

/** What is no map cannot have settings, and is not thrown away. */
function refuseOther(node: unknown, name: string, file: string): void {
  refuseAnchor(node, name, file);
  if (node === undefined || isMap(node) || (isScalar(node) && node.value === null)) return;
  throw badRequirements(file, `${name} is no map there.`, "Put its settings below it, each with a colon.");
}

/** What others name by an anchor would be changed for them as well. */
function refuseAnchor(node: unknown, name: string, file: string): void {
  const isShared = isAlias(node) || ((isScalar(node) || isMap(node)) && node.anchor !== undefined);
  if (isShared)
    throw badRequirements(file, `${name} has an anchor or is an alias there.`, "Change it by hand.");
}

/** Tells whether a value is some text of its line. */
function isWritten({ range, source, type }: Scalar): boolean {
  const isBlock = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
  return !isBlock && range !== null && range !== undefined && source !== undefined && source !== "";
}

function replace(text: string, { range }: Scalar, word: string): string {
  const [start, end] = range ?? [0, 0];
  return text.slice(0, start) + word + text.slice(end);
}

/**
 * Sets a value that is not there yet, and returns the new text. Where lines can be put in they are, and all others stay as they
 * are; else the file is written anew, which keeps its comments and its order.
 */
function insertSetting(text: string, document: Document, path: readonly unknown[], value: boolean): string {
  const inserted = insertLines(text, document, path, value);
  for (let depth = 1; depth < path.length; depth += 1) {
    const above = path.slice(0, depth);
    if (!isMap(document.getIn(above, true))) document.setIn(above, document.createNode({}));
  }
  document.setIn(path, value);
  if (saysTheSame(parseDocument(inserted), document)) return inserted;
  return writeAnew(text, document);
}

/** Takes a setting of the file itself out, and returns the new text: the line that it stands on, where that changes nothing else. */
function removeSetting(text: string, document: Document, name: string): string {
  const [pair] = followPath(document, [name]);
  const at = pair !== undefined && isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  const removed = text.slice(0, start) + (end < 0 ? "" : text.slice(end + 1));
  document.deleteIn([name]);
  return saysTheSame(parseDocument(removed), document) ? removed : writeAnew(text, document);
}

/** What is written by hand can look otherwise than expected: lines that change anything else are not put in. */
function saysTheSame(one: Document, other: Document): boolean {
  // The values were counted when the file was read.
  const plain = { maxAliasCount: -1 };
  return one.errors.length === 0 && isDeepStrictEqual(one.toJS(plain), other.toJS(plain));
}

/** Puts lines in below the nearest key that is there, so that a comment stays with what follows it. */
function insertLines(text: string, document: Document, path: readonly unknown[], value: boolean): string {
  const way = followPath(document, path);
  const last = way.at(-1);
  const start = last === undefined ? 0 : columnOf(text, last) + stepOf(text, last);
  const step = stepOf(text, way[0]);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = path.slice(way.length).map((name, index, { length }) => {
    const said = index === length - 1 ? ` ${value}` : "";
    return `${" ".repeat(Math.max(0, start + index * step))}${toKey(name)}:${said}${lineEnd}`;
  });
  const end = last === undefined ? -1 : text.indexOf("\n", endOf(last));
  const at = end < 0 ? text.length : end + 1;
  const glue = at === 0 || text.charAt(at - 1) === "\n" ? "" : lineEnd;
  return text.slice(0, at) + glue + lines.join("") + text.slice(at);
}

/** Returns the pairs that lead to the value, as far as they are there. */
function followPath(document: Document, path: readonly unknown[]): readonly Pair[] {
  const way: Pair[] = [];
  let node: unknown = document.contents;
  for (const name of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
    if (pair === undefined) break;
    way.push(pair);
    node = pair.value;
  }
  return way;
}

/** Returns by how much the keys below a pair are indented, or would be. */
function stepOf(text: string, pair: Pair | undefined): number {
  const [first] = isMap(pair?.value) ? pair.value.items : [];
  if (pair !== undefined && first !== undefined) return columnOf(text, first) - columnOf(text, pair);
  const [, spaces = "  "] = /^( +)[^ #\n-]/m.exec(text) ?? [];
  return spaces.length;
}

function columnOf(text: string, { key }: Pair): number {
  const at = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

function endOf({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[1] ?? 0) : 0;
}

function toKey(name: unknown): string {
  const text = String(name);
  return /^[A-Za-z][\w-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function writeAnew(text: string, document: Document): string {
  const isIndented = !/^( *)[^ #-][^\n]*:[ \t]*\r?\n\1- /m.test(text);
  const written = document.toString({ lineWidth: 0, indentSeq: isIndented });
  const withEnds = text.includes("\r\n") ? written.replaceAll(/\r?\n/g, "\r\n") : written;
  return text.startsWith("\uFEFF") ? `\uFEFF${withEnds.replace(/^\uFEFF/, "")}` : withEnds;
}
