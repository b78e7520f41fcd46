import { answerEvent } from "./answer-event.ts";
import { readInput } from "./read-input.ts";
import { recordEvent } from "./record-event.ts";
import { startSync } from "./start-sync.ts";
import type { HookSurroundings } from "./surroundings.ts";
import { toEvent } from "./to-event.ts";
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
    await handle(surroundings);
  } catch (error) {
    noteError(surroundings, error);
  }
}

async function handle(surroundings: HookSurroundings): Promise<void> {
  const { home, env } = surroundings;
  const input = readInput(inputLimit);
  if (input === undefined) throw new Error("a payload was too large to be read");
  const wire = parseWireEvent(input);
  if (wire === undefined) throw new Error("a payload could not be understood");
  const event = toEvent(wire);
  if (event === undefined) return;
  const cwd = String(event.payload.cwd ?? home);
  try {
    if (!record()) return;
    const answer = await answerEvent(surroundings, event, { wire, input, cwd });
    if (answer !== undefined) surroundings.say(answer);
  } finally {
    if (event.startsSync) startSync({ home, env, cwd });
  }

  /** What could not be recorded is answered nevertheless. Returns whether this is the first to hear of it. */
  function record(): boolean {
    if (event === undefined) return false;
    try {
      return recordEvent(surroundings, event, new Date());
    } catch (error) {
      noteError(surroundings, error);
      return true;
    }
  }
}

function noteError(surroundings: HookSurroundings, error: unknown): void {
  try {
    surroundings.note(error instanceof Error ? error.message : String(error));
  } catch {
    // Nothing is left to try, and the client goes on.
  }
}
