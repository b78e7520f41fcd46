import { setTimeout as sleep } from "node:timers/promises";
import { conflictError, isSystemError } from "../lib/app-error.ts";
import { isAlive } from "../lib/process-identity.ts";
import { SessionInUse } from "../sessions/errors.ts";
import { makeEntryId, type SessionId } from "../sessions/ids.ts";
import { describeHolder, type Holder, type Holding, type Leases } from "../sessions/lease.ts";
import { nextMoment, stopped } from "../sessions/session-events.ts";
import { isReplaceable } from "../storage/lease-row.ts";
import { findHere, writeHere } from "./open-here.ts";
import type { Caller } from "./workspace.ts";

/**
 * How a session became free: nobody held it; its holder was gone; it stopped when asked; or it did not answer and its
 * lease had run out.
 */
export type TakeOver =
  | { readonly type: "free" }
  | { readonly type: "gone" | "stopped" | "silent"; readonly holder: Holder };

export interface TakeOverOptions {
  /** How long a living holder may take to stop; five seconds unless given. */
  readonly patienceMs?: number;
}

const lookAgainMs = 50;

/** Frees a session of the current folder from its writer, and records that it was interrupted. */
export function takeOverSession(
  context: Caller,
  text: string,
): Promise<{ readonly session: SessionId; readonly outcome: TakeOver }> {
  return writeHere(context, async (here) => {
    const { id, updatedAt } = await findHere(context, here, text);
    const outcome = await takeOver(here.store.leases, id);
    if (outcome.type === "gone" || outcome.type === "silent") {
      const now = context.clock.now();
      const at = nextMoment(now, updatedAt);
      await here.store.log.append(id, [stopped(makeEntryId(now, context.random), at, "interrupted")]);
    }
    return { session: id, outcome };
  });
}

/** Frees a session from its holder: a living one is asked to stop, with SIGTERM; a lease that lasts is never torn away. */
export async function takeOver(
  leases: Leases,
  session: SessionId,
  { patienceMs = 5000 }: TakeOverOptions = {},
): Promise<TakeOver> {
  const found = await leases.find(session);
  if (found === undefined) return { type: "free" };
  const { holder, epoch } = found;
  if (await isReplaceable(found)) {
    await leases.end({ session, epoch });
    return { type: "gone", holder };
  }
  if ((await isAlive(holder.process)) !== "alive")
    throw new SessionInUse(
      session,
      holder,
      `It cannot be reached from this machine. Stop it there, or go on in a fork: \`carryon fork ${session}\``,
    );
  askToStop(holder);
  const left = await waitForEnd(leases, session, found, patienceMs);
  if (left === undefined) return { type: "stopped", holder };
  if (!left.isExpired)
    throw conflictError(
      "holder-stays",
      `${describeHolder(holder)} was asked to stop and has not done so yet.`,
      { hint: `Try again when it has finished, or go on in a fork: \`carryon fork ${session}\`` },
    );
  await leases.end({ session, epoch });
  return { type: "silent", holder };
}

function askToStop(holder: Holder): void {
  try {
    process.kill(holder.process.pid, "SIGTERM");
  } catch (cause) {
    // It has just ended, which is what it is asked for.
    if (isSystemError(cause, "ESRCH")) return;
    if (!isSystemError(cause, "EPERM")) throw cause;
    throw conflictError(
      "holder-foreign",
      `${describeHolder(holder)} belongs to another user and cannot be asked to stop.`,
      { hint: "Ask its user to stop it, or go on in a fork.", cause },
    );
  }
}

/** Waits until the lease is not that of the holder any more; returns it if it still is when patience ends. */
async function waitForEnd(
  leases: Leases,
  session: SessionId,
  { epoch }: Holding,
  patienceMs: number,
): Promise<Holding | undefined> {
  for (let waited = 0; ; waited += lookAgainMs) {
    const found = await leases.find(session);
    if (found?.epoch !== epoch) return undefined;
    if ((await isAlive(found.holder.process)) === "gone") {
      await leases.end({ session, epoch });
      return undefined;
    }
    if (waited >= patienceMs) return found;
    await sleep(lookAgainMs);
  }
}
