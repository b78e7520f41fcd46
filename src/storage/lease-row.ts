import { isAlive, type ProcessIdentity } from "../lib/process-identity.ts";
import type { Holder, Holding } from "../sessions/lease.ts";
import type { Dialect, SqlRunner, SqlValue } from "./sql-driver.ts";
import { SessionIsDamaged } from "./store-errors.ts";

/** The lease of a session as it is stored. */
export interface StoredLease {
  readonly epoch: number;
  /** When it runs out; null when nobody holds it. */
  readonly untilMs: number | null;
  readonly holding: Holding | undefined;
}

/** The select list that `fromLeaseColumns` expects, over session_head h and lease l. */
export function leaseColumns(dialect: Dialect): string {
  return `h.epoch, h.lease_until_ms, ${dialect.nowMs}, l.holder`;
}

/** Turns the columns of `leaseColumns` into a lease. */
export function fromLeaseColumns(
  session: string,
  [epoch, untilMs, nowMs, holder]: readonly SqlValue[],
): StoredLease {
  const lease = { epoch: epoch as number, untilMs: untilMs as number | null };
  if (lease.untilMs === null) return { ...lease, holding: undefined };
  return {
    ...lease,
    holding: {
      epoch: lease.epoch,
      holder: parseHolder(session, holder as string | null),
      isExpired: lease.untilMs <= (nowMs as number),
    },
  };
}

/** Renders a holder as it is stored. */
export function renderHolder({ process, program, since }: Holder): string {
  return JSON.stringify({ ...process, program, sinceMs: since.getTime() });
}

function parseHolder(session: string, text: string | null): Holder {
  try {
    const { program, sinceMs, ...process } = JSON.parse(text ?? "");
    if (typeof program !== "string" || !isIdentity(process)) throw new TypeError("not a holder");
    return { process, program, since: new Date(sinceMs) };
  } catch (error) {
    throw new SessionIsDamaged(session, error);
  }
}

function isIdentity(value: object): value is ProcessIdentity {
  return "pid" in value && typeof value.pid === "number" && "host" in value && typeof value.host === "string";
}

/**
 * The next epoch of a session_head.
 *
 * Not only one more: after a restore of an older state, an epoch of the time since must not come again.
 */
export function nextEpoch({ nowMs }: Dialect): string {
  return `CASE WHEN epoch < ${nowMs} THEN ${nowMs} ELSE epoch + 1 END`;
}

/** Ends the lease of a session, so that nothing more can be appended with it. */
export async function endLease(runner: SqlRunner, sessionKey: number): Promise<void> {
  await runner.run(
    `UPDATE session_head SET epoch = ${nextEpoch(runner.dialect)}, lease_until_ms = NULL WHERE session_key = ?`,
    [sessionKey],
  );
  await runner.run("DELETE FROM lease WHERE session_key = ?", [sessionKey]);
}

/**
 * Tells whether a holder is gone, so that another may take its lease at once.
 *
 * A process of this machine is asked for itself, whatever the clock says. Of one elsewhere, and where the system does
 * not tell a process from a later one with the same number, only an expired lease tells.
 */
export async function isReplaceable({ holder, isExpired }: Holding): Promise<boolean> {
  switch (await isAlive(holder.process)) {
    case "gone":
      return true;
    case "alive":
      return isExpired && holder.process.started === null;
    case "unknown":
      return isExpired;
  }
}
