import { type Document, isAlias, isMap, isScalar, parseDocument, type Scalar } from "yaml";
import { type AppError, configError } from "../lib/app-error.ts";
import { insertSetting, removeSetting } from "./config/insert-setting.ts";
import { shorten } from "./config/located.ts";
import { parseRequirements } from "./config/parse-requirements.ts";

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
