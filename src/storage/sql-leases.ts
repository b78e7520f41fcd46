import { LeaseLost, SessionInUse, SessionNotFound } from "../sessions/errors.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { Holder, Holding, Lease, Leases } from "../sessions/lease.ts";
import {
  endLease,
  fromLeaseColumns,
  isReplaceable,
  leaseColumns,
  nextEpoch,
  renderHolder,
  type StoredLease,
} from "./lease-row.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** A lease and the session that it belongs to. */
interface Place extends StoredLease {
  readonly key: number;
}

/** The leases over any engine that has a driver. */
export class SqlLeases implements Leases {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  async acquire(
    session: SessionId,
    claim: { readonly holder: Holder; readonly forMs: number },
  ): Promise<Lease> {
    for (;;) {
      const place = await this.#locate(session);
      const { holding } = place;
      // Looking for a process takes a while, and nobody should have to wait for it.
      if (holding !== undefined && !(await isReplaceable(holding)))
        throw new SessionInUse(session, holding.holder);
      const epoch = await this.#take(place, claim);
      if (epoch !== undefined) return { session, epoch, forMs: claim.forMs };
    }
  }

  async renew({ session, epoch, forMs }: Lease): Promise<void> {
    const { nowMs } = this.#driver.dialect;
    const renewed = await this.#driver.run(
      `UPDATE session_head SET lease_until_ms = ${nowMs} + ?
       WHERE session_key = (SELECT key FROM session WHERE id = ?) AND epoch = ? AND lease_until_ms IS NOT NULL`,
      [forMs, session, epoch],
    );
    if (renewed !== 1) throw new LeaseLost(session);
  }

  async find(session: SessionId): Promise<Holding | undefined> {
    return (await this.#locate(session)).holding;
  }

  end({ session, epoch }: Pick<Lease, "session" | "epoch">): Promise<void> {
    return this.#driver.transaction(async (transaction) => {
      const rows = await transaction.all(
        `SELECT h.session_key FROM session_head h JOIN session s ON s.key = h.session_key
         WHERE s.id = ? AND h.epoch = ?${this.#driver.dialect.lockHead}`,
        [session, epoch],
      );
      const key = rows[0]?.[0];
      if (typeof key !== "number") return;
      await endLease(transaction, key);
    });
  }

  /** Takes a lease if it is still as it was seen; returns its new epoch. */
  #take(
    { key, epoch, untilMs }: Place,
    { holder, forMs }: { readonly holder: Holder; readonly forMs: number },
  ): Promise<number | undefined> {
    const { dialect } = this.#driver;
    return this.#driver.transaction(async (transaction) => {
      const rows = await transaction.all(
        `UPDATE session_head SET epoch = ${nextEpoch(dialect)}, lease_until_ms = ${dialect.nowMs} + ?
         WHERE session_key = ? AND deleted_ms IS NULL AND epoch = ? AND lease_until_ms IS NOT DISTINCT FROM ?
         RETURNING epoch`,
        [forMs, key, epoch, untilMs],
      );
      if (rows[0] === undefined) return undefined;
      await transaction.run(
        "INSERT INTO lease VALUES (?, ?) ON CONFLICT (session_key) DO UPDATE SET holder = excluded.holder",
        [key, renderHolder(holder)],
      );
      return rows[0][0] as number;
    });
  }

  async #locate(session: SessionId): Promise<Place> {
    const rows = await this.#driver.all(
      `SELECT h.session_key, ${leaseColumns(this.#driver.dialect)}
       FROM session s JOIN session_head h ON h.session_key = s.key LEFT JOIN lease l ON l.session_key = s.key
       WHERE s.id = ? AND h.deleted_ms IS NULL`,
      [session],
    );
    const [key, ...lease] = rows[0] ?? [];
    if (typeof key !== "number") throw new SessionNotFound(session);
    return { key, ...fromLeaseColumns(session, lease) };
  }
}
