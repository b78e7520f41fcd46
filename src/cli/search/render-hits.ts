import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { textWidth, truncate } from "../../lib/terminal-text.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { ShortId } from "../../sessions/short-ids.ts";
import type { CommandContext } from "../command-context.ts";
import { describeTitle } from "../describe-title.ts";
import { markLines } from "./mark-matches.ts";

const indent = "    ";
const shownLines = 3;

export interface HitView {
  readonly withProject: boolean;
  readonly shortId: ShortId;
}

/** Renders hits by session: what it is called, where each hit is, some of the text, and how to read on from there. */
export function renderHits(hits: readonly SearchHit[], context: CommandContext, view: HitView): string {
  const bySession = Map.groupBy(hits, ({ session }) => session);
  return `${[...bySession.values()].map((own) => renderSession(own, context, view)).join("\n")}`;
}

function renderSession(hits: readonly SearchHit[], context: CommandContext, view: HitView): string {
  const [first] = hits;
  if (first === undefined) return "";
  const { style, columns } = context;
  const width = columns ?? Number.POSITIVE_INFINITY;
  const title = toPrintableLine(describeTitle(first));
  const facts = [first.session, first.client, ...(view.withProject ? [first.projectName] : [])];
  const heading = style.bold(Number.isFinite(width) ? truncate(title, width) : title);
  const lines = hits.flatMap((hit) => renderHit(hit, context, width, view));
  return `${[heading, style.dim(fitLine(facts.join(" · "), width)), ...lines].join("\n")}\n`;
}

function renderHit(
  hit: SearchHit,
  { style, clock }: CommandContext,
  width: number,
  { shortId }: HitView,
): readonly string[] {
  const who = hit.seq === 0 ? "title" : `#${hit.seq} ${hit.kind}`;
  const facts = [who, ...(hit.strand === "main" ? [] : [hit.strand]), describeAge(hit.at, clock.now())];
  const jump = hit.seq === 0 ? "" : `carryon show ${shortId(hit.session)} --from ${hit.seq}`;
  const told = fitLine(`  ${facts.join(" · ")}`, width);
  const isOneLine = jump === "" || textWidth(`${told}  ${jump}`) <= width;
  const heading = isOneLine
    ? [style.cyan(told) + style.dim(jump === "" ? "" : `  ${jump}`)]
    : [style.cyan(told), style.dim(`${indent}${jump}`)];
  return [...heading, ...markLines(hit.snippet, { width, style, indent, most: shownLines })];
}

function fitLine(text: string, width: number): string {
  const line = toPrintableLine(text);
  return Number.isFinite(width) ? truncate(line, width) : line;
}
