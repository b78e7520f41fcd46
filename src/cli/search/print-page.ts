import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapTalk } from "../../lib/wrap-line.ts";
import { describeLeftOut, largestPage, type SearchPage } from "../../sessions/search-index.ts";
import type { ShortId } from "../../sessions/short-ids.ts";
import { explainQuery } from "../../storage/explain-query.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { toPageJson } from "./hit-json.ts";
import { renderHits } from "./render-hits.ts";

/** How a page is shown. */
interface PageChoice {
  readonly query: string;
  readonly json: boolean;
  /** Whether hits of several projects may be among them. */
  readonly all: boolean;
  readonly shortId: ShortId;
}

/** Prints one page of hits, and tells a person how to go on. */
export function printPage(
  context: CommandContext,
  page: SearchPage,
  { query, json, all, shortId }: PageChoice,
): void {
  const taken = page.hits.length > 0 ? [] : explainQuery(query, context.clock.now()).map(toPrintableLine);
  if (json) context.out(`${renderJson(toPageJson(page))}\n`);
  else {
    context.out(renderHits(page.hits, context, { withProject: all, shortId }));
    for (const line of [...listTalk(page, all), ...taken]) context.err(`${wrapTalk(context, line)}\n`);
  }
}

function listTalk(page: SearchPage, all: boolean): readonly string[] {
  const { hits, scanned, leftOut, next } = page;
  const read = `The search index could not be brought up to date: ${plural(scanned, "entry", "entries")} were read without it. \`carryon doctor\` says why.`;
  const greater = hits.length < largestPage ? " or a greater --limit" : "";
  const more = `These are the first ${hits.length}. For more add --cursor ${next}${greater}.`;
  return [
    ...(hits.length === 0 ? [describeNothing(page, all)] : []),
    ...(scanned === 0 ? [] : [read]),
    ...leftOut.map(describeLeftOut),
    ...(next === null ? [] : [more]),
  ];
}

function describeNothing({ terms }: SearchPage, all: boolean): string {
  const elsewhere = all ? "" : " `--all` looks into all projects.";
  const words = terms.length === 0 ? " There is no word to look for in it, or nothing is recorded here." : "";
  return `Nothing found.${words}${elsewhere}`;
}
