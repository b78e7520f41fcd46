import { expect } from "vitest";
import { type Child, startChild } from "./child.ts";
import { startCounting } from "./kill-moments.ts";
import { findProblems } from "./store-audit.ts";

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
  /** The errors that it met, as "again code" or "failed code". */
  readonly errors: readonly string[];
  /** Returns when the next receipt is there or it has ended. */
  next(): Promise<string | undefined>;
  /** Returns how it ended, when all that it printed has been read. */
  ended(): Promise<number | NodeJS.Signals | null>;
}

/** Whether a writer stops at an error, or tries the same again until the store answers. */
export type Manner = "stop" | "go-on";

/** Starts a writer that appends so many entries, or for ever. */
export function startWriter(
  address: string,
  session: string,
  prefix: string,
  count = Infinity,
  manner: Manner = "stop",
): Writer {
  return listen(startChild("store-writer-child.ts", address, session, prefix, String(count), manner), {
    session,
    prefix,
  });
}

/** Starts a writer that counts its events, and appends so many entries. */
export function startCountedWriter(
  address: string,
  { session, prefix, count = Infinity }: Pick<Written, "session" | "prefix"> & { readonly count?: number },
  env: Readonly<Record<string, string>>,
): Writer {
  const args = [address, session, prefix, String(count), "stop"];
  return listen(startCounting("store-writer-child.ts", args, env), { session, prefix });
}

function listen(child: Child, { session, prefix }: Pick<Written, "session" | "prefix">): Writer {
  const receipts: string[] = [];
  const errors: string[] = [];
  const next = async (): Promise<string | undefined> => {
    const line = await child.next();
    if (line === undefined) return undefined;
    if (/^\d/.test(line)) receipts.push(line);
    else errors.push(line);
    return line === receipts.at(-1) ? line : next();
  };
  const ended = async () => {
    while ((await next()) !== undefined);
    return child.ended();
  };
  return { session, prefix, child, receipts, errors, next, ended };
}

/** Makes sure that a store is whole and has everything that the writers were told is on disk, once and in order. */
export async function expectReceipts(address: string, writers: readonly Written[]): Promise<void> {
  expect(await findProblems(address, writers)).toEqual([]);
}
