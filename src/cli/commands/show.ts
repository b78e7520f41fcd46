import { describeDay } from "../../lib/describe-time.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import type { ReadRange } from "../../sessions/conversation-log.ts";
import type { Entry } from "../../sessions/entry.ts";
import { parseStrand } from "../../sessions/ids.ts";
import { readInPlace } from "../../sessions/read-in-place.ts";
import type { Session } from "../../sessions/session.ts";
import type { Store } from "../../storage/open-store.ts";
import { requireStrand } from "../../workspace/find-sides.ts";
import { followIndex } from "../../workspace/follow-index.ts";
import { choiceOf, findHere, readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { type Output, openOutput } from "../paged-output.ts";
import { jsonOption, parseCount, parsePlace, sessionHelp } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { showIndexing } from "../search/show-indexing.ts";
import { type Found, readFound, writeFound } from "../search/write-found.ts";
import { toSessionJson } from "../session-json.ts";
import { PathTracker } from "../transcript/path-tracker.ts";
import { renderEntry } from "../transcript/render-entry.ts";
import { renderHeading } from "../transcript/render-heading.ts";
import type { View } from "../transcript/render-part.ts";

/** Writes a session for people, entry by entry, and stops when the reader has seen enough. */
async function writeTranscript(
  output: Output,
  session: Session,
  entries: AsyncIterable<Entry>,
  view: View,
): Promise<void> {
  const path = new PathTracker();
  let day = describeDay(session.startedAt);
  await output.write(renderHeading(session, view));
  for await (const entry of entries) {
    const today = describeDay(entry.at);
    const dayLine = today === day ? "" : `${view.style.dim(`── ${today} ──`)}\n\n`;
    day = today;
    if (!(await output.write(dayLine + renderEntry(entry, path.follow(entry), view)))) break;
  }
}

/** Writes a session as one JSON document, entry by entry, so that none of any size is held in memory. */
async function writeJson(output: Output, session: Session, entries: AsyncIterable<Entry>): Promise<void> {
  await output.write(`{"session":${renderJson(toSessionJson(session))},"entries":[`);
  let separator = "\n";
  for await (const entry of entries) {
    await output.write(`${separator}${renderJson(toEntryJson(entry))}`);
    separator = ",\n";
  }
  await output.write("\n]}\n");
}

/**
 * Returns an entry in the form that every `--json` uses: docs/formats/cli-json.md.
 *
 * What is its own follows what all entries have; `append` takes the same form back.
 */
function toEntryJson(entry: Entry): object {
  const { seq, id, parent, strand, kind, at, session, ...content } = entry;
  return { seq, id, parent, strand, kind, at: at.toISOString(), session, ...content };
}

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
      line: "carryon show latest --find 'login bug'",
      does: "Where both words stand, and what stands around",
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
      .option("--find <query>", "Only what `carryon search` finds in it, with what stands around")
      .option("--full", "Shorten nothing, and show all fields of events")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption()),
  run: async (context, [id], { json, pager, full, find, ...range }) => {
    await catchUp(context);
    return readHere(context, async (here) => {
      const session = await findHere(context, here, id);
      const { log } = here.store;
      if (range.strand !== undefined) await requireStrand(log, session.id, range.strand);
      const found =
        find === undefined ? undefined : await findIn(context, here.store, session, { find, range });
      const output = openOutput(context, { pager: pager && !json });
      const { style, machine } = context;
      const view = { width: widthOf(context), style, machine, full: full === true };
      const entries = found === undefined ? readInPlace(log, session.id, range) : readFound(log, found);
      if (json) await writeJson(output, session, entries);
      else if (found === undefined) await writeTranscript(output, session, entries, view);
      else await writeFound(output, log, found, view);
      await output.end();
    });
  },
});

function widthOf({ columns }: CommandContext): number {
  return columns === undefined ? Number.POSITIVE_INFINITY : Math.min(columns, readableWidth);
}

/** More are not for reading one after another. */
const mostHits = 1000;

async function findIn(
  context: CommandContext,
  store: Store,
  session: Session,
  { find, range }: { readonly find: string; readonly range: ReadRange },
): Promise<Found> {
  await showIndexing(context, (show) => followIndex(choiceOf(context), store, show));
  const request = { query: find, session: session.id, limit: mostHits, now: context.clock.now() };
  const { hits } = await store.search.search(request);
  const { from = 1, to = Number.POSITIVE_INFINITY, strand } = range;
  const first = from < 0 ? session.entries + 1 + from : from;
  const inside = hits.filter(
    (hit) => hit.seq >= first && hit.seq <= to && (strand === undefined || hit.strand === strand),
  );
  if (inside.length === 0) context.err("Nothing of that is in this session.\n");
  return { session, query: find, hits: inside };
}
