import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Entry } from "../../sessions/entry.ts";
import { readShown } from "../../sessions/observations.ts";
import type { SearchHit } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { findInText } from "../../storage/find-in-text.ts";
import type { Output } from "../paged-output.ts";
import { PathTracker } from "../transcript/path-tracker.ts";
import { renderEntry } from "../transcript/render-entry.ts";
import { renderHeading } from "../transcript/render-heading.ts";
import type { View } from "../transcript/render-part.ts";
import { markLines, markOne } from "./mark-matches.ts";

/** A session and what was found in it. */
export interface Found {
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
export async function writeFound(
  output: Output,
  log: ConversationLog,
  found: Found,
  view: View,
): Promise<void> {
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
