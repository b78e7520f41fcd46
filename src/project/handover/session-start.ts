import type { FoundDecision } from "../../handover/decisions/parse-decisions.ts";
import { announced } from "./decide.ts";
import { DocumentRecord, type RecordSite } from "./document-record.ts";

/** How many decisions belong to the first session, where none is known to have begun. */
const atMost = 20;

/** The session that goes on, as far as decisions.md tells. */
export interface CurrentSession {
  /** The entry that says that it began. */
  readonly start: FoundDecision | undefined;
  /** What was decided since, but for beginnings and ends. */
  readonly decisions: readonly FoundDecision[];
  /** When steering was last said to have changed. */
  readonly steered: Date | undefined;
}

/** Returns how the beginning of an agent's session is told in decisions.md. */
export function describeStart(session: string): string {
  return `session ${session}`;
}

/** Tells whether a decision is the beginning of an agent's session. */
export function isStartOf({ type, context }: FoundDecision, session: string): boolean {
  return type === "SESSION_START" && context === describeStart(session);
}

/** Finds a session in all decisions, in the order of the file: the one that an agent is in, else the one that began last. */
export function findCurrentSession(all: readonly FoundDecision[], of: string | undefined): CurrentSession {
  const own = of === undefined ? -1 : all.findLastIndex((each) => isStartOf(each, of));
  const at = own < 0 ? all.findLastIndex(({ type }) => type === "SESSION_START") : own;
  const since = (at < 0 ? all.slice(-atMost) : all.slice(at + 1)).filter(
    ({ type, isStruck }) => type !== "" && type !== "SESSION_END" && !isStruck,
  );
  const update = since.findLast(({ type }) => type === "STEERING_UPDATE");
  return { start: all[at], decisions: since, steered: update && toEndOfSecond(update.at) };
}

/** Times are written to the second: what happened in that second happened before its end. */
function toEndOfSecond(at: string): Date | undefined {
  const time = Date.parse(at);
  return Number.isNaN(time) ? undefined : new Date(time + 999);
}

/** Returns the commit that was checked out when a session began, if that is known. */
export async function readStartHead(site: RecordSite, seq: number): Promise<string | undefined> {
  const record = new DocumentRecord(site, "decisions.md");
  // Most often it is among the newest.
  for (const last of [100, undefined]) {
    let head: string | undefined;
    for await (const { event, data } of record.read(last))
      if (event === announced && data.seq === seq && typeof data.head === "string") head = data.head;
    if (head !== undefined) return head;
  }
  return undefined;
}
