import { plural } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { SessionId } from "../sessions/ids.ts";
import { groupHits, type HitGroup } from "../sessions/search-groups.ts";
import type { SearchHit, SearchPage, SearchRequest } from "../sessions/search-index.ts";
import { explainQuery } from "../storage/explain-query.ts";

/** What is asked, and how much of an answer there is room for. */
export interface RecallRequest {
  readonly question: string;
  /** In tokens of about four characters. */
  readonly budget: number;
  /** The session that asks, of which nothing is quoted. */
  readonly except?: SessionId | undefined;
}

/** Passages of earlier sessions that answer a question, to be quoted below our own words. */
export interface Recalled {
  readonly said: string;
  readonly quoted: string;
}

const charactersPerToken = 4;
const mostHits = 30;

/** Finds passages that answer a question, each with its source and what stands beside it; best first, within the budget. */
export async function recall(
  {
    log,
    search,
    now,
  }: {
    readonly log: Pick<ConversationLog, "read">;
    readonly search: (request: SearchRequest) => Promise<SearchPage>;
    readonly now: Date;
  },
  { question, budget, except }: RecallRequest,
): Promise<Recalled> {
  const limit = except === undefined ? mostHits : 2 * mostHits;
  const page = await search({ query: question, match: "ranked", limit });
  const hits = page.hits.filter(({ session }) => session !== except).slice(0, mostHits);
  const groups = await groupHits(log, hits);
  const described = new Map(groups.flatMap(describeGroup));
  const candidates = hits.flatMap((hit) => described.get(hit) ?? []);
  let room = budget * charactersPerToken;
  const passages = candidates.filter((passage) => {
    const isFitting = passage.length + 1 <= room;
    if (isFitting) room -= passage.length + 1;
    return isFitting;
  });
  const left = candidates.length - passages.length;
  const said = [
    `${plural(passages.length, "passage")}.`,
    ...(left === 0 ? [] : [`${left} more did not fit into the budget.`]),
    ...explainQuery(question, now).map(toPrintableLine),
  ];
  return { said: said.join(" "), quoted: passages.join("\n") };
}

/** The best hit of a session is quoted with what stands beside it. */
function describeGroup({
  hits: [best, ...others],
  before,
  after,
}: HitGroup): readonly (readonly [SearchHit, string])[] {
  const beside = [before, quoteOf(best), after].flatMap((line) =>
    line === null ? [] : toPrintableLine(line),
  );
  const first = [`${sourceOf(best)} "${toPrintableLine(best.title).slice(0, 80)}"`, ...beside].join("\n  ");
  return [[best, first], ...others.map((hit) => [hit, `${sourceOf(hit)}\n  ${quoteOf(hit)}`] as const)];
}

function sourceOf({ session, seq, at }: SearchHit): string {
  return `${session}${seq === 0 ? "" : `#${seq}`} ${at.toISOString().slice(0, 10)}`;
}

function quoteOf({ kind, snippet }: SearchHit): string {
  const text = toPrintableLine(snippet.map((part) => part.text).join(""));
  return `${kind}: ${text.replaceAll(/ {2,}/g, " ").trim()}`;
}
