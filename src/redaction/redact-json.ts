import { findMarkers } from "../lib/marker.ts";
import { findInWords } from "./command-line.ts";
import { findSecrets } from "./find-secrets.ts";
import { hideRanges } from "./hide-secrets.ts";
import type { Finding } from "./rule.ts";
import { readSecretName } from "./secret-name.ts";
import { isSecretValue, isSeedPhrase, looksLikePassword } from "./secret-value.ts";

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
const headerName = /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^_?auth$/i;

function redactField({ redactText, mark }: Redacting, text: string, naming: Naming | undefined): string {
  const redacted = redactText(text);
  if (naming === undefined || findMarkers(redacted).length > 0) return redacted;
  const { name, form } = naming;
  if (headerName.test(name)) return redactText(`${name}: ${text}`).slice(name.length + 2);
  const secret = readSecretName(name);
  if (secret === undefined) return redacted;
  if (isSeedPhrase(text)) return mark("seed-phrase", text);
  return isSecretValue(text, secret, form) ? mark(secret.kind, text) : redacted;
}

/** A secret of a list: which item holds it, and where. */
interface ItemFinding extends Finding {
  readonly item: number;
}

/** Finds secrets that only a list as a whole shows: the lines of a private key, and the arguments of a command. */
function findInList(items: readonly unknown[]): readonly ItemFinding[] {
  if (!items.some((item) => typeof item === "string" && (item.startsWith("-") || item.includes(header))))
    return [];
  const texts = items.map((item) => (typeof item === "string" ? item : ""));
  return [...findOverLines(texts), ...findInArguments(texts)];
}

const flag = /^--?[A-Za-z][A-Za-z0-9_.-]{0,80}$/;

/** Returns the flag before an item that calls it a secret: `"--password"`. */
function flagBefore(items: readonly unknown[], index: number): string | undefined {
  const before = items[index - 1];
  if (typeof before !== "string" || !flag.test(before)) return undefined;
  return readSecretName(before) === undefined ? undefined : before;
}

const header = "-----BEGIN ";

/** No line of a key tells that it is one, but for the first. */
function findOverLines(lines: readonly string[]): readonly ItemFinding[] {
  if (!lines.some((line) => line.includes(header))) return [];
  const keys = findSecrets(lines.join("\n")).filter(({ kind }) => kind === "private-key");
  const found: ItemFinding[] = [];
  let from = 0;
  let next = 0;
  lines.forEach((line, item) => {
    while ((keys[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next += 1;
    const key = keys[next];
    const start = Math.max((key?.start ?? Number.POSITIVE_INFINITY) - from, 0);
    const end = Math.min((key?.end ?? 0) - from, line.length);
    if (start < end) found.push({ item, kind: "private-key", start, end });
    from += line.length + 1;
  });
  return found;
}

/** Commands whose -p names a port, a path, a process or a prompt. */
const otherwise =
  /^(?:mkdir|ssh|scp|sftp|docker|podman|cp|mv|tsc|patch|ps|lsof|nc|claude|codex|gemini|node|deno|bun|python3?|perl|ruby|install|touch|bash|sh|zsh|read|type|pgrep|nmap|pytest|cargo|go|make|jest|npm|npx|pnpm|yarn|git|tar|kubectl|tmux|screen|ping|rsync|adb|systemctl|journalctl|top|strace|perf|gdb)$/;

function findInArguments(words: readonly string[]): readonly ItemFinding[] {
  const command = (words[0] ?? "")
    .slice(-64)
    .replace(/^.{0,64}\//, "")
    .toLowerCase();
  const known = findInWords(
    command,
    words.map((text) => ({ text })),
  );
  const found = known.map(({ word, start, end }) => ({ item: word, kind: "command-password", start, end }));
  if (found.length > 0 || otherwise.test(command)) return found;
  return words.flatMap((word, item) =>
    words[item - 1] === "-p" && !/[./:]/.test(word) && looksLikePassword(word)
      ? [{ item, kind: "command-password", start: 0, end: word.length }]
      : [],
  );
}
