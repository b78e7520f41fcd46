import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { AppError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import { BadStoreUrl, parseStoreUrl, type StoreUrl } from "../storage/postgres/parse-store-url.ts";

/** What a user has set: docs/formats/config.md. */
export interface Config {
  /** Where the store is, unless it is the file in the home folder. */
  readonly store?: StoreUrl;
}

const settings: readonly (keyof Config)[] = ["store"];

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

  constructor(
    at: number,
    message: string,
    hint = "Write a line such as `store: postgres://user@host/database`.",
  ) {
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
  return Object.fromEntries(
    contents.items.map(({ key, value }) => [
      toSetting(startOf(key), isScalar(key) ? key.value : undefined),
      toStoreUrl(startOf(value ?? key), isScalar(value) ? value.value : undefined),
    ]),
  );
}

/** Tells where a node begins; of a value that was left out, nobody can say. */
function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function toSetting(at: number, name: unknown): keyof Config {
  const known = settings.find((each) => each === name);
  if (known !== undefined) return known;
  // A whole line that was mistyped can become a name, and may hold a password.
  const shown = typeof name === "string" && /^[a-z][a-z_-]{0,30}$/i.test(name) ? ` ${name}` : "";
  const [near] = shown === "" ? [] : suggest(shown.trim(), settings);
  throw new Fault(
    at,
    `there is no setting${shown === "" ? " of this name" : shown}`,
    near === undefined ? `There are: ${settings.join(", ")}.` : `Did you mean ${near}?`,
  );
}

function toStoreUrl(at: number, value: unknown): StoreUrl {
  if (typeof value !== "string") throw new Fault(at, "store must be text");
  try {
    return parseStoreUrl(value);
  } catch (error) {
    if (error instanceof BadStoreUrl)
      throw new Fault(at, `store is not a valid address: ${error.reason}`, error.hint);
    throw error;
  }
}

function toWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
