import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { sweepStrays } from "../../src/lib/atomic-file.ts";
import { acquireLock, type FileLock } from "../../src/lib/file-lock.ts";
import { startChild } from "../support/child.ts";
import { once, type StracedChild, startStraced } from "../support/strace.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

// A question mark lets a call be missing: not every processor has all of them.
const statCalls = ["?lstat", "?stat", "fstat", "statx", "?newfstatat"];
const calls = ["openat", "fcntl", ...statCalls, "?link", "?linkat", "ftruncate", "close"];
const lockFile = ".a.carryon-lock";

function start(dir: TempDir, inject: readonly string[]): Promise<StracedChild> {
  return startStraced({ calls, paths: [dir.join(lockFile)], inject }, "lock-child.ts", dir.join("a"));
}

/** Tries once, and returns the lock or undefined if another has it. */
async function tryLock(dir: TempDir): Promise<FileLock | undefined> {
  try {
    return await acquireLock(dir.join("a"), { wait: 0 });
  } catch (error) {
    if (error instanceof AppError && error.code === "lock-busy") return undefined;
    throw error;
  }
}

/** Makes sure that nobody holds the lock and that nothing else is left behind. */
async function expectFree(dir: TempDir): Promise<void> {
  await sweepStrays(dir.path);
  const lock = await tryLock(dir);
  expect(lock?.path).toBe(dir.join("a"));
  await lock?.release();
  expect(await readdir(dir.path)).toEqual([lockFile]);
  const { mode, size, nlink } = await stat(dir.join(lockFile));
  expect({ mode: mode & 0o777, size, nlink }).toEqual({ mode: 0o600, size: 0, nlink: 1 });
}

interface Scene {
  readonly scene: string;
  readonly prepare: (dir: TempDir) => Promise<void>;
}
const fresh: Scene = { scene: "for the first time", prepare: async () => undefined };
const again: Scene = {
  scene: "again",
  prepare: async (dir) => (await acquireLock(dir.join("a"))).release(),
};
const damaged: Scene = {
  scene: "on a damaged file",
  prepare: (dir) => writeFile(dir.join(lockFile), "garbage", { mode: 0o600 }),
};

/** Returns the system calls on the lock file of taking and giving back the lock. */
async function traceOf({ prepare }: Scene): Promise<readonly string[]> {
  await using dir = await tempDir();
  await prepare(dir);
  await using child = await start(dir, []);
  expect([await child.ask("try"), await child.ask("release")]).toEqual(["held", "free"]);
  return child.readTrace();
}

const freshTrace = await traceOf(fresh);
const againTrace = await traceOf(again);
const damagedTrace = await traceOf(damaged);
/** Up to the moment from which the damaged file is like any other. */
const repaired = damagedTrace.indexOf("close") + 1;

const points = [
  ...freshTrace.map((call, index) => ({ ...fresh, trace: freshTrace, call, index })),
  ...damagedTrace.slice(0, repaired).map((call, index) => ({ ...damaged, trace: damagedTrace, call, index })),
];

it("meets the calls that make, empty and lock the file", () => {
  const made = freshTrace.map((call) => call.replace("linkat", "link"));
  expect(made).toEqual(expect.arrayContaining(["statx", "link", "openat", "fcntl", "close"]));
  expect(damagedTrace.slice(0, repaired)).toEqual(["statx", "statx", "openat", "ftruncate", "close"]);
});

describe.each(points)("a lock taken $scene, at call $index, $call", ({ prepare, trace, index }) => {
  it("is free when its taker is killed there", async () => {
    await using dir = await tempDir();
    await prepare(dir);
    await using child = await start(dir, once(trace, index, "signal=SIGKILL"));
    child.tell("try");
    child.tell("release");
    expect(await child.ended()).toBe("SIGKILL");
    await expectFree(dir);
  });

  it("has one holder or none when the call fails", async () => {
    await using dir = await tempDir();
    await prepare(dir);
    await using child = await start(dir, once(trace, index, "error=EIO"));
    const answer = await child.ask("try");
    const ours = await tryLock(dir);
    expect(["held", "io-failed", "read-only"]).toContain(answer);
    expect([answer === "held", ours === undefined]).toEqual(
      answer === "held" ? [true, true] : [false, false],
    );
    await ours?.release();
    expect(await child.ask("release")).toBe("free");
    expect(await child.countInjected()).toBe(1);
    await expectFree(dir);
  });
});

