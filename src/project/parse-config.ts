import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import { AppError } from "../lib/app-error.ts";
import { BadSetting, type SettingPath, unknownName } from "./bad-setting.ts";
import { type Config, exampleHint, readers } from "./config-settings.ts";

/** Reads the text of config.yaml. Errors name the line and never what stands there: it may be a password. */
export function parseConfig(text: string, path: string): Config {
  const lines = new LineCounter();
  try {
    return toConfig(parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new AppError(`${path}, line ${lines.linePos(error.at).line}: ${error.message}.`, {
      kind: "config",
      code: "bad-config",
      hint: error.hint,
    });
  }
}

/** What is wrong at a place of the text. */
class Fault extends Error {
  readonly at: number;
  readonly hint: string;

  constructor(at: number, message: string, hint = exampleHint) {
    super(message);
    this.at = at;
    this.hint = hint;
  }
}

function toConfig({ errors, contents }: Document.Parsed): Config {
  const [error] = errors;
  // What the parser itself would say quotes the text.
  if (error !== undefined) throw new Fault(error.pos[0], `this is not YAML (${toWords(error.code)})`);
  if (contents === null || (isScalar(contents) && contents.value === null)) return {};
  if (!isMap(contents)) throw new Fault(contents.range[0], "this is not a setting");
  return Object.fromEntries(contents.items.map(readSetting));
}

function readSetting({ key, value }: Pair): readonly [name: string, value: unknown] {
  const name = toName(startOf(key), isScalar(key) ? key.value : undefined);
  try {
    return [name, readers[name](toPlain(value))];
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    throw new Fault(startOf(find(value, error.path) ?? key), error.message, error.hint);
  }
}

/** Returns what a node says, without what YAML can say by reference: a short text can stand for a very long one. */
function toPlain(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(toPlain);
  if (!isMap(node)) return undefined;
  return Object.fromEntries(node.items.map(({ key, value }) => [toKey(key), toPlain(value)]));
}

function toKey(key: unknown): string {
  if (isScalar(key) && typeof key.value === "string") return key.value;
  throw new Fault(startOf(key), "this is not the name of a setting");
}

/** Returns the node at a path, or the nearest above it; of a setting in a map its name, which is always there. */
function find(node: unknown, [step, ...rest]: SettingPath): unknown {
  if (step === undefined) return node;
  if (isSeq(node) && typeof step === "number") return find(node.items[step], rest) ?? node;
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
  if (pair === undefined) return node;
  return find(isLeftOut(pair.value) ? pair.key : pair.value, rest);
}

function isLeftOut(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Tells where a node begins; of a value that was left out, nobody can say. */
function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function toName(at: number, name: unknown): keyof Config {
  if (typeof name === "string" && isSetting(name)) return name;
  const { reason, hint } = unknownName("setting", name, Object.keys(readers));
  throw new Fault(at, reason, hint);
}

function isSetting(name: string): name is keyof Config {
  return Object.hasOwn(readers, name);
}

function toWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
