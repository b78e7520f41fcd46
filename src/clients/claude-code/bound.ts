import type { JsonObject } from "../../sessions/entry.ts";

/** What a client's own record may take in the log. What people and models said is never cut. */
const maxCharacters = 65_536;

/** Returns the fields that fit, and says which ones did not. */
export function bound(fields: JsonObject): JsonObject {
  const sizes = Object.entries(fields).map(([name, value]) => ({ name, size: JSON.stringify(value).length }));
  let room = maxCharacters;
  const left: string[] = [];
  for (const { name, size } of sizes.toSorted((one, other) => one.size - other.size)) {
    room -= size;
    if (room < 0) left.push(name);
  }
  if (left.length === 0) return fields;
  const kept = Object.entries(fields).filter(([name]) => !left.includes(name));
  return { ...Object.fromEntries(kept), leftOut: left };
}

/** Returns a text that fits, with a mark where it was cut. */
export function boundText(text: string): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters).toWellFormed()}…`;
}
