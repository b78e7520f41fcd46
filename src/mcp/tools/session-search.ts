import { z } from "zod";
import { makeAnswer } from "../answer.ts";
import { readRecordIfAny } from "../record/read-record.ts";
import { type Found, type Hit, searchEntries } from "../record/search-entries.ts";
import { defineTool, reads, words } from "../tool.ts";

/** An answer comes after so many entries at the latest. */
const most = 20_000;

export const sessionSearch = defineTool({
  name: "session_search",
  title: "Search the sessions of this project",
  description:
    "Finds the entries of this project's sessions in which all given words stand, in any order and case, also as parts of " +
    "longer words: what was said, thinking, tool calls with their results, summaries, events, and the titles of sessions. The " +
    "sessions that began last come first. Use it to find out when and why something was done; read around a hit with " +
    "session_show. An answer may end before everything was looked at: it then gives the cursor to go on with.",
  input: {
    query: words("The words to look for"),
    limit: z.int().min(1).max(50).default(20).describe("At most so many hits"),
    cursor: words("Go on where the answer before ended, with the same query").optional(),
  },
  annotations: reads,
  run: async ({ query, limit, cursor }, { host }) => {
    const answer = await readRecordIfAny(host, async (record) => {
      const found = await searchEntries(record, { words: query.split(/\s+/u), limit, cursor, most });
      return makeAnswer(describe(found), record.talk + found.hits.map(describeHit).join("\n"));
    });
    return answer ?? makeAnswer("Nothing was recorded in this project.");
  },
});

function describe({ hits, read, next, unread }: Found): string {
  const lost = unread.length === 0 ? "" : ` Could not be read: ${unread.join(", ")}.`;
  const more =
    next === undefined
      ? " Everything was looked at."
      : ` There is more to look at: call again with cursor "${next}".`;
  return `${hits.length} found in ${read} entries.${lost}${more}`;
}

function describeHit({ session, entry, excerpt }: Hit): string {
  const where = entry === undefined ? "title" : `#${entry.seq} ${entry.at.toISOString()}`;
  return `${session.id} ${where}: ${excerpt}`;
}
