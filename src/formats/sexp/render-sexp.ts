import type { Json } from "../../sessions/entry.ts";

/** Smaller numbers than this are not normal, and a reader of Lisp may refuse them. */
const smallestNormal = 2.2250738585072014e-308;

/**
 * Renders a text: a string in which only quotation marks and backslashes are escaped.
 *
 * Half of a surrogate pair has no form in UTF-8: a text with one is `(:text "before" 55296 "after")`, strings and the
 * numbers of code units.
 */
export function renderText(text: string): string {
  if (text.isWellFormed()) return renderString(text);
  const pieces = text.match(/\p{Cs}|\P{Cs}+/gu) ?? [];
  const rendered = pieces.map((piece) =>
    /^\p{Cs}$/u.test(piece) ? String(piece.charCodeAt(0)) : renderString(piece),
  );
  return `(:text ${rendered.join(" ")})`;
}

function renderString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Renders a value of JSON so that nothing of it is lost: `nil` would be null, false, and an empty list. */
export function renderJson(value: Json): string {
  if (value === null) return ":null";
  if (typeof value === "boolean") return value ? ":true" : ":false";
  if (typeof value === "number") return renderNumber(value);
  if (typeof value === "string") return renderText(value);
  if (isList(value)) return `(${[":array", ...value.map(renderJson)].join(" ")})`;
  const fields = Object.entries(value).map(([key, each]) => `(${renderText(key)} ${renderJson(each)})`);
  return `(${[":object", ...fields].join(" ")})`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A number with a fraction is one of double precision, whatever the reader takes for a float. */
function renderNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (Math.abs(value) < smallestNormal) return `(:number "${value}")`;
  const text = String(value);
  return text.includes("e") ? text.replace("e", "d") : `${text}d0`;
}
