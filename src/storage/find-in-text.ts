import type { SnippetPart } from "../sessions/search-index.ts";
import { divide, joinSpans } from "./search/make-snippet.ts";
import { makeMatcher } from "./search/match-texts.ts";
import { parseQuery } from "./search/parse-query.ts";

/** Divides a text at everything that a query looks for, whether or not all of it is there. */
export function findInText(query: string, text: string): readonly SnippetPart[] {
  const { items } = parseQuery(query, new Date());
  return divide(text, { from: 0, to: text.length, marks: joinSpans(makeMatcher(items)([text])) });
}
