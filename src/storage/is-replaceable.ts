import { isAlive } from "../lib/process-identity.ts";
import type { Holding } from "../sessions/lease.ts";

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
