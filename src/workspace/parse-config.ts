import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import { configError } from "../lib/app-error.ts";
import { BadSetting, type SettingPath, unknownName } from "../lib/bad-setting.ts";
import { parseStoreUrl } from "../storage/parse-store-url.ts";

/** The settings that there are: docs/formats/config.md. Each is read by the capability that it is of. */
const settingNames = [
  ...(["store", "remote", "cloud", "sddDir", "blockers"] as const),
  ...(["recoveryAgents", "recovery", "maxRecoveryAttempts", "models", "record"] as const),
] as const;
type SettingName = (typeof settingNames)[number];

/** What reads the values of some settings. */
export type SettingReaders = { readonly [Name in SettingName]?: (value: unknown) => unknown };

/** What some settings say; one that is not set is not there. */
export type Settings<Readers extends SettingReaders> = {
  readonly [Name in keyof Readers]?: Readers[Name] extends (value: unknown) => infer Value ? Value : never;
};

/** A configuration whose names are known and of which some settings were read. */
export interface ParsedConfig<Readers extends SettingReaders> {
  readonly settings: Settings<Readers>;
  /** What in it must not be read by others. */
  readonly secret: "password" | "key" | undefined;
  readonly hasCommands: boolean;
}

/** Shows how a line of the file looks. */
export const exampleHint = "Write a line such as `store: postgres://user@host/database`.";

/** Reads the text of config.yaml. Errors name the line and never what stands there: it may be a password. */
export function parseConfig<const Readers extends SettingReaders>(
  text: string,
  path: string,
  readers: Readers,
): ParsedConfig<Readers> {
  const lines = new LineCounter();
  try {
    return toConfig(parseDocument(text, { lineCounter: lines, prettyErrors: false }), readers);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw configError("bad-config", `${path}, line ${lines.linePos(error.at).line}: ${error.message}.`, {
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

function toConfig<Readers extends SettingReaders>(
  { errors, contents }: Document.Parsed,
  readers: Readers,
): ParsedConfig<Readers> {
  const [error] = errors;
  // What the parser itself would say quotes the text.
  if (error !== undefined) throw new Fault(error.pos[0], `this is not YAML (${toWords(error.code)})`);
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { settings: {}, secret: undefined, hasCommands: false };
  if (!isMap(contents)) throw new Fault(contents.range[0], "this is not a setting");
  const pairs = contents.items.map((pair) => ({ ...pair, name: toName(startOf(pair.key), pair.key) }));
  const plain: PlainConfig = Object.fromEntries(pairs.map(({ name, value }) => [name, toPlain(value)]));
  const settings = pairs.flatMap(({ name, key, value }) => {
    const read = readers[name];
    return read === undefined ? [] : [[name, readSetting({ key, value }, () => read(plain[name]))] as const];
  });
  return {
    settings: Object.fromEntries(settings) as Settings<Readers>,
    secret: findSecret(plain),
    hasCommands: plain.recovery !== undefined,
  };
}

type PlainConfig = { readonly [Name in SettingName]?: unknown };

function findSecret({ store, remote, cloud, models }: PlainConfig): "password" | "key" | undefined {
  if ([store, remote, fieldOf(remote, "url"), cloud].some(hasPassword)) return "password";
  const providers = Object.values(models ?? {});
  return providers.some((each) => fieldOf(each, "apiKey") !== undefined) ? "key" : undefined;
}

/** What is no address is refused by who reads it. */
function hasPassword(value: unknown): boolean {
  try {
    return typeof value === "string" && parseStoreUrl(value).password !== undefined;
  } catch {
    return false;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function readSetting<Value>({ key, value }: Pick<Pair, "key" | "value">, read: () => Value): Value {
  try {
    return read();
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
  return find(pair.value === null || pair.value === undefined ? pair.key : pair.value, rest);
}

/** Tells where a node begins; of a value that was left out, nobody can say. */
function startOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}

function toName(at: number, key: unknown): SettingName {
  const name = isScalar(key) ? key.value : undefined;
  if (typeof name === "string" && isSetting(name)) return name;
  const { reason, hint } = unknownName("setting", name, settingNames);
  throw new Fault(at, reason, hint);
}

function isSetting(name: string): name is SettingName {
  return settingNames.some((each) => each === name);
}

function toWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
