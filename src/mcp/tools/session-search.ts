import { z } from "zod";
import { toPrintableLine } from "../../lib/printable.ts";
import { type SearchHit, type SearchPage, searchOrders } from "../../sessions/search-index.ts";
import { explainQuery } from "../../storage/explain-query.ts";
import { makeAnswer } from "../answer.ts";
import { readRecordIfAny } from "../record/read-record.ts";
import { defineTool, reads, words } from "../tool.ts";

export const sessionSearch = defineTool({
  name: "session_search",
  title: "Search the sessions of this project",
  description:
    "Finds the entries of this project's sessions that fit a question or words best: what was said, thinking, tool calls with their " +
    'results, summaries, events, and the titles of sessions. Any form of any word counts; a "phrase", a prefix* and a +word must stand in ' +
    "an entry, a -word must not; filters are role:user, tool:bash, session:ID, branch:NAME, after:7d, before:2026-11-01. Use it to find out " +
    "when and why something was done; read around a hit with session_show.",
  input: {
    query: words("A question, or words to look for"),
    limit: z.int().min(1).max(50).default(20).describe("At most so many hits"),
    sort: z
      .enum(searchOrders)
      .default("relevance")
      .describe("What comes first: what fits best, or the newest of what fits well"),
    exact: z.boolean().default(false).describe("Only entries that have all words as they are"),
    cursor: words("Go on where the answer before ended, with the same query").optional(),
  },
  annotations: reads,
  run: async ({ query, limit, sort, exact, cursor }, call) => {
    const answer = await readRecordIfAny(call, async ({ search, talk, now }) => {
      const match = exact ? "exact" : "ranked";
      const page = await search({
        query,
        limit,
        match,
        order: sort,
        ...(cursor !== undefined && { cursor }),
      });
      const said = [describe(page), ...explainQuery(query, now).map(toPrintableLine)].join(" ");
      return makeAnswer(said, talk + page.hits.map(describeHit).join("\n"));
    });
    return answer ?? makeAnswer("Nothing was recorded in this project.");
  },
});

function describe({ hits, next }: SearchPage): string {
  const more = next === null ? " That is all." : ` There are more: call again with cursor "${next}".`;
  return `${hits.length} found.${more}`;
}

function describeHit({ session, seq, kind, at, snippet }: SearchHit): string {
  const where = seq === 0 ? "title" : `#${seq} ${kind} ${at.toISOString()}`;
  const text = toPrintableLine(snippet.map((part) => part.text).join("")).replace(/ {2,}/g, " ");
  return `${session} ${where}: ${text.trim()}`;
}
