import { suggest } from "../../lib/suggest.ts";
import { toSeconds } from "../to-seconds.ts";
import { isNothing, type Located, type LocatedMap, type Place, shorten } from "./to-located.ts";

/** A value is not what its key needs. The message completes a sentence. */
export class BadValue extends Error {
  readonly place: Place;
  readonly hint: string;

  constructor({ file, line }: Place, message: string, hint: string) {
    super(message);
    this.place = { file, line };
    this.hint = hint;
  }
}

/** Reads the value of a key. */
export type Reader<Value> = (value: Located, key: string) => Value;

/** Reads the value of a key of a map; undefined where there is none. */
export function readKey<Value>(map: LocatedMap, key: string, read: Reader<Value>): Value | undefined {
  const value = map.entries.get(key);
  return isNothing(value) ? undefined : read(value, key);
}

export const readYesOrNo: Reader<boolean> = (value, key) => {
  if (value.type === "scalar" && typeof value.value === "boolean") return value.value;
  throw new BadValue(
    value,
    `${key} must be true or false, not ${describeFound(value)}`,
    "Write true or false, without quotes.",
  );
};

export const readText: Reader<string> = (value, key) => {
  if (value.type === "scalar" && typeof value.value === "string") return value.value;
  throw new BadValue(value, `${key} must be a text, not ${describeFound(value)}`, hintForText(value));
};

/** Reads a text that says something. */
export const readName: Reader<string> = (value, key) => {
  const text = readText(value, key).trim();
  if (text !== "") return text;
  throw new BadValue(value, `${key} must not be empty`, "Give it a value or remove it.");
};

/** Reads a list of texts that say something; a single one is a list too. */
export const readNames: Reader<readonly string[]> = (value, key) => {
  if (value.type === "list") return value.items.map((item) => readName(item, `each item of ${key}`));
  return [readName(value, key)];
};

export const readMap: Reader<LocatedMap> = (value, key) => {
  if (value.type === "map") return value;
  throw new BadValue(
    value,
    `${key} must be a map, not ${describeFound(value)}`,
    "Put its settings below it, each indented and with a colon.",
  );
};

/** Returns what reads one of some words. */
export function readOneOf<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value, key) => {
    const text = value.type === "scalar" ? value.value : undefined;
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const [near] = typeof text === "string" ? suggest(text, words) : [];
    const hint = near === undefined ? `Write one of: ${words.join(", ")}.` : `Did you mean ${near}?`;
    throw new BadValue(value, `${key} cannot be ${describeFound(value)}`, hint);
  };
}

/** Returns what reads some of some words; a single one is a list too. */
export function readSomeOf<Word extends string>(words: readonly Word[]): Reader<readonly Word[]> {
  const readOne = readOneOf(words);
  return (value, key) =>
    value.type === "list" ? value.items.map((item) => readOne(item, key)) : [readOne(value, key)];
}

/** Reads a number from 0 on. */
export const readAmount: Reader<number> = (value, key) => {
  if (value.type === "scalar" && isAmount(value.value)) return value.value;
  throw new BadValue(
    value,
    `${key} must be a number that is not negative, not ${describeFound(value)}`,
    "Write a number such as 400.",
  );
};

/** Reads a duration and returns it in seconds. */
export const readSeconds: Reader<number> = (value, key) => {
  const seconds = value.type === "scalar" ? toSeconds(value.value) : Number.NaN;
  if (!Number.isNaN(seconds)) return seconds;
  throw new BadValue(
    value,
    `${key} must be a duration of at most ten years, not ${describeFound(value)}`,
    "Write seconds, or 30s, 5m, 1h or 7d.",
  );
};

/** Says what a value is, to somebody who wanted another. */
function describeFound(value: Located): string {
  if (value.type !== "scalar") return value.type === "list" ? "a list" : "a map";
  const { value: plain } = value;
  if (typeof plain === "number") return `the number ${plain}`;
  if (typeof plain !== "string") return plain === null ? "nothing" : String(plain);
  return plain.trim() === "" ? "an empty text" : `the text ${shorten(plain)}`;
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** A text with a colon is a map to YAML, and a version or a year is a number: both surprise those who write them. */
function hintForText(value: Located): string {
  if (value.type === "list") return "Write one text instead of a list.";
  return "Put it in quotes.";
}
