import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import type { FoundDecision } from "../decisions/parse-decisions.ts";
import { readDecisionsSince } from "../decisions/read-last-decisions.ts";
import { announced } from "../decisions/recorded-decisions.ts";
import { holdsText } from "../decisions/with-decisions.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "../document-record.ts";

/** How many decisions belong to the first session, where none is known to have begun. */
const atMost = 20;

/** The type of the entries that say that a session began. */
export const sessionStart = "SESSION_START";

/** The session that goes on, as far as decisions.md tells. */
export interface CurrentSession {
  /** The entry that says that it began. */
  readonly start: FoundDecision | undefined;
  /** What was decided since, but for beginnings and ends. */
  readonly decisions: readonly FoundDecision[];
  /** When steering was last said to have changed. */
  readonly steered: Date | undefined;
}

/** Tells whether an entry says only that a session began or ended. */
export function isBoundary({ type }: Pick<FoundDecision, "type">): boolean {
  return type === sessionStart || type === "SESSION_END";
}

/** Returns how the beginning of an agent's session is told in decisions.md. */
export function describeStart(session: string): string {
  return `session ${session}`;
}

/** Tells whether a decision is the beginning of an agent's session. */
export function isStartOf({ type, context }: FoundDecision, session: string): boolean {
  return type === sessionStart && context === describeStart(session);
}

/** Tells whether decisions.md says that an agent's session has begun. */
export async function hasBegun(place: HandoverPlace, session: string): Promise<boolean> {
  if (!(await holdsText(place, describeStart(session)))) return false;
  const isStart = (each: FoundDecision) => isStartOf(each, session);
  return (await readDecisionsSince(place, isStart)).some(isStart);
}

/**
 * Finds a session in the decisions since it began, in the order of the file; those before do no harm. It is the one
 * that an agent is in, else the one that began last.
 */
export function findCurrentSession(all: readonly FoundDecision[], of: string | undefined): CurrentSession {
  const own = of === undefined ? -1 : all.findLastIndex((each) => isStartOf(each, of));
  const at = own < 0 ? all.findLastIndex(({ type }) => type === sessionStart) : own;
  const since = all
    .slice(at + 1)
    .filter((each) => each.type !== "" && !isBoundary(each) && !each.isStruck)
    .slice(at < 0 ? -atMost : 0);
  return { start: all[at], decisions: since, steered: findSteered(since) };
}

/** Returns when steering was last said to have changed, in whatever session. */
export async function readSteered(place: HandoverPlace): Promise<Date | undefined> {
  return findSteered(await readDecisionsSince(place, isUpdate));
}

function findSteered(decisions: readonly FoundDecision[]): Date | undefined {
  const update = decisions.findLast(isUpdate);
  return update && toEndOfSecond(update.at);
}

function isUpdate({ type, isStruck }: FoundDecision): boolean {
  return type === "STEERING_UPDATE" && !isStruck;
}

/** Times are written to the second: what happened in that second happened before its end. */
function toEndOfSecond(at: string): Date | undefined {
  const time = Date.parse(at);
  return Number.isNaN(time) ? undefined : new Date(time + 999);
}

/** Returns the commit that was checked out when a session began, if that is known. */
export async function readStartHead(site: RecordSite, seq: number): Promise<string | undefined> {
  const record = new DocumentRecord(site, "decisions.md");
  // Most often it is among the newest; and numbers rise, so that it is not before a lower one.
  for (let last = 100; ; last *= 4) {
    const notes = await Array.fromAsync(record.read(last));
    const head = findHead(notes, seq);
    if (head !== undefined || notes.some((note) => isAnnouncement(note) && Number(note.data.seq) < seq))
      return head;
    if (notes.length < last) return findHead(await Array.fromAsync(record.read()), seq);
  }
}

function isAnnouncement({ event }: RecordedEvent): boolean {
  return event === announced;
}

function findHead(notes: readonly RecordedEvent[], seq: number): string | undefined {
  const start = notes.findLast(
    (note) => isAnnouncement(note) && note.data.seq === seq && "head" in note.data,
  );
  return typeof start?.data.head === "string" ? start.data.head : undefined;
}