it("makes the lock file in another way where there are no hard links", async () => {
  await using dir = await tempDir();
  await using child = await start(dir, ["?link:error=EPERM", "?linkat:error=EPERM"]);
  expect(await child.ask("try")).toBe("held");
  expect(await tryLock(dir)).toBeUndefined();
  expect(await child.countInjected()).toBe(1);
  expect(await child.ask("release")).toBe("free");
  await expectFree(dir);
});

it.each(["EACCES", "EROFS"])("is refused when the lock file can only be read: %s", async (error) => {
  await using dir = await tempDir();
  await using child = await start(dir, [`openat:error=${error}:when=1`]);
  expect([await child.ask("try"), await child.countInjected()]).toEqual(["read-only", 1]);
  await expectFree(dir);
});

it("is taken by one of two that make the lock file at once", async () => {
  await using dir = await tempDir();
  const delay = "delay_enter=500000";
  await using child = await start(dir, [`?link:${delay}`, `?linkat:${delay}`]);
  child.tell("try");
  // What it is about to link is there, so it has found no lock file.
  while ((await readdir(dir.path)).length === 0) await setImmediate();
  const ours = await tryLock(dir);
  expect(await child.next()).toBe(ours === undefined ? "held" : "busy");
  expect(await child.countInjected()).toBe(1);
  await ours?.release();
});

const attempts = freshTrace.filter((call) => call === "fcntl").map((_, index) => index + 1);

it.each(attempts)(
  "has one holder when a taker is delayed at its lock call %d while the holder dies",
  async (k) => {
    await using dir = await tempDir();
    await using holder = startChild("lock-child.ts", dir.join("a"));
    expect(await holder.ask("acquire")).toBe("held");
    await using late = await start(dir, [`fcntl:delay_enter=200000:when=${k}`]);
    expect(await late.ask("release")).toBe("free");
    late.tell("try");
    holder.kill("SIGKILL");
    await holder.ended();
    const ours = await tryLock(dir);
    const holders = [(await late.next()) === "held", ours !== undefined];
    expect(holders.filter(Boolean)).toHaveLength(1);
    await ours?.release();
  },
);

describe("a lock file that changes while it is being locked", () => {
  /** Starts a taker that is delayed at the first such call, and returns when it has made those before. */
  async function startLate(dir: TempDir, call: string): Promise<StracedChild> {
    await again.prepare(dir);
    const before = againTrace.indexOf(call);
    const late = await start(dir, [`${call}:delay_enter=500000:when=1`]);
    late.tell("try");
    while ((await late.readTrace()).length < before) await setImmediate();
    return late;
  }

  it("does not count when it has been replaced after it was opened", async () => {
    await using dir = await tempDir();
    await using late = await startLate(dir, "fcntl");
    await rm(dir.join(lockFile));
    const ours = await tryLock(dir);
    expect([ours?.path, await late.next(), await late.countInjected()]).toEqual([dir.join("a"), "busy", 1]);
    await ours?.release();
    await expectFree(dir);
  });

  it("does not count when a database with other locks has been written into it", async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    const db = new DatabaseSync(other.join("db"));
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
    db.close();
    await using late = await startLate(dir, "fcntl");
    await writeFile(dir.join(lockFile), await readFile(other.join("db")));
    expect([await late.next(), await late.countInjected()]).toEqual(["busy", 1]);
    await expectFree(dir);
  });

  it("is not made again, open to all, when it has been removed before it was opened", async () => {
    await using dir = await tempDir();
    await using late = await startLate(dir, "openat");
    await rm(dir.join(lockFile));
    expect([await late.next(), await late.countInjected()]).toEqual(["busy", 1]);
    expect(await readdir(dir.path)).toEqual([]);
    await expectFree(dir);
  });
});
