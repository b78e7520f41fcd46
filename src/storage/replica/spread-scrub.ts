import type { SessionId } from "../../sessions/ids.ts";
import type { LinkedEntry } from "../../sessions/replica.ts";
import { decodeBody, toHex } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { readLineage } from "../lineage.ts";
import { findHolders } from "../scrub/find-holders.ts";
import { findUnnoted, noteScrubbed } from "../scrub/note-scrubbed.ts";
import { type BodyChange, listDue, markReplaced, readWhole, replaceBody } from "../scrub/replace-bodies.ts";
import { rewriteCopies } from "../scrub/rewrite-session.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";

/** Entries of a session that were scrubbed in another store. */
interface ScrubbedElsewhere {
  readonly session: SessionId;
  readonly entries: readonly LinkedEntry[];
  readonly at: Date;
}

/**
 * Puts what stands in another store in the place of bodies that were scrubbed there.
 *
 * A session that has the note of it already gets none of its own: the two stores would part by it.
 */
export async function spreadScrub(
  runner: SqlRunner,
  guard: Guard,
  { session, entries, at }: ScrubbedElsewhere,
): Promise<number> {
  const replaced = new Map<number, BodyChange>();
  const bodies: { key: number; refs: number }[] = [];
  for (const entry of entries) {
    const change = await findChange(runner, session, entry);
    const refs = change && (await replaceBody(runner, change));
    if (change === undefined || refs === undefined) continue;
    replaced.set(change.key, change);
    bodies.push({ key: change.key, refs });
  }
  if (bodies.length === 0) return 0;
  await runner.run("INSERT INTO wipe_due VALUES (1) ON CONFLICT DO NOTHING");
  const holders = await findHolders(runner, bodies);
  await markReplaced(runner, holders);
  for (const [sharer, { copies }] of await listDue(runner, { holders, replaced, at })) {
    const stored = await readWhole(runner, sharer, runner.dialect.lockHead);
    if (stored === "damaged" || stored === undefined || stored.deletedMs !== null) continue;
    await rewriteCopies(runner, stored, copies);
    const unnoted = await findUnnoted(runner, await readLineage(runner, stored));
    await noteScrubbed(runner, guard, sharer, { at, entries: unnoted });
  }
  return replaced.size;
}

/** Returns what is to be replaced, if the body here is the one that was scrubbed there, and says something else. */
async function findChange(
  runner: SqlRunner,
  session: SessionId,
  { seq, body, scrubbedFrom }: LinkedEntry,
): Promise<BodyChange | undefined> {
  const stored = await readStored(runner, session);
  const lineage = stored === undefined ? [] : await readLineage(runner, stored);
  const segment = lineage.find(({ from, to }) => from <= seq && seq <= to);
  if (segment === undefined) return undefined;
  const rows = await runner.all(
    `SELECT b.key, b.hash, b.scrubbed_hash, b.json, b.zstd FROM entry e JOIN body b ON b.key = e.body_key
     WHERE e.session_key = ? AND e.seq = ?`,
    [segment.key, seq],
  );
  const [key, hash, scrubbedHash, json, zstd] = rows[0] ?? [];
  const before = decodeBody(json, zstd);
  // What was scrubbed here as well keeps what this store has put there.
  if (before === undefined || scrubbedHash !== null || toHex(hash) !== scrubbedFrom) return undefined;
  return { key: key as number, scrubbedHash: null, before, after: body };
}
