import type { ConversationLog } from "../conversation-log.ts";
import type { Entry } from "../entry.ts";
import type { Session } from "../session.ts";

/**
 * Returns how many entries two sessions share from their beginning, because one was forked from the other or both from a
 * third, also one that was deleted since.
 *
 * What forks share are the same stored entries, and each session that shares one shares all before it. So the end of it is
 * found by halves, at the cost of a few entries instead of the whole.
 */
export async function countShared(log: ConversationLog, left: Session, right: Session): Promise<number> {
  if (left.forkedFrom === null && right.forkedFrom === null && left.id !== right.id) return 0;
  let [shared, beyond] = [0, Math.min(left.entries, right.entries) + 1];
  while (beyond - shared > 1) {
    const middle = Math.floor((shared + beyond) / 2);
    if (await isShared(log, left, right, middle)) shared = middle;
    else beyond = middle;
  }
  return shared;
}

async function isShared(log: ConversationLog, left: Session, right: Session, seq: number): Promise<boolean> {
  const [one, other] = await Promise.all([readOne(log, left, seq), readOne(log, right, seq)]);
  return one !== undefined && one.session === other?.session && one.id === other.id;
}

/** Returns the entry with a number; undefined where there is none. */
export async function readOne(
  log: ConversationLog,
  { id }: Pick<Session, "id">,
  seq: number,
): Promise<Entry | undefined> {
  if (seq < 1) return undefined;
  for await (const entry of log.read(id, { from: seq, to: seq })) return entry;
  return undefined;
}
