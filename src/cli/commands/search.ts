import { Option } from "@commander-js/extra-typings";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { largestPage, type SearchPage, searchOrders } from "../../sessions/search-index.ts";
import { chooseProject } from "../../workspace/choose-project.ts";
import { findHere, isNoStore, readHere } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { allOption, countUpTo, jsonOption, projectOption, sessionHelp } from "../parse-options.ts";
import { indexHere } from "../search/index-here.ts";
import { printPage } from "../search/print-page.ts";
import { readShortIds, type ShortId } from "../short-ids.ts";

/** Hits, and how the ids of their sessions are printed. */
interface Answer {
  readonly page: SearchPage;
  readonly shortId: ShortId;
}

const nothing: Answer = {
  page: { hits: [], next: null, terms: [], scanned: 0, leftOut: [] },
  shortId: (id) => id,
};

export const command = defineCommand({
  details:
    'Several words mean all of them, in any order; "words in quotation marks" follow one another, and a word with * at its end is the ' +
    "beginning of one. Case and accents do not matter; identifiers and paths are found whole and by their parts. Filters: client: " +
    "project: branch: role: tool: session: before: after:, such as role:user or after:7d. Anything else is plain text.",
  examples: [
    { line: "carryon search login bug", does: "Entries of this project that have both words, newest first" },
    {
      line: `carryon search '"connection refused" tool:bash'`,
      does: "A phrase, in what a tool was asked or answered",
    },
    {
      line: "carryon search readEntr* role:user after:30d --all",
      does: "The beginning of a word, in what people asked lately",
    },
    { line: "carryon search TODO --json | jq -r '.hits[].snippet'", does: "For a script" },
  ],
  define: (command) =>
    command
      .argument("<words...>", "What to look for")
      .addOption(projectOption())
      .addOption(allOption())
      .option("--session <id>", `Only in one session: ${sessionHelp.toLowerCase()}`)
      .option(
        "--limit <n>",
        `At most this many, and not more than ${largestPage}`,
        countUpTo(largestPage),
        20,
      )
      .addOption(
        new Option("--sort <order>", "What comes first: the newest, or what fits best")
          .choices(searchOrders)
          .default("newest" as const),
      )
      .option("--cursor <cursor>", "Go on where the answer before ended: its `next`")
      .addOption(jsonOption()),
  run: async (context, [words], { project, all, session, limit, sort, cursor, json }) => {
    await catchUp(context);
    const { page, shortId } = await readHere(context, async (here): Promise<Answer> => {
      const scope = session === undefined ? await chooseProject(here, { project, all }) : {};
      if (scope === "nothing") return nothing;
      const only = session === undefined ? {} : { session: (await findHere(context, here, session)).id };
      await indexHere(context, here.store);
      const request = { query: words.join(" "), limit, order: sort, now: context.clock.now() };
      const found = await here.store.search.search({
        ...request,
        ...scope,
        ...only,
        ...(cursor !== undefined && { cursor }),
      });
      const ids = found.hits.map((hit) => hit.session);
      return { page: found, shortId: await readShortIds(here.store.log, ids) };
    }).catch((error: unknown) => {
      if (isNoStore(error)) return nothing;
      throw error;
    });
    printPage(context, page, { query: words.join(" "), json: json === true, all: all === true, shortId });
  },
});
