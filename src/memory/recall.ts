import { toPrintableLine } from "../lib/printable.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import { groupHits, type HitGroup } from "../sessions/search-groups.ts";
import type { SearchHit, SearchPage, SearchRequest } from "../sessions/search-index.ts";

/** What is asked, and how much of an answer there is room for. */
export interface RecallRequest {
  readonly question: string;
  /** In tokens of about four characters. */
  readonly budget: number;
}

/** Passages of earlier sessions that answer a question. */
export interface Recalled {
  readonly passages: readonly string[];
  /** How many hits there was no room for. */
  readonly left: number;
}

const charactersPerToken = 4;
const mostHits = 30;

/** Finds passages that answer a question, each with its source and what stands beside it; best first, within the budget. */
export async function recall(
  {
    log,
    search,
  }: {
    readonly log: Pick<ConversationLog, "read">;
    readonly search: (request: SearchRequest) => Promise<SearchPage>;
  },
  { question, budget }: RecallRequest,
): Promise<Recalled> {
  const { hits } = await search({ query: question, match: "ranked", limit: mostHits });
  const groups = await groupHits(log, hits);
  const described = new Map(groups.flatMap(describeGroup));
  const candidates = hits.flatMap((hit) => described.get(hit) ?? []);
  let room = budget * charactersPerToken;
  const passages = candidates.filter((passage) => {
    const isFitting = passage.length + 1 <= room;
    if (isFitting) room -= passage.length + 1;
    return isFitting;
  });
  return { passages, left: candidates.length - passages.length };
}

/** The best hit of a session is quoted with what stands beside it. */
function describeGroup({
  hits: [best, ...others],
  before,
  after,
}: HitGroup): readonly (readonly [SearchHit, string])[] {
  const lines = [before, ...quoteOf(best), after].flatMap((line) =>
    line === null ? [] : [`  ${toPrintableLine(line)}`],
  );
  const first = [`${sourceOf(best)} "${toPrintableLine(best.title).slice(0, 80)}"`, ...lines].join("\n");
  return [
    [best, first],
    ...others.map(
      (hit) => [hit, [sourceOf(hit), ...quoteOf(hit).map((line) => `  ${line}`)].join("\n")] as const,
    ),
  ];
}

function sourceOf({ session, seq, at }: SearchHit): string {
  return `${session}${seq === 0 ? "" : `#${seq}`} ${at.toISOString().slice(0, 10)}`;
}

function quoteOf({ kind, snippet }: SearchHit): readonly string[] {
  const text = toPrintableLine(snippet.map((part) => part.text).join(""))
    .replaceAll(/ {2,}/g, " ")
    .trim();
  return [`${kind}: ${text}`];
}
