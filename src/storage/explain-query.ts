import { allKinds } from "./search/marks.ts";
import { filterNames, parseQuery, shortestPrefix } from "./search/parse-query.ts";

/** Says how words of a query were taken that look as if something else was meant, a sentence each. */
export function explainQuery(query: string, now: Date): readonly string[] {
  return query.split(/\s+/).flatMap((word) => {
    const said = explainPrefix(word, now) ?? explainFilter(word, now);
    return said === undefined ? [] : [said];
  });
}

function explainPrefix(word: string, now: Date): string | undefined {
  const phrases = word.endsWith("*") ? parseQuery(word, now).items.flat() : [];
  if (phrases.length === 0 || phrases.some(({ isPrefix }) => isPrefix)) return undefined;
  return `${word} was taken as a whole word: a prefix needs ${shortestPrefix} characters.`;
}

function explainFilter(word: string, now: Date): string | undefined {
  const [, named = "", value = ""] = /^([a-z]+):(.+)$/isu.exec(word) ?? [];
  const name = filterNames.find((each) => each === named.toLowerCase());
  if (name === undefined) return undefined;
  if (name !== named) return `${word} was taken as text: a filter is written ${name}:${value}.`;
  if (name === "role") return explainRole(value);
  if (parseQuery(word, now).items.length === 0) return undefined;
  return `${word} was taken as text: ${name}: takes a day such as 2026-11-01, a moment, or how long ago, such as 7d.`;
}

function explainRole(role: string): string | undefined {
  if (allKinds.some((each) => each === role.toLowerCase())) return undefined;
  return `There is no role ${role}; the roles are ${allKinds.join(", ")}.`;
}
