import { join } from "node:path";
import { expect } from "vitest";
import { parseSessionId } from "../../src/conversation/ids.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { locateStore, openStore } from "../../src/storage/open-store.ts";
import { collect, newSession, said } from "./entries.ts";
import { type StracedRun, strace } from "./strace.ts";
import { tempDir } from "./temp-dir.ts";

/** Which files of a store have faults: those of the database, or the folder and the key. */
export type Place = "database" | "folder";

/** What a call is named on one processor or another. */
const names: Readonly<Record<string, readonly string[]>> = {
  unlink: ["?unlink", "?unlinkat"],
  link: ["?link", "?linkat"],
};
const calls = ["openat", "pwrite64", "ftruncate", "fsync", "fdatasync", ...Object.values(names).flat()];
const numbers = Array.from({ length: 10 }, (_, index) => index + 1);

/** Lets a writer make a store and append ten entries while strace does what it is told to the calls on a place. */
export function writeUnder(home: string, place: Place, inject: readonly string[]): Promise<StracedRun> {
  const path = locateStore(home);
  const paths = {
    database: ["", "-wal", "-shm", "-journal"].map((end) => `${path}${end}`),
    folder: [home, join(home, "key")],
  };
  return strace({ calls, paths: paths[place], inject }, "store-writer-child.ts", home, "one", "w-", "10");
}

export interface Sweep {
  readonly place: Place;
  readonly call: string;
  /** What to do to the call, as strace takes it: `error=EIO` or `signal=SIGKILL`. */
  readonly action: string;
  /** Whether the fault stays or is gone at the next call. */
  readonly lasting?: boolean;
  /** How a writer may stop because of it. */
  readonly codes: readonly string[];
}

/** Every fault that a writer must survive; a signal has no codes. */
export const sweeps: readonly Sweep[] = [
  { place: "database", call: "fsync", action: "error=EIO", codes: ["store-failed"] },
  { place: "database", call: "fsync", action: "error=EIO", lasting: true, codes: ["store-failed"] },
  { place: "database", call: "pwrite64", action: "error=EIO", codes: ["store-failed"] },
  { place: "database", call: "pwrite64", action: "error=EIO", lasting: true, codes: ["store-failed"] },
  { place: "database", call: "pwrite64", action: "error=ENOSPC", codes: ["store-full", "store-failed"] },
  {
    place: "database",
    call: "pwrite64",
    action: "error=ENOSPC",
    lasting: true,
    codes: ["store-full", "store-failed"],
  },
  { place: "database", call: "openat", action: "error=EMFILE", codes: ["store-failed"] },
  { place: "database", call: "openat", action: "error=EMFILE", lasting: true, codes: ["store-failed"] },
  { place: "database", call: "ftruncate", action: "error=EIO", codes: ["store-failed"] },
  { place: "database", call: "unlink", action: "error=EIO", codes: ["store-failed"] },
  {
    place: "folder",
    call: "openat",
    action: "error=EMFILE",
    codes: ["store-failed", "io-failed", "key-unreadable"],
  },
  { place: "folder", call: "fsync", action: "error=EIO", codes: ["store-failed", "io-failed"] },
  { place: "folder", call: "link", action: "error=EIO", codes: ["io-failed"] },
  { place: "folder", call: "link", action: "error=EPERM", codes: [] },
  { place: "database", call: "fsync", action: "signal=SIGKILL", codes: [] },
  { place: "database", call: "pwrite64", action: "signal=SIGKILL", codes: [] },
  { place: "database", call: "ftruncate", action: "signal=SIGKILL", codes: [] },
  { place: "database", call: "unlink", action: "signal=SIGKILL", codes: [] },
  { place: "folder", call: "fsync", action: "signal=SIGKILL", codes: [] },
  { place: "folder", call: "link", action: "signal=SIGKILL", codes: [] },
];

/**
 * Lets one writer after another run into a fault, each `step` calls later, until there is no such call any more, and
 * returns how many did.
 *
 * Each may go on without noticing, or stop with one of the codes and the exit code for a failed disk, or be killed.
 */
export async function sweep({ place, call, action, lasting, codes }: Sweep, step: number): Promise<number> {
  for (let number = 1, tried = 0; ; number += step, tried += 1) {
    const fault = `${action}:when=${number}${lasting ? "+" : ""}`;
    const injections = (names[call] ?? [call]).map((name) => `${name}:${fault}`);
    const { injected, exit, failure, receipts } = await meetFault(place, injections);
    if (exit === 0 && injected === 0) return tried;
    const stopped = { exit: 74, failure: expect.toBeOneOf(codes) };
    if (action === "signal=SIGKILL") expect({ fault, exit }).toEqual({ fault, exit: "SIGKILL" });
    else if (failure === undefined)
      expect({ fault, exit, receipts }).toEqual({ fault, exit: 0, receipts: 10 });
    else expect({ fault, exit, failure }).toEqual({ fault, ...stopped });
  }
}

/** How a writer ended: with all ten receipts, with the code of an error, or killed. */
interface Ending {
  readonly exit: StracedRun["exit"];
  readonly failure: string | undefined;
  readonly receipts: number;
  readonly injected: number;
}

/**
 * Lets a writer run into a fault, and checks what it leaves: the store is whole, has all that was acknowledged, once
 * and in order, and the same entries can be appended again until all ten are there.
 */
async function meetFault(place: Place, inject: readonly string[]): Promise<Ending> {
  await using dir = await tempDir();
  const home = dir.join("home");
  const { exit, stdout, stderr, injected } = await writeUnder(home, place, inject);
  expect(withoutWarnings(stderr)).toBe("");
  const lines = stdout.split("\n").filter((line) => line !== "");
  const failure = lines.at(-1)?.startsWith("failed ") ? lines.pop()?.slice("failed ".length) : undefined;
  expect(lines).toEqual(numbers.slice(0, lines.length).map((number) => `${number} w-${number}`));
  await expectWhole(home, lines);
  return { exit, failure, receipts: lines.length, injected };
}

/** Leaves out that SQLite is an experiment, as Node 22 says of it. */
export function withoutWarnings(stderr: string): string {
  return stderr.replace(/^\(node:\d+\) ExperimentalWarning: SQLite.*\n.*--trace-warnings.*\n/gm, "");
}

async function expectWhole(home: string, receipts: readonly string[]): Promise<void> {
  await using store = await openStore(home);
  expect((await inspectStore(home)).problems).toEqual([]);
  const one = parseSessionId("one");
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id));
  const read = async () => (await collect(store.log.read(one))).map((entry) => `${entry.seq} ${entry.id}`);
  const stored = await read();
  // A write that failed may have reached the disk all the same.
  expect(stored.slice(0, receipts.length)).toEqual(receipts);
  expect(stored.length - receipts.length).toBeLessThanOrEqual(1);
  for (const number of numbers) {
    const entry = said(`w-${number}`, `text ${number} of w-`);
    expect(await store.log.append(one, [entry])).toEqual([
      { seq: number, id: `w-${number}`, isNew: number > stored.length },
    ]);
  }
  expect(await read()).toEqual(numbers.map((number) => `${number} w-${number}`));
  expect((await store.log.verify(one)).problem).toBeNull();
}
