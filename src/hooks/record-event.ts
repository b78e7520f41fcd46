import { join } from "node:path";
import type { NewInboxItem } from "../storage/new-inbox-item.ts";
import { putDirectly } from "../storage/put-directly.ts";
import { writeSpoolFile } from "../storage/write-spool-file.ts";
import { collectTexts } from "./collect-texts.ts";
import { mayHoldSecret } from "./secret-signs.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { HookEvent } from "./to-event.ts";

/** How long the client waits at most for the store. */
const patienceMs = 200;

/** What is larger than this, or may hold a secret, is left to the rules. */
const plain = { depth: 60, values: 5000, characters: 65_536 };

/**
 * Stores an event durably: in the inbox, or where that cannot be written in time, in the spool. Tells whether this is
 * the first hook to hear of it: where two are installed, one of them answers.
 */
export function recordEvent(
  { home, loadRedaction, note }: HookSurroundings,
  event: HookEvent,
  now: Date,
): boolean {
  const told = { session: event.session, payload: event.payload };
  const texts = collectTexts(told, plain);
  const isPlain = texts !== undefined && !mayHoldSecret(texts);
  const { session, payload } = isPlain ? told : loadRedaction().makeSafe(told);
  const item: NewInboxItem = {
    receivedMs: now.getTime(),
    client: event.client,
    event: event.event,
    session,
    payload: JSON.stringify(payload),
  };
  try {
    const [findsTwin, holds] = [event.asks !== "nobody", event.asks === "carryon"];
    return putDirectly(join(home, "store.db"), item, { withinMs: patienceMs, findsTwin, holds });
  } catch (error) {
    spool(home, item, error);
    note(`${item.event} went into the spool: ${describe(error)}`);
    return true;
  }
}

function spool(home: string, item: NewInboxItem, reason: unknown): void {
  try {
    writeSpoolFile(home, item);
  } catch (error) {
    throw new Error(`${item.event} is lost: ${describe(reason)}; ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
