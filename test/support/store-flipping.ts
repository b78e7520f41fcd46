import { readFile, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parseSessionId } from "../../src/conversation/ids.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { locateStore, openStore } from "../../src/storage/open-store.ts";
import { collect } from "./entries.ts";
import { fillStore } from "./store-files.ts";

/**
 * What a turned bit led to: an error or a finding; or the sessions are described in other words (titles, folders and
 * times are not part of the chain); or nothing, because the bit was in free space or in something derived.
 */
export type Outcome = "noticed" | "described otherwise" | "no effect";

export interface FlippingStore {
  /** How many bits of the file are in bytes that are not 0: in the others there is mostly nothing. */
  readonly bits: number;
  /** Turns one of them, looks at the store in every way, and puts the bit back. Throws when content changed unnoticed. */
  flip(bit: number): Promise<Outcome>;
}

/** Makes a store whose bits can be turned one at a time. */
export async function makeFlippingStore(home: string): Promise<FlippingStore> {
  await fillStore(home);
  const whole = await readFile(locateStore(home));
  const used = [...whole.keys()].filter((at) => whole[at] !== 0);
  const before = await look(home);
  return {
    bits: used.length * 8,
    flip: async (bit) => {
      const bytes = Buffer.from(whole);
      const at = used[bit >> 3] ?? 0;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
      await writeFile(locateStore(home), bytes);
      return compare(home, before);
    },
  };
}

async function compare(home: string, before: View): Promise<Outcome> {
  try {
    const after = await look(home);
    if (!after.isVerified || (await inspectStore(home)).problems.length > 0) return "noticed";
    if (!isDeepStrictEqual(after.entries, before.entries))
      throw new Error("What was said changed unnoticed.");
    return isDeepStrictEqual(after.sessions, before.sessions) ? "no effect" : "described otherwise";
  } catch (error) {
    if (error instanceof AppError) return "noticed";
    throw error;
  }
}

type View = Awaited<ReturnType<typeof look>>;

async function look(home: string) {
  const store = await openStore(home);
  try {
    const ids = ["one", "two"].map(parseSessionId);
    const verifications = await Promise.all(ids.map((id) => store.log.verify(id)));
    return {
      isVerified: verifications.every(({ problem }) => problem === null),
      entries: await Promise.all(ids.map((id) => collect(store.log.read(id)))),
      sessions: await store.log.list(),
    };
  } finally {
    await store[Symbol.asyncDispose]();
  }
}
