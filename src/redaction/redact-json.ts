import { findMarkers } from "../lib/marker.ts";
import { findInList, flagBefore } from "./find-in-list.ts";
import { hideRanges } from "./hide-ranges.ts";
import { readSecretName } from "./secret-name.ts";
import { isSecretValue, isSeedPhrase } from "./secret-value.ts";

/** The way to a value: keys and positions, from the outermost in. It is only valid during the call that it is given to. */
type JsonPath = readonly (string | number)[];

export interface JsonRedaction {
  /** Tells of values that are kept as they are, with all they hold: signatures, encrypted content, ids, hashes, base64. */
  readonly isOpaque?: (path: JsonPath) => boolean;
}

/** How strings are redacted. */
export interface Redacting {
  readonly redactText: (text: string) => string;
  readonly mark: (kind: string, secret: string) => string;
}

/** What a value is called, and where it stands. */
interface Naming {
  readonly name: string;
  readonly form: "field" | "flag";
}

/** Redacts a decoded value; see `Redactor.redactJson`. */
export function redactValue<Value>(redacting: Redacting, value: Value, options: JsonRedaction): Value {
  const path: (string | number)[] = [];
  const step = (item: unknown, key: string | number, naming: Naming | undefined, shown = item): unknown => {
    path.push(key);
    const redacted = options.isOpaque?.(path) ? item : walk(shown, naming);
    path.pop();
    return redacted;
  };
  const walk = (item: unknown, naming: Naming | undefined): unknown => {
    if (typeof item === "string") return redactField(redacting, item, naming);
    if (typeof item === "number") return redactNumber(redacting, item, naming);
    if (Array.isArray(item)) {
      const shown = hideInList(redacting, item);
      return replaceItems(item, (each, index) =>
        step(each, index, nameItem(item, index) ?? naming, shown[index]),
      );
    }
    if (!isPlainObject(item)) return item;
    return replaceFields(item, redacting, (each, key) => step(each, key, nameField(item, key, naming)));
  };
  return walk(value, undefined) as Value;
}

function isPlainObject(item: unknown): item is Readonly<Record<string, unknown>> {
  if (typeof item !== "object" || item === null) return false;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === Object.prototype || prototype === null;
}

function replaceItems(
  items: readonly unknown[],
  replace: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  const replaced = items.map(replace);
  return replaced.some((item, index) => item !== items[index]) ? replaced : items;
}

/** Keys that hold no secret: the same few stand in thousands of objects. */
const plainKeys = new Set<string>();
const mostKeys = 4096;
const longestKey = 64;

function redactKey(redactText: Redacting["redactText"], key: string): string {
  if (plainKeys.has(key)) return key;
  const redacted = redactText(key);
  if (redacted !== key || key.length > longestKey) return redacted;
  if (plainKeys.size >= mostKeys) plainKeys.clear();
  plainKeys.add(key);
  return key;
}

function replaceFields(
  item: Readonly<Record<string, unknown>>,
  { redactText }: Redacting,
  replace: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  let isChanged = false;
  const entries = Object.entries(item).map(([key, value]) => {
    const [safeKey, safeValue] = [redactKey(redactText, key), replace(value, key)];
    isChanged ||= safeKey !== key || safeValue !== value;
    return [safeKey, safeValue] as const;
  });
  // A key `__proto__` stays a key: entries are defined, not assigned.
  return isChanged ? Object.fromEntries(entries) : item;
}

/** Returns the items of a list, without the secrets that only the list as a whole shows. */
function hideInList({ mark }: Redacting, items: readonly unknown[]): readonly unknown[] {
  const found = findInList(items);
  if (found.length === 0) return items;
  const byItem = Map.groupBy(found, ({ item }) => item);
  return items.map((item, index) => {
    const findings = byItem.get(index);
    return typeof item === "string" && findings !== undefined ? hideRanges(item, findings, mark) : item;
  });
}

/** Returns what the item before it calls an item of a list. */
function nameItem(items: readonly unknown[], index: number): Naming | undefined {
  const name = flagBefore(items, index);
  return name === undefined ? undefined : { name, form: "flag" };
}

/** Keys of a field whose name stands beside it or around it. */
const valueKey = /^(?:parameter|default|string|secret)?value$|^default$|^plaintext$|^S$/i;
const nameKeys = ["name", "Name", "key", "Key", "ParameterKey", "parameterKey", "field", "label", "id"];

/**
 * Returns what a field is called: its key; in `{ "name": "API_KEY", "value": … }` the name beside it; in
 * `{ "password": { "value": … } }` the one around it.
 */
function nameField(item: Readonly<Record<string, unknown>>, key: string, around: Naming | undefined): Naming {
  if (!valueKey.test(key)) return { name: key, form: "field" };
  const beside = nameKeys.map((each) => item[each]).find((each) => typeof each === "string");
  return { name: beside ?? around?.name ?? key, form: "field" };
}

const leastDigits = 6;

/** A number is a secret only where people choose one: a token is none, and a count of tokens is no secret. */
function redactNumber({ mark }: Redacting, item: number, naming: Naming | undefined): unknown {
  if (naming === undefined || !Number.isSafeInteger(item) || item < 10 ** (leastDigits - 1)) return item;
  const name = readSecretName(naming.name);
  return name?.madeBy === "people" && name.isExact ? mark(name.kind, String(item)) : item;
}

/** Fields that hold what the header of the same name would. */
const header = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^_?auth$/i;

function redactField({ redactText, mark }: Redacting, text: string, naming: Naming | undefined): string {
  const redacted = redactText(text);
  if (naming === undefined || findMarkers(redacted).length > 0) return redacted;
  const { name, form } = naming;
  if (header.test(name)) return redactText(`${name}: ${text}`).slice(name.length + 2);
  const secret = readSecretName(name);
  if (secret === undefined) return redacted;
  if (isSeedPhrase(text)) return mark("seed-phrase", text);
  return isSecretValue(text, secret, form) ? mark(secret.kind, text) : redacted;
}
