import { isDeeperThan, parseIfJson } from "../lib/json.ts";
import { type Json, type JsonObject, maxDepth } from "../sessions/entry.ts";

/**
 * Reads the arguments of a call as a model wrote them.
 *
 * What is no JSON object, such as arguments that were cut off, becomes an input that says so: the tool refuses it, and
 * the model is told.
 */
export function parseCallInput(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseIfJson(text);
  if (isObject(value) && !isDeeperThan(value, maxDepth - 8)) return value;
  return { error: "These arguments are not a JSON object.", arguments: text };
}

/** Returns the input of a recorded call as an object, which is all that a provider takes. */
export function toObjectInput(input: Json): JsonObject {
  return isObject(input) ? input : { value: input };
}

/** Returns the output of a tool as text. */
export function toOutputText(output: Json): string {
  return toWellFormed(typeof output === "string" ? output : JSON.stringify(output));
}

/** Replaces halves of characters, which a cut has left and no provider takes. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Does the same in all texts of a value. */
export function toWellFormedJson<Value extends Json>(value: Value): Value {
  const text = JSON.stringify(value);
  // Halves of characters are written as escapes; most values have none.
  if (!/\\ud[89a-f]/.test(text)) return value;
  return JSON.parse(text, (_name, each) => (typeof each === "string" ? toWellFormed(each) : each));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
