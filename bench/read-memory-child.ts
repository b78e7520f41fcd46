import { parseSessionId } from "../src/sessions/ids.ts";
import { openStoreForReading } from "../src/storage/open-store.ts";

/** What reading a whole session into objects takes, in bytes. */
export interface MemoryUse {
  /** What the objects hold after a collection. */
  readonly held: number;
  /** How much the process grew at most, garbage included. */
  readonly peak: number;
}

const [home = "", session = ""] = process.argv.slice(2);

function heldNow(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const store = await openStoreForReading(home);
const held = heldNow();
const resident = process.memoryUsage().rss;
const entries = await Array.fromAsync(store.log.read(parseSessionId(session)));
const peak = process.resourceUsage().maxRSS * 1024 - resident;
const use: MemoryUse = { held: heldNow() - held, peak };
if (entries.length === 0) throw new Error("The session has no entries.");
console.log(JSON.stringify(use));
await store[Symbol.asyncDispose]();
