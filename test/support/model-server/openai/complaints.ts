import { isRecord } from "../is-record.ts";
import type { Complaint } from "./wire.ts";

/** Says that a field must be there. */
export function missing(param: string): Complaint {
  return { message: `Missing required parameter: '${param}'.`, param, code: "missing_required_parameter" };
}

/** Says that there is no such field. */
export function unknown(param: string): Complaint {
  return { message: `Unknown parameter: '${param}'.`, param, code: "unknown_parameter" };
}

/** Says that a value is of another type than it must be, such as `a string`. */
export function wrongType(param: string, expected: string, value: unknown): Complaint {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${typeName(value)} instead.`;
  return { message, param, code: "invalid_type" };
}

export function emptyArray(param: string): Complaint {
  const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return { message, param, code: "empty_array" };
}

/** Says that a value is none of those that there are. */
export function unsupported(param: string, value: unknown, values: readonly string[]): Complaint {
  const quoted = values.map((each) => `'${each}'`);
  const list =
    quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${quoted.at(-1)}`;
  return {
    message: `Invalid value: '${value}'. Supported values are: ${list}.`,
    param,
    code: "invalid_value",
  };
}

/** Says something else about a field. */
export function invalid(message: string, param: string | null, code: string | null = null): Complaint {
  return { message, param, code };
}

/** Yields what is wrong with the fields of an object: those that must be there, and those that may. */
export function* checkFields(
  value: Readonly<Record<string, unknown>>,
  place: string,
  required: readonly string[],
  optional: readonly string[],
): Generator<Complaint> {
  for (const field of required) if (value[field] === undefined) yield missing(`${place}.${field}`);
  for (const field of Object.keys(value)) {
    if (!required.includes(field) && !optional.includes(field)) yield unknown(`${place}.${field}`);
  }
}

/** Yields what is wrong with the name of a function. */
export function* checkName(name: unknown, place: string): Generator<Complaint> {
  if (typeof name !== "string") {
    yield wrongType(place, "a string", name);
    return;
  }
  const counted = (problem: string, bound: string, code: string) =>
    invalid(`Invalid '${place}': ${problem}. Expected a string with ${bound}`, place, code);
  if (name === "") {
    yield counted("empty string", "minimum length 1, but got an empty string instead.", "empty_string");
  }
  if (name.length > 64) {
    const bound = `maximum length 64, but got a string with length ${name.length} instead.`;
    yield counted("string too long", bound, "string_above_max_length");
  }
  if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
    const pattern = "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
    yield invalid(`Invalid '${place}': string does not match pattern. ${pattern}`, place, "invalid_value");
  }
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (isRecord(value)) return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return typeof value === "boolean" ? "a boolean" : "a string";
}
