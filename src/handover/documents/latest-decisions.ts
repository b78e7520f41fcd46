import type { GitFacts } from "../../git/git-facts.ts";
import { readAuthorship } from "../../git/git-history.ts";
import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import type { Dated } from "../dated.ts";
import type { FoundDecision } from "../decisions/parse-decisions.ts";
import { keepOwn, readDecisionsUntil, withoutWritten } from "../decisions/read-decisions.ts";
import type { RecordSite } from "../document-record.ts";
import { readElsewhere } from "../logged-decisions.ts";
import { isBoundary } from "../session/collect-facts.ts";

/** How many of the latest decisions are told. */
const lastDecisions = 20;

/** Whose decisions they are, and what is known of them. */
interface DecisionSite {
  readonly place: HandoverPlace;
  readonly git: GitFacts | undefined;
  readonly record: RecordSite | undefined;
  readonly isTrusted: boolean;
}

/** What there is to choose from. */
interface AllDecisions {
  /** Where the document is. */
  readonly path: string;
  readonly all: readonly FoundDecision[];
}

/** Returns the end of decisions.md: with as many decisions as are told, and more. */
export function readLatestDecisions(place: HandoverPlace): Promise<readonly FoundDecision[]> {
  return readDecisionsUntil(place, (all) => all.filter((each) => !isBoundary(each)).length >= lastDecisions);
}

/** Returns the latest decisions of a document, each of this user's or from outside. */
export async function readDecisions(
  { record, isTrusted, git, place }: DecisionSite,
  { path, all }: AllDecisions,
): Promise<Dated<readonly FoundDecision[]> | undefined> {
  // Where sessions begin and end is no decision.
  const last = all.filter((each) => !isBoundary(each)).slice(-lastDecisions);
  const [first] = last;
  if (first === undefined) return undefined;
  // Between two decisions the log has the beginnings and ends of all sessions.
  const since = new Set(await keepOwn(record, all.slice(all.indexOf(first))));
  const own = last.filter((each) => since.has(each));
  const others = last.filter((each) => !own.includes(each));
  if (others.length === 0) return { value: last, at: timeOf(last), origin: { type: "own" } };
  const author = git && (await readAuthorship(place.root, path))?.author;
  const some = { count: others.length, at: timeOf(others) };
  const value = isTrusted ? last : own;
  return { value, at: timeOf(value), origin: { type: "outside", author, isTrusted, some } };
}

/** Returns the latest decisions of each other machine: they are its own, with its own numbers, until git brings them here. */
export async function readDecisionsElsewhere(
  { record, isTrusted }: DecisionSite,
  document: HandoverPlace | undefined,
): Promise<readonly Dated<readonly FoundDecision[]>[]> {
  if (record === undefined) return [];
  const others = (await readElsewhere(record)).filter((each) => !isBoundary(each));
  const found = await withoutWritten(document, others);
  return [...Map.groupBy(found, ({ machine }) => machine)].map(([author, decisions]) => {
    const value = decisions.slice(-lastDecisions);
    return { value, at: timeOf(value), origin: { type: "outside", author, isTrusted } };
  });
}

/** Returns when the newest of some decisions was made. */
function timeOf(decisions: readonly FoundDecision[]): Date {
  return new Date(decisions.at(-1)?.at ?? "");
}
