import type { EntryId } from "../../sessions/ids.ts";
import { maxEntries } from "../append-plan.ts";
import type { Row, SqlRunner } from "../sql-driver.ts";

/** An entry that has a body. */
export interface Holder {
  readonly sessionKey: number;
  readonly seq: number;
  readonly id: EntryId;
  readonly kind: string;
  readonly bodyKey: number;
}

const columns = "SELECT session_key, seq, id, kind, body_key FROM entry";

/**
 * Returns all entries that have one of these bodies.
 *
 * The key of a body says which entry came with it; only where there are others, all entries are looked through.
 */
export async function findHolders(
  runner: SqlRunner,
  bodies: readonly { readonly key: number; readonly refs: number }[],
): Promise<readonly Holder[]> {
  const found: Row[] = [];
  const shared: number[] = [];
  for (const { key, refs } of bodies) {
    const place = [Math.floor(key / maxEntries), key % maxEntries, key];
    const rows = await runner.all(`${columns} WHERE session_key = ? AND seq = ? AND body_key = ?`, place);
    if (rows.length === refs) found.push(...rows);
    else shared.push(key);
  }
  if (shared.length > 0) {
    const places = shared.map(() => "?").join(", ");
    found.push(...(await runner.all(`${columns} WHERE body_key IN (${places})`, shared)));
  }
  return found.map(fromRow);
}

function fromRow([sessionKey, seq, id, kind, bodyKey]: Row): Holder {
  return {
    sessionKey: sessionKey as number,
    seq: seq as number,
    id: id as EntryId,
    kind: kind as string,
    bodyKey: bodyKey as number,
  };
}
