import { parseStrand } from "../../conversation/ids.ts";
import { readShown } from "../../conversation/observations.ts";
import { defineCommand } from "../define-command.ts";
import { findHere, readHere } from "../open-here.ts";
import { openOutput } from "../paged-output.ts";
import { jsonOption, parseCount, parsePlace, sessionHelp } from "../parse-options.ts";
import { requireStrand } from "../require-strand.ts";
import { catchUp } from "../sync/catch-up.ts";
import { writeJson, writeTranscript } from "../transcript/write-transcript.ts";

/** Wider lines are hard to read. */
const readableWidth = 100;

export const command = defineCommand({
  details:
    "Tool calls, long results and long thinking are shortened; --full shows all of them. What a client did not come to " +
    "write before it was killed is shown as its hooks saw it. A long transcript opens in $PAGER, or in less.",
  examples: [
    { line: "carryon show latest", does: "Read the newest session of this project" },
    { line: "carryon show latest --from -20", does: "Only the last 20 entries" },
    {
      line: "carryon show session-20261115-143022 --strand worker --full",
      does: "One strand, nothing shortened",
    },
    { line: "carryon show latest --json | jq '.entries[].parts'", does: "For a script" },
  ],
  define: (command) =>
    command
      .argument("<id>", sessionHelp)
      .option(
        "--strand <name>",
        "Only this strand: main, instructor, worker, hooks or a subagent's",
        parseStrand,
      )
      .option("--from <n>", "Begin at entry n; -20 means the last 20", parsePlace)
      .option("--to <n>", "End at entry n", parseCount)
      .option("--full", "Shorten nothing, and show all fields of events")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption()),
  run: async (context, [id], { json, pager, full, ...range }) => {
    await catchUp(context);
    return readHere(context, async (here) => {
      const session = await findHere(context, here, id);
      if (range.strand !== undefined) await requireStrand(here.store.log, session.id, range.strand);
      const entries = readShown(here.store.log, session.id, range);
      const width =
        context.columns === undefined ? Number.POSITIVE_INFINITY : Math.min(context.columns, readableWidth);
      const output = openOutput(context, { pager: pager && !json });
      const view = { width, style: context.style, full: full === true };
      await (json ? writeJson(output, session, entries) : writeTranscript(output, session, entries, view));
      await output.end();
    });
  },
});
