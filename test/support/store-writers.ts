import { expect } from "vitest";
import { parseSessionId } from "../../src/conversation/ids.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { type Child, startChild } from "./child.ts";
import { collect } from "./entries.ts";

/** What a process that appended to a session was told is on disk. */
export interface Written {
  readonly session: string;
  /** What the ids of its entries begin with. */
  readonly prefix: string;
  /** Its receipts so far, as "seq id". */
  readonly receipts: readonly string[];
}

export interface Writer extends Written {
  readonly child: Child;
  /** Returns when the next receipt is there or it has ended. */
  next(): Promise<string | undefined>;
  /** Returns how it ended, when all that it printed has been read. */
  ended(): Promise<number | NodeJS.Signals | null>;
}

/** Starts a writer that appends so many entries, or for ever. */
export function startWriter(home: string, session: string, prefix: string, count = Infinity): Writer {
  const child = startChild("store-writer-child.ts", home, session, prefix, String(count));
  const receipts: string[] = [];
  const next = async () => {
    const line = await child.next();
    if (line !== undefined) receipts.push(line);
    return line;
  };
  const ended = async () => {
    while ((await next()) !== undefined);
    return child.ended();
  };
  return { session, prefix, child, receipts, next, ended };
}

/** Makes sure that a store is whole and has everything that the writers were told is on disk, once and in order. */
export async function expectReceipts(home: string, writers: readonly Written[]): Promise<void> {
  expect((await inspectStore(home)).problems).toEqual([]);
  await using store = await openStore(home);
  for (const session of new Set(writers.map((writer) => writer.session))) {
    const id = parseSessionId(session);
    const stored = (await collect(store.log.read(id))).map((entry) => `${entry.seq} ${entry.id}`);
    const ids = stored.map((line) => line.split(" ")[1]);
    expect(stored.map((line) => Number.parseInt(line, 10))).toEqual(stored.map((_, index) => index + 1));
    expect(new Set(ids).size).toBe(ids.length);
    expect(await store.log.verify(id)).toMatchObject({ entries: stored.length, problem: null });
    for (const { receipts, prefix } of writers.filter((writer) => writer.session === session)) {
      const own = stored.filter((line) => line.split(" ")[1]?.startsWith(prefix));
      // The one that was being written when its writer died may be there or not.
      expect([receipts, [...receipts, own.at(-1)]]).toContainEqual(own);
    }
  }
}
