import { Option } from "@commander-js/extra-typings";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { largestPage, searchOrders } from "../../sessions/search-index.ts";
import { searchSessions } from "../../workspace/search-sessions.ts";
import { defineCommand } from "../define-command.ts";
import { allOption, countUpTo, jsonOption, projectOption, sessionHelp } from "../parse-options.ts";
import { printPage } from "../search/print-page.ts";
import { showIndexing } from "../search/show-indexing.ts";

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
    const query = words.join(" ");
    const request = { query, limit, order: sort, session, choice: { project, all } };
    const asked = { ...request, ...(cursor !== undefined && { cursor }) };
    const { page, shortId } = await showIndexing(context, (show) => searchSessions(context, asked, show));
    printPage(context, page, { query, json: json === true, all: all === true, shortId });
  },
});
