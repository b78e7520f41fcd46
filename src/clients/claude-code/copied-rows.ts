import { type EntryId, isName } from "../../sessions/ids.ts";
import type { Absorbed } from "./to-entries.ts";
import { objectOf, type Row, textOf } from "./wire.ts";

/** Rows that were copied from another session under new ids: their ids here and there. */
export type Copies = ReadonlyMap<EntryId, EntryId>;

/** Returns the rows that the SDK copied when it made a fork, or that Carryon wrote; each names the entry that it was. */
export function findCopies(rows: readonly Row[]): Copies {
  return new Map(
    rows.flatMap((row) => {
      if (row.family !== "chain") return [];
      const origin = textOf(objectOf(row.fields, "forkedFrom"), "messageUuid");
      return origin === undefined || !isName(origin) ? [] : [[row.uuid, origin as EntryId] as const];
    }),
  );
}

/**
 * Returns what was read without the copies, or without other entries that one stands for; what follows a copy follows the
 * original, now and when reading goes on.
 */
export function leaveOutCopies(absorbed: Absorbed, copies: Copies): Absorbed {
  if (copies.size === 0) return absorbed;
  const original = <Id extends EntryId | null | undefined>(id: Id): Id | EntryId =>
    typeof id === "string" ? (copies.get(id) ?? id) : id;
  const entries = absorbed.entries
    .filter(({ id }) => !copies.has(id))
    .map((entry) => (entry.parent === undefined ? entry : { ...entry, parent: original(entry.parent) }));
  const rows = absorbed.state.rows.map((row) => {
    const [uuid, stands, digests] = row;
    const entry = original(stands === true ? (uuid as EntryId) : stands);
    const copied = copies.get(uuid as EntryId);
    if (copied !== undefined) return [uuid, entry, digests, copied] as const;
    const now = entry === uuid ? true : entry;
    return now === stands ? row : ([uuid, now, digests] as const);
  });
  const { facts } = absorbed.state;
  const queue = (absorbed.state.queue ?? []).map((each) => ({ ...each, parent: original(each.parent) }));
  return {
    ...absorbed,
    entries,
    state: { ...absorbed.state, rows, queue, facts: { ...facts, leaf: original(facts.leaf) } },
  };
}
