import { join } from "node:path";
import { putDirectly } from "../storage/inbox/put-directly.ts";
import { writeSpoolFile } from "../storage/inbox/write-spool-file.ts";
import { makeSafe, redactUpTo } from "./make-safe.ts";
import type { HookEvent } from "./to-event.ts";

/** How long the client waits at most for the store. */
const patienceMs = 200;

/** Stores an event durably: in the inbox, or where that cannot be written in time, in the spool. */
export function recordEvent(home: string, event: HookEvent, now: Date): void {
  const item = {
    receivedMs: now.getTime(),
    client: event.client,
    event: event.event,
    session: redactUpTo(event.session, 200),
    payload: JSON.stringify(makeSafe(event.payload)),
  };
  try {
    putDirectly(join(home, "store.db"), item, patienceMs);
  } catch (error) {
    spool(home, item, error);
  }
}

function spool(home: string, item: Parameters<typeof writeSpoolFile>[1], reason: unknown): void {
  try {
    writeSpoolFile(home, item);
  } catch (error) {
    throw new Error(`${item.event} is lost: ${describe(reason)}; ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
