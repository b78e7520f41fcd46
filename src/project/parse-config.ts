import { type Document, isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from "yaml";
import { AppError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import { BadSetting, type Config, exampleHint, readers } from "./config-settings.ts";

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
    return [name, readers[name](isScalar(value) ? value.value : undefined)];
  } catch (error) {
    if (error instanceof BadSetting) throw new Fault(startOf(value ?? key), error.message, error.hint);
    throw error;
  }
}

/** Tells where a node begins; of a value that was left out, nobody can say. */
function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function toName(at: number, name: unknown): keyof Config {
  const names = Object.keys(readers);
  if (typeof name === "string" && isSetting(name)) return name;
  // A whole line that was mistyped can become a name, and may hold a password.
  const shown = typeof name === "string" && /^[a-z][a-z_-]{0,30}$/i.test(name) ? ` ${name}` : "";
  const [near] = shown === "" ? [] : suggest(shown.trim(), names);
  throw new Fault(
    at,
    `there is no setting${shown === "" ? " of this name" : shown}`,
    near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${near}?`,
  );
}

function isSetting(name: string): name is keyof Config {
  return Object.hasOwn(readers, name);
}

function toWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
