import { AppError } from "../lib/app-error.ts";
import type { ConversationLog, ReadRange } from "./conversation-log.ts";
import type { Entry, Part } from "./entry.ts";
import type { SessionId } from "./ids.ts";
import { isOwnCall, isOwnEcho } from "./own-echo.ts";
import type { SearchHit } from "./search-index.ts";
import { outputText } from "./tool-runs.ts";

/** The hits of one session, best first, and what was said beside the best of them. */
export interface HitGroup {
  readonly hits: readonly [SearchHit, ...SearchHit[]];
  readonly before: string | null;
  readonly after: string | null;
}

/** Groups hits by session, in the order of the best hit of each, and reads what stands beside that. */
export async function groupHits(
  log: Pick<ConversationLog, "read">,
  hits: readonly SearchHit[],
): Promise<readonly HitGroup[]> {
  const groups: HitGroup[] = [];
  for (const [best, ...others] of Map.groupBy(hits, ({ session }) => session).values())
    if (best !== undefined) groups.push({ hits: [best, ...others], ...(await readBeside(log, best)) });
  return groups;
}

/** Entries without words, such as what a client notes, stand between what was said. */
const reach = 4;

/** Returns what was said just before and after a hit, each on a line; null where nothing was. */
async function readBeside(
  log: Pick<ConversationLog, "read">,
  { session, seq, strand }: SearchHit,
): Promise<Pick<HitGroup, "before" | "after">> {
  if (seq === 0) return { before: null, after: null };
  // Not the hit itself, which may be large.
  const before = await readLines(log, session, { from: Math.max(1, seq - reach), to: seq - 1, strand });
  const after = await readLines(log, session, { from: seq + 1, to: seq + reach, strand });
  return { before: before.at(-1) ?? null, after: after[0] ?? null };
}

async function readLines(
  log: Pick<ConversationLog, "read">,
  session: SessionId,
  range: ReadRange,
): Promise<readonly string[]> {
  const lines: string[] = [];
  try {
    for await (const entry of log.read(session, range)) {
      const line = isOwnEcho(entry) ? "" : lineOf(entry);
      if (line !== "") lines.push(line);
    }
  } catch (error) {
    // A damaged neighbour hides no hit.
    if (!(error instanceof AppError)) throw error;
  }
  return lines;
}

const longestLine = 200;

function lineOf(entry: Entry): string {
  if (entry.kind !== "message") return "";
  const text = entry.parts
    .map(textOf)
    .join(" ")
    .slice(0, 4 * longestLine)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (text === "") return "";
  const shown = text.length > longestLine ? `${text.slice(0, longestLine).toWellFormed()}…` : text;
  return `${entry.role}: ${shown}`;
}

function textOf(part: Part): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "tool-call":
      return isOwnCall(part) ? "" : `${part.name} ${JSON.stringify(part.input).slice(0, longestLine)}`;
    case "tool-result":
      return outputText(part.output);
    case "thinking":
    case "image":
    case "file":
    case "other":
      return "";
  }
}
