import { sha256 } from "../../sessions/chain.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { ScrubbedEntry } from "../../sessions/scrub-note.ts";
import { forgetDigests } from "../digests/forget-digests.ts";
import { encodeBody, toBytes } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { readLineage } from "../lineage.ts";
import { forgetSessions } from "../search/forget.ts";
import { readStored, type StoredSession } from "../session-row.ts";
import type { SqlDriver, SqlRunner } from "../sql-driver.ts";
import { SessionIsDamaged } from "../store-errors.ts";
import { findHolders, type Holder } from "./find-holders.ts";
import { noteScrubbed } from "./note-scrubbed.ts";
import { readSharers } from "./read-sharers.ts";
import { readCopies, rewriteCopies, type TextChange } from "./rewrite-session.ts";

/** A body that is to be replaced. */
export interface BodyChange {
  readonly key: number;
  readonly scrubbedHash: Uint8Array | null;
  readonly before: string;
  readonly after: string;
}

export interface ReplacedBatch {
  readonly entries: number;
  /** The sessions that have a note of it. */
  readonly sessions: readonly SessionId[];
  /** Those that have none, because their record is damaged. */
  readonly damaged: readonly SessionId[];
}

/** What is to be noted in a session, and which texts that describe it are to be replaced. */
interface Due {
  readonly entries: readonly ScrubbedEntry[];
  readonly copies: readonly TextChange[];
}

/** Replaces bodies and notes it in every session that has them; all or nothing. */
export function replaceBodies(
  driver: SqlDriver,
  guard: Guard,
  changes: readonly BodyChange[],
  at: Date,
): Promise<ReplacedBatch> {
  return driver.transaction(async (transaction) => {
    const replaced = new Map<number, BodyChange>();
    const bodies: { key: number; refs: number }[] = [];
    for (const change of changes) {
      const refs = await replaceBody(transaction, change);
      if (refs === undefined) continue;
      replaced.set(change.key, change);
      bodies.push({ key: change.key, refs });
    }
    if (bodies.length === 0) return { entries: 0, sessions: [], damaged: [] };
    await transaction.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
    // Only now: an append that shares one of these bodies has either been waited for, or waits until it sees the new text.
    const holders = await findHolders(transaction, bodies);
    await markReplaced(transaction, holders);
    const noted = await noteAll(transaction, driver.dialect.lockHead, guard, { holders, replaced, at });
    return { entries: holders.length, ...noted };
  });
}

/** Says of entries that their bodies were replaced, and takes what they said out of the index and the digests. */
export async function markReplaced(transaction: SqlRunner, holders: readonly Holder[]): Promise<void> {
  for (const { sessionKey, seq } of holders) {
    const entry = [sessionKey, seq];
    await transaction.run("INSERT INTO scrubbed_entry VALUES (?, ?) ON CONFLICT DO NOTHING", entry);
  }
  const sessions = holders.map(({ sessionKey }) => sessionKey);
  await forgetSessions(transaction, sessions);
  await forgetDigests(transaction, sessions);
}

/** Returns how many entries have the body, or undefined when it has changed or gone meanwhile. */
export async function replaceBody(runner: SqlRunner, change: BodyChange): Promise<number | undefined> {
  const [json, zstd] = encodeBody(change.after);
  const rows = await runner.all(
    `UPDATE body SET json = ?, zstd = ?, scrubbed_hash = ?
     WHERE key = ? AND scrubbed_hash IS NOT DISTINCT FROM ? RETURNING refs`,
    [json, zstd, toBytes(sha256(change.after)), change.key, change.scrubbedHash],
  );
  return rows[0]?.[0] as number | undefined;
}

interface Replaced {
  readonly holders: readonly Holder[];
  readonly replaced: ReadonlyMap<number, BodyChange>;
  readonly at: Date;
}

/** A fork may be made while its origin is not locked yet, so that it looks again until there is none without a note. */
async function noteAll(
  runner: SqlRunner,
  lock: string,
  guard: Guard,
  work: Replaced,
): Promise<Omit<ReplacedBatch, "entries">> {
  const seen = new Set<SessionId>();
  const damaged = new Set<SessionId>();
  for (;;) {
    const due = [...(await listDue(runner, work))].filter(([session]) => !seen.has(session));
    if (due.length === 0)
      return { sessions: [...seen].filter((id) => !damaged.has(id)), damaged: [...damaged] };
    for (const [session, { entries, copies }] of due) {
      const stored = await readWhole(runner, session, lock);
      seen.add(session);
      if (stored === "damaged") damaged.add(session);
      if (stored === "damaged" || stored === undefined || stored.deletedMs !== null) continue;
      await rewriteCopies(runner, stored, copies);
      await noteScrubbed(runner, guard, session, { at: work.at, entries });
    }
  }
}

/** Nothing can be appended to a session whose record is damaged, and it does not verify anyway; the secret goes all the same. */
export async function readWhole(
  runner: SqlRunner,
  session: SessionId,
  lock: string,
): Promise<StoredSession | "damaged" | undefined> {
  try {
    const stored = await readStored(runner, session, lock);
    if (stored !== undefined) await readLineage(runner, stored);
    return stored;
  } catch (error) {
    if (error instanceof SessionIsDamaged) return "damaged";
    throw error;
  }
}

export async function listDue(runner: SqlRunner, work: Replaced): Promise<ReadonlyMap<SessionId, Due>> {
  const due = new Map<SessionId, Due>();
  for (const [sessionKey, held] of Map.groupBy(work.holders, (holder) => holder.sessionKey)) {
    for (const { session, upTo } of await readSharers(runner, sessionKey)) {
      const found = toDue(
        held.filter(({ seq }) => seq <= upTo),
        work,
      );
      const before = due.get(session);
      if (before !== undefined) due.set(session, join(before, found));
      else if (found.entries.length > 0) due.set(session, found);
    }
  }
  return due;
}

function toDue(held: readonly Holder[], { replaced }: Replaced): Due {
  const changes = held.flatMap(({ id, kind, bodyKey }) => {
    const change = replaced.get(bodyKey);
    return change === undefined ? [] : [{ id, kind, change }];
  });
  return {
    entries: changes.map(({ id, change }) => ({ id, hash: sha256(change.after) })),
    copies: changes.flatMap(({ kind, change }) => readCopies(kind, change)),
  };
}

function join(one: Due, other: Due): Due {
  return { entries: [...one.entries, ...other.entries], copies: [...one.copies, ...other.copies] };
}
