import { describeDay, describeMoment, plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import type { ConversationLog, ReadRange } from "../../sessions/conversation-log.ts";
import type { Entry } from "../../sessions/entry.ts";
import { type EntryId, parseStrand, type Strand } from "../../sessions/ids.ts";
import { describeHolder } from "../../sessions/lease.ts";
import { hookStrand, readShown } from "../../sessions/observations.ts";
import { readInPlace } from "../../sessions/read-in-place.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { findInText } from "../../storage/find-in-text.ts";
import type { Store } from "../../storage/open-store.ts";
import { requireStrand } from "../../workspace/find-sides.ts";
import { findHere, readHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, parseCount, parsePlace, sessionHelp } from "../define-command.ts";
import { describeTitle } from "../describe-title.ts";
import { type Output, openOutput } from "../paged-output.ts";
import { markLines, markOne } from "../search/mark-matches.ts";
import { showIndexing } from "../search/show-indexing.ts";
import { toSessionJson } from "../session-json.ts";
import { renderEntry } from "../transcript/render-entry.ts";
import { renderText, type View } from "../transcript/render-part.ts";

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
  await showIndexing(context, (show) => store.search.catchUp(show));
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

/** A session and what was found in it. */
interface Found {
  readonly session: Session;
  readonly query: string;
  readonly hits: readonly SearchHit[];
}

/** How many entries before and after a hit are shown with it. */
const around = 1;

/** Yields the entries in which something was found. */
export async function* readFound(log: ConversationLog, { session, hits }: Found): AsyncGenerator<Entry> {
  for (const [from, to] of stretchesOf(hits, 0)) yield* readShown(log, session.id, { from, to });
}

/** Writes what was found in a session, each with what stands before and after it, and what matched marked. */
async function writeFound(output: Output, log: ConversationLog, found: Found, view: View): Promise<void> {
  const { session, hits } = found;
  const bySeq = new Map(hits.map((hit) => [hit.seq, hit]));
  const mark = (text: string) => markLine(found.query, text, view);
  await output.write(renderHeading(session, view));
  for (const [from, to] of stretchesOf(hits, around)) {
    if (from > 1) await output.write(`${view.style.dim("⋮")}\n\n`);
    for await (const entry of readShown(log, session.id, { from, to })) {
      const hit = bySeq.get(entry.seq);
      const text = hit === undefined ? renderPlain(entry, view) : renderHit(entry, hit, view, mark);
      if (!(await output.write(text))) return;
    }
  }
}

function renderPlain(entry: Entry, view: View): string {
  return renderEntry(entry, new PathTracker().follow(entry), view);
}

/** What is shortened may hide what was found: then some of the text around it is shown below. */
function renderHit(entry: Entry, hit: SearchHit, view: View, mark: (text: string) => string): string {
  const plain = renderPlain(entry, view);
  const marked = renderPlain(entry, { ...view, mark });
  const isMarked = hit.snippet.some((part) => part.isMatch);
  if (marked !== plain || !isMarked) return marked;
  const lines = markLines(hit.snippet, { width: view.width, style: view.style, indent: "    ", most: 4 });
  return `${plain.trimEnd()}\n${lines.join("\n")}\n\n`;
}

function markLine(query: string, text: string, { style }: View): string {
  return findInText(query, text)
    .map((part) => (part.isMatch ? markOne(part.text, style) : part.text))
    .join("");
}

/** Returns from where to where is to be read, so that nothing is read twice. */
function stretchesOf(hits: readonly SearchHit[], more: number): readonly (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  const places = hits.map(({ seq }) => seq).filter((seq) => seq > 0);
  for (const seq of places.toSorted((one, other) => one - other)) {
    const last = stretches.at(-1);
    if (last !== undefined && seq - more <= last[1] + 1) last[1] = seq + more;
    else stretches.push([Math.max(1, seq - more), seq + more]);
  }
  return stretches;
}

/** Renders what a transcript begins with: which session it is. Ends with an empty line. */
function renderHeading(session: Session, view: View): string {
  const { style, width, machine } = view;
  const facts = [
    session.client,
    session.projectName,
    ...(session.machine === machine ? [] : [`on ${session.machine}`]),
    ...(session.branch === null ? [] : [session.branch]),
    session.status,
    plural(session.messages, "message"),
    describeMoment(session.startedAt),
    ...session.tags.map((tag) => `#${tag}`),
  ];
  const writer = session.writer === null ? [] : [`being written by ${describeHolder(session.writer)}`];
  const origin = session.forkedFrom === null ? [] : [`forked from ${session.forkedFrom.session}`];
  return `${[
    renderText(toPrintableLine(describeTitle(session)), view, style.bold, ""),
    session.id.length > width ? renderText(session.id, view, (text) => text, "") : session.id,
    ...[facts.join(" · "), ...origin, ...writer].map((line) =>
      renderText(toPrintableLine(line), view, style.dim, ""),
    ),
  ].join("\n")}\n\n`;
}

/** Follows the entries of a session and tells where one does not continue the entry before it on its strand. */
class PathTracker {
  readonly #last = new Map<Strand, EntryId>();
  readonly #places = new Map<EntryId, number>();

  /** Returns what to say about where an entry continues, or undefined when it just follows. */
  follow({ id, seq, parent, strand }: Entry): string | undefined {
    // What hooks saw follows the clock, and some of it is left out.
    if (strand === hookStrand) return undefined;
    const before = this.#last.get(strand);
    this.#last.set(strand, id);
    this.#places.set(id, seq);
    // Of the first entry that is shown of a strand, what came before it may not have been read.
    if (before === undefined || before === parent) return undefined;
    if (parent === null) return "a new start";
    return `goes on from ${this.#describe(parent)}`;
  }

  #describe(entry: EntryId): string {
    const place = this.#places.get(entry);
    return place === undefined ? entry : `#${place}`;
  }
}
