import { findMarkers } from "./marker.ts";
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

/** Redacts a decoded value; see `Redactor.redactJson`. */
export function redactValue<Value>(redacting: Redacting, value: Value, options: JsonRedaction): Value {
  const path: (string | number)[] = [];
  const step = (item: unknown, key: string | number, name: string | undefined): unknown => {
    path.push(key);
    const redacted = options.isOpaque?.(path) ? item : walk(item, name);
    path.pop();
    return redacted;
  };
  const walk = (item: unknown, name: string | undefined): unknown => {
    if (typeof item === "string") return redactField(redacting, item, name);
    if (Array.isArray(item)) return replaceItems(item, (each, index) => step(each, index, name));
    if (!isPlainObject(item)) return item;
    return replaceFields(item, redacting, (each, key) => step(each, key, nameOf(item, key)));
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

function replaceFields(
  item: Readonly<Record<string, unknown>>,
  { redactText }: Redacting,
  replace: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> {
  let isChanged = false;
  const entries = Object.entries(item).map(([key, value]) => {
    const [safeKey, safeValue] = [redactText(key), replace(value, key)];
    isChanged ||= safeKey !== key || safeValue !== value;
    return [safeKey, safeValue] as const;
  });
  // A key `__proto__` stays a key: entries are defined, not assigned.
  return isChanged ? Object.fromEntries(entries) : item;
}

/** Returns what a field is called: its key, or in `{ "name": "API_KEY", "value": … }` the name beside it. */
function nameOf(item: Readonly<Record<string, unknown>>, key: string): string {
  if (key.toLowerCase() !== "value") return key;
  const beside = item.name ?? item.Name ?? item.key ?? item.Key;
  return typeof beside === "string" ? beside : key;
}

/** Fields that hold what the header of the same name would. */
const header = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^_?auth$/i;

function redactField({ redactText, mark }: Redacting, text: string, name: string | undefined): string {
  const redacted = redactText(text);
  if (name === undefined || findMarkers(redacted).length > 0) return redacted;
  if (header.test(name)) return redactText(`${name}: ${text}`).slice(name.length + 2);
  const secret = readSecretName(name);
  if (secret === undefined) return redacted;
  if (isSeedPhrase(text)) return mark("seed-phrase", text);
  return isSecretValue(text, secret, "field") ? mark(secret.kind, text) : redacted;
}
