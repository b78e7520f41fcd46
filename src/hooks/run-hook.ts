import { answerEvent, type Heard } from "./answer-event.ts";
import { readInput } from "./read-input.ts";
import { recordEvent } from "./record-event.ts";
import { startSync } from "./start-sync.ts";
import type { HookSurroundings } from "./surroundings.ts";
import { type HookEvent, toEvent } from "./to-event.ts";
import { parseWireEvent } from "./wire.ts";

/** What a client sends is a few megabytes at the very most; more is not read into memory. */
const inputLimit = 67_108_864;

/**
 * Records what a client says on standard input, and answers it where gates or Carryon have something to say.
 *
 * Never throws: the client must not notice a failure.
 */
export async function runHook(surroundings: HookSurroundings): Promise<void> {
  try {
    const heard = hear(surroundings);
    if (heard === undefined) return;
    await answer(surroundings, heard).catch((error: unknown) => noteError(surroundings, error));
    if (heard.event.startsSync) startSync({ ...surroundings, cwd: heard.cwd });
  } catch (error) {
    noteError(surroundings, error);
  }
}

interface HeardEvent extends Heard {
  readonly event: HookEvent;
}

/** Returns what the client says, or undefined where that is nothing to record. */
function hear({ home }: HookSurroundings): HeardEvent | undefined {
  const input = readInput(inputLimit);
  if (input === undefined) throw new Error("a payload was too large to be read");
  const wire = parseWireEvent(input);
  if (wire === undefined) throw new Error("a payload could not be understood");
  const event = toEvent(wire);
  return event && { event, wire, input, cwd: String(event.payload.cwd ?? home) };
}

async function answer(surroundings: HookSurroundings, { event, ...heard }: HeardEvent): Promise<void> {
  if (!record(surroundings, event)) return;
  const said = await answerEvent(surroundings, event, heard);
  if (said !== undefined) surroundings.say(said);
}

/** What could not be recorded is answered nevertheless. Returns whether this is the first to hear of it. */
function record(surroundings: HookSurroundings, event: HookEvent): boolean {
  try {
    return recordEvent(surroundings, event, new Date());
  } catch (error) {
    noteError(surroundings, error);
    return true;
  }
}

function noteError(surroundings: HookSurroundings, error: unknown): void {
  try {
    surroundings.note(error instanceof Error ? error.message : String(error));
  } catch {
    // Nothing is left to try, and the client goes on.
  }
}
