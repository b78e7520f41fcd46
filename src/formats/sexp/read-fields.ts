import type { Json } from "../../sessions/entry.ts";
import { BadImport } from "../bad-import.ts";
import { lineName } from "../source.ts";
import type { Sexp } from "./parse-sexp.ts";

export function bad(at: Sexp, reason: string): BadImport {
  return new BadImport(lineName(at.line), reason);
}

/** Reads names and values that alternate; a name that comes twice is refused. */
export function readFields(items: readonly Sexp[], at: Sexp): ReadonlyMap<string, Sexp> {
  const fields = new Map<string, Sexp>();
  for (let index = 0; index < items.length; index += 2) {
    const [name, value] = [items[index], items[index + 1]];
    if (name?.type !== "symbol" || !name.name.startsWith(":"))
      throw bad(name ?? at, "a name such as :id is missing");
    if (value === undefined) throw bad(name, `${name.name} has no value`);
    if (fields.has(name.name)) throw bad(name, `${name.name} comes twice`);
    fields.set(name.name, value);
  }
  return fields;
}

export function isNil(value: Sexp | undefined): boolean {
  return (
    value === undefined ||
    (value.type === "symbol" && value.name === "nil") ||
    (value.type === "list" && value.items.length === 0)
  );
}

/** Reads a text in either of its forms. */
export function readText(value: Sexp): string {
  if (value.type === "string") return value.text;
  if (value.type !== "list" || tagOf(value) !== ":text") throw bad(value, "a string is missing");
  return value.items
    .slice(1)
    .map((piece) => {
      if (piece.type === "string") return piece.text;
      if (piece.type === "number" && piece.value >= 0 && piece.value <= 0xffff)
        return String.fromCharCode(piece.value);
      throw bad(piece, "a string or the number of a code unit is missing");
    })
    .join("");
}

export function readList(value: Sexp | undefined): readonly Sexp[] {
  if (value === undefined || isNil(value)) return [];
  if (value.type !== "list") throw bad(value, "a list is missing");
  return value.items;
}

const constants: ReadonlyMap<string, Json> = new Map<string, Json>([
  [":null", null],
  ["nil", null],
  [":true", true],
  ["t", true],
  [":false", false],
]);

/** Reads a value of JSON. */
export function readJson(value: Sexp): Json {
  switch (value.type) {
    case "string":
      return value.text;
    case "number":
      if (!Number.isFinite(value.value)) throw bad(value, "the number is too large");
      return value.value;
    case "symbol": {
      const constant = constants.get(value.name);
      if (constant === undefined) throw bad(value, `${value.name} is no value`);
      return constant;
    }
    case "list":
      return readCompound(value);
  }
}

type SexpList = Extract<Sexp, { readonly type: "list" }>;

function readCompound(value: SexpList): Json {
  switch (tagOf(value)) {
    case ":text":
      return readText(value);
    case ":array":
      return value.items.slice(1).map(readJson);
    case ":number":
      return readNumber(value);
    case ":object":
      return readObject(value);
    default:
      throw bad(value, "a list of values begins with :object or :array");
  }
}

function readObject(value: SexpList): Json {
  const fields = value.items.slice(1).map((field) => {
    const [key, each, ...others] = readList(field);
    if (key === undefined || each === undefined || others.length > 0)
      throw bad(field, "a field is a name and a value");
    return [readText(key), readJson(each)] as const;
  });
  if (new Set(fields.map(([key]) => key)).size < fields.length) throw bad(value, "a field comes twice");
  // A key `__proto__` stays a key: entries are defined, not assigned.
  return Object.fromEntries(fields);
}

function readNumber(value: SexpList): number {
  const [, text] = value.items;
  const number = Number(text === undefined ? Number.NaN : readText(text));
  if (!Number.isFinite(number)) throw bad(value, "a number is missing");
  return number;
}

function tagOf(value: Sexp): string | undefined {
  const [first] = value.type === "list" ? value.items : [];
  return first?.type === "symbol" ? first.name : undefined;
}
