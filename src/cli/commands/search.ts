import { Option } from "@commander-js/extra-typings";
import { plural } from "../../lib/describe.ts";
import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { textWidth, truncate, wrapTalk } from "../../lib/terminal-text.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { type SearchAnswer, searchSessions } from "../../memory/search-sessions.ts";
import type { HitGroup } from "../../sessions/search-groups.ts";
import {
  describeLeftOut,
  largestPage,
  type SearchHit,
  type SearchPage,
  searchOrders,
} from "../../sessions/search-index.ts";
import type { ShortId } from "../../sessions/short-ids.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import {
  allOption,
  countUpTo,
  defineCommand,
  jsonOption,
  projectOption,
  sessionHelp,
} from "../define-command.ts";
import { describeTitle } from "../describe-title.ts";
import { markLines, markPlainly } from "../search/mark-matches.ts";
import { showIndexing } from "../search/show-indexing.ts";

export const command = defineCommand({
  details:
    "Ask in plain words: entries that fit the question best come first, any form of any word counts, and rare words count most. " +
    'A "phrase", a prefix* and a +word must stand in an entry, a -word must not (after --). Case and accents do not matter; ' +
    "identifiers and paths are found whole and by their parts. With --exact all words must stand in an entry as they are, and the " +
    "newest comes first. Filters: client: project: branch: role: tool: session: before: after:, such as role:user, after:7d or after:yesterday.",
  examples: [
    {
      line: "carryon search why did the hook refuse the commit",
      does: "Entries of this project that answer a question",
    },
    {
      line: `carryon search '"connection refused" tool:bash'`,
      does: "A phrase, in what a tool was asked or answered",
    },
    {
      line: "carryon search --exact readEntr* role:user after:30d --all",
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
      .option("--exact", "Only entries that have all words as they are, newest first")
      .option("--newest", "Of what fits well, the newest first")
      .addOption(
        new Option("--sort <order>", "What comes first: the newest, or what fits best").choices(searchOrders),
      )
      .option("--cursor <cursor>", "Go on where the answer before ended: its `next`")
      .addOption(jsonOption()),
  run: async (context, [words], options) => {
    const { project, all, session, limit, cursor, json } = options;
    await catchUp(context);
    const query = words.join(" ");
    const match = options.exact ? ("exact" as const) : ("ranked" as const);
    const order = options.newest ? ("newest" as const) : options.sort;
    const request = { query, limit, match, order, session, choice: { project, all } };
    const asked = { ...request, ...(cursor !== undefined && { cursor }) };
    const answer = await showIndexing(context, (show) => searchSessions(context, asked, show));
    if (json) context.out(`${renderJson(toPageJson(answer))}\n`);
    else printAnswer(context, answer, { all });
  },
});

/** Prints one page of hits, of all projects or of one, and tells a person how to go on. */
function printAnswer(
  context: CommandContext,
  { page, groups, shortId, notes }: SearchAnswer,
  { all = false }: { readonly all: boolean | undefined },
): void {
  context.out(groups.map((group) => renderGroup(group, context, { withProject: all, shortId })).join("\n"));
  for (const line of [...listTalk(page, all), ...notes.map(toPrintableLine)])
    context.err(`${wrapTalk(context, line)}\n`);
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

const roles: ReadonlySet<string> = new Set(["user", "assistant", "tool"]);

/** Returns a page of hits in the form that `search --json` prints: docs/formats/cli-json.md. */
function toPageJson({ page: { hits, next, terms, scanned }, groups, notes }: SearchAnswer): object {
  const said = notes.map(toPrintableLine);
  return { hits: hits.map(toHitJson), groups: groups.map(toGroupJson), terms, notes: said, scanned, next };
}

function toGroupJson({ hits, before, after }: HitGroup): object {
  const [{ session, title, seq, score }] = hits;
  const shown = (line: string | null) => line && toPrintableLine(line);
  const best = { seq, before: shown(before), after: shown(after) };
  return { session, title, score, best, seqs: hits.map((hit) => hit.seq) };
}

function toHitJson(hit: SearchHit): object {
  const { session, seq, entry, kind, strand, at, snippet, score, title, project, projectName } = hit;
  return {
    ...{ session, seq, entry, kind, role: roles.has(kind) ? kind : null, strand, at: at.toISOString() },
    ...{
      snippet: markPlainly(snippet),
      matches: snippet.flatMap(({ text, isMatch }) => (isMatch ? [text] : [])),
    },
    ...{ score, title, client: hit.client, branch: hit.branch, project, projectName },
  };
}

const indent = "    ";
const shownLines = 3;

interface HitView {
  readonly withProject: boolean;
  readonly shortId: ShortId;
}

/** Renders the hits of a session: what it is called, where each hit is, some of the text, and how to read on from there. */
function renderGroup({ hits, before, after }: HitGroup, context: CommandContext, view: HitView): string {
  const [best] = hits;
  const { style, columns } = context;
  const width = columns ?? Number.POSITIVE_INFINITY;
  const facts = [best.session, best.client, ...(view.withProject ? [best.projectName] : [])];
  const beside = (line: string | null) =>
    line === null ? [] : [style.dim(fitLine(`${indent}${line}`, width))];
  const lines = hits.flatMap((hit) => {
    const { where, text } = renderHit(hit, context, width, view);
    return hit === best ? [...where, ...beside(before), ...text, ...beside(after)] : [...where, ...text];
  });
  const heading = [
    style.bold(fitLine(describeTitle(best), width)),
    style.dim(fitLine(facts.join(" · "), width)),
  ];
  return `${[...heading, ...lines].join("\n")}\n`;
}

function renderHit(
  hit: SearchHit,
  { style, clock }: CommandContext,
  width: number,
  { shortId }: HitView,
): { readonly where: readonly string[]; readonly text: readonly string[] } {
  const who = hit.seq === 0 ? "title" : `#${hit.seq} ${hit.kind}`;
  const facts = [who, ...(hit.strand === "main" ? [] : [hit.strand]), describeAge(hit.at, clock.now())];
  const jump = hit.seq === 0 ? "" : `carryon show ${shortId(hit.session)} --from ${hit.seq}`;
  const told = fitLine(`  ${facts.join(" · ")}`, width);
  const isOneLine = jump === "" || textWidth(`${told}  ${jump}`) <= width;
  const where = isOneLine
    ? [style.cyan(told) + style.dim(jump === "" ? "" : `  ${jump}`)]
    : [style.cyan(told), style.dim(`${indent}${jump}`)];
  return { where, text: markLines(hit.snippet, { width, style, indent, most: shownLines }) };
}

function fitLine(text: string, width: number): string {
  const line = toPrintableLine(text);
  return Number.isFinite(width) ? truncate(line, width) : line;
}
