import { corrections, describingEvents } from "../sessions/describing-events.ts";
import type { NewEntry } from "../sessions/entry.ts";
import {
  LeaseExpired,
  LeaseLost,
  ScrubNoteRefused,
  SessionInUse,
  SessionWentBack,
} from "../sessions/errors.ts";
import type { Lease } from "../sessions/lease.ts";
import { scrubbedEvent } from "../sessions/scrub-note.ts";
import { isReplaceable } from "./lease-row.ts";
import type { StoredSession } from "./session-row.ts";
import type { Dialect, SqlValue } from "./sql-driver.ts";

/** What the statement that moves the end of a session compares and sets for the sake of its lease. */
export interface AppendRight {
  readonly set: string;
  readonly setParams: readonly SqlValue[];
  readonly where: string;
  readonly whereParams: readonly SqlValue[];
}

const nothing: AppendRight = { set: "", setParams: [], where: "", whereParams: [] };

/** The right of a caller without a lease, as long as nobody has one. */
const unheld: AppendRight = { ...nothing, where: " AND lease_until_ms IS NULL" };

/** The right that is compared while the end is moved; nothing has to be read before. */
export function rightOf(dialect: Dialect, lease: Lease | undefined): AppendRight {
  if (lease === undefined) return unheld;
  return {
    set: `, lease_until_ms = ${dialect.nowMs} + ?`,
    setParams: [lease.forMs],
    where: ` AND epoch = ? AND lease_until_ms > ${dialect.nowMs}`,
    whereParams: [lease.epoch],
  };
}

/** What the caller must do before it appends without a lease. */
export type Clearance = "go ahead" | "end the lease first";

/**
 * Makes sure, while the session is locked, that the caller may append; throws otherwise.
 *
 * Titles, tags and remarks about its digest are always taken: people make them while a session is being written.
 */
export async function clearAppend(
  { session, lease: stored }: StoredSession,
  lease: Lease | undefined,
  entries: readonly NewEntry[],
): Promise<Clearance> {
  if (lease !== undefined) {
    // Epochs only grow, but for a store that was replaced by an older state of it.
    if (stored.epoch < lease.epoch) throw new SessionWentBack(session.id);
    if (stored.holding === undefined || stored.epoch !== lease.epoch) throw new LeaseLost(session.id);
    if (stored.holding.isExpired) throw new LeaseExpired(session.id);
    return "go ahead";
  }
  if (stored.holding === undefined || entries.every(isRemark)) return "go ahead";
  if (await isReplaceable(stored.holding)) return "end the lease first";
  throw new SessionInUse(session.id, stored.holding.holder);
}

const remarks: ReadonlySet<string> = new Set(["titled", "tagged", ...corrections]);

function isRemark(entry: NewEntry): boolean {
  return entry.kind === "event" && remarks.has(entry.event);
}

/** Tells whether entries that are to be appended do nothing but describe their session. */
export function areDescriptions(entries: readonly NewEntry[]): boolean {
  return entries.every((entry) => entry.kind === "event" && describingEvents.has(entry.event));
}

/** Refuses notes that a scrub has not made: the last one about an entry counts, and the entry would not verify any more. */
export function refuseScrubNotes(entries: readonly NewEntry[]): void {
  if (entries.some((entry) => entry.kind === "event" && entry.event === scrubbedEvent))
    throw new ScrubNoteRefused();
}

/** The right of an append that was cleared while the session is locked. */
export function clearedRight(dialect: Dialect, lease: Lease | undefined): AppendRight {
  return lease === undefined ? nothing : rightOf(dialect, lease);
}
