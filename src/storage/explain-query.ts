import { parseMoment } from "../lib/duration.ts";
import { allKinds } from "./search/marks.ts";
import { findFilterName, listFilters, parseQuery, shortestPrefix } from "./search/parse-query.ts";

/** Says how words of a query were taken that look as if something else was meant, a sentence each. */
export function explainQuery(query: string, now: Date): readonly string[] {
  const said = [
    ...query.split(/\s+/).map((word) => explainPrefix(word, now)),
    ...listFilters(query).map((filter) => explainFilter(filter, now)),
  ];
  return said.filter((each) => each !== undefined);
}

function explainPrefix(word: string, now: Date): string | undefined {
  const phrases = word.endsWith("*") ? parseQuery(word, now).items.flat() : [];
  if (phrases.length === 0 || phrases.some(({ isPrefix }) => isPrefix)) return undefined;
  return `${word} was taken as a whole word: a prefix needs ${shortestPrefix} characters.`;
}

function explainFilter(
  { name, value }: { readonly name: string; readonly value: string },
  now: Date,
): string | undefined {
  const meant = findFilterName(name);
  const taken = `${name}:${value} was taken as text`;
  if (meant === undefined) return `${taken}: a filter is written ${name.toLowerCase()}:${value}.`;
  if (meant === "role") return explainRole(value);
  if ((meant !== "before" && meant !== "after") || parseMoment(value, now) !== undefined) return undefined;
  return `${taken}: ${name}: takes a day such as 2026-11-01, yesterday or monday, or how long ago, such as 7d.`;
}

function explainRole(role: string): string | undefined {
  if (allKinds.some((each) => each === role.toLowerCase())) return undefined;
  return `There is no role ${role}; the roles are ${allKinds.join(", ")}.`;
}
