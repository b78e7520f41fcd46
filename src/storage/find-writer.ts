import type { SessionId } from "../sessions/ids.ts";
import type { Holder } from "../sessions/lease.ts";
import { isReplaceable } from "./is-replaceable.ts";
import { fromLeaseColumns, leaseColumns } from "./lease-row.ts";
import type { SqlRunner, SqlValue } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** A session and the living process that writes it. */
export interface Writer {
  readonly session: SessionId;
  readonly holder: Holder;
}

/** Returns a living process that holds a session of the store, if there is one. */
export async function findWriter(runner: SqlRunner): Promise<Writer | undefined> {
  const rows = await runner.all(
    `SELECT s.id, ${leaseColumns(runner.dialect)} FROM session s JOIN session_head h ON h.session_key = s.key
     LEFT JOIN lease l ON l.session_key = s.key
     WHERE h.deleted_ms IS NULL AND h.lease_until_ms IS NOT NULL ORDER BY s.key`,
  );
  for (const [id, ...columns] of rows) {
    const session = id as SessionId;
    const holding = readHolding(session, columns);
    if (holding !== undefined && !(await isReplaceable(holding))) return { session, holder: holding.holder };
  }
  return undefined;
}

/** Of a damaged lease nobody can say whose it is. */
function readHolding(session: SessionId, columns: readonly SqlValue[]) {
  try {
    return fromLeaseColumns(session, columns).holding;
  } catch (error) {
    if (error instanceof SessionIsDamaged) return undefined;
    throw error;
  }
}
