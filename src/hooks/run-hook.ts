import { readInput } from "./read-input.ts";
import { recordEvent } from "./record-event.ts";
import { startSync } from "./start-sync.ts";
import type { HookSurroundings } from "./surroundings.ts";
import { toEvent } from "./to-event.ts";
import { parseWireEvent } from "./wire.ts";

/** What a client sends is a few megabytes at the very most; more is not read into memory. */
const inputLimit = 67_108_864;

/** Records what a client says on standard input. Never throws and never prints: the client must not notice a failure. */
export function runHook(surroundings: HookSurroundings): void {
  try {
    handle(surroundings);
  } catch (error) {
    tryTo(() => surroundings.note(error instanceof Error ? error.message : String(error)));
  }
}

function handle(surroundings: HookSurroundings): void {
  const { home, env } = surroundings;
  const input = readInput(inputLimit);
  if (input === undefined) throw new Error("a payload was too large to be read");
  const wire = parseWireEvent(input);
  if (wire === undefined) throw new Error("a payload could not be understood");
  const event = toEvent(wire);
  if (event === undefined) return;
  try {
    recordEvent(surroundings, event, new Date());
  } finally {
    if (event.startsSync) startSync({ home, env, cwd: String(event.payload.cwd ?? home) });
  }
}

function tryTo(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing is left to try, and the client goes on.
  }
}
