import { execFile } from "node:child_process";
import { link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { acquireLock, LockBusy } from "../../src/lib/file-lock.ts";
import { startChild } from "../support/child.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const busy = (path: string) => new LockBusy(path);

describe("acquireLock in one process", () => {
  it("leaves one empty file that only its owner may open", async () => {
    await using dir = await tempDir();
    const lock = await acquireLock(dir.join("a"));
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
    await lock.release();
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
    const { mode, size, nlink } = await stat(dir.join(".a.carryon-lock"));
    expect({ mode: mode & 0o777, size, nlink }).toEqual({ mode: 0o600, size: 0, nlink: 1 });
  });

  it("lets a second taker wait until the first has released", async () => {
    await using dir = await tempDir();
    const events: string[] = [];
    const first = await acquireLock(dir.join("a"));
    const second = acquireLock(dir.join("a")).then((lock) => {
      events.push("second holds");
      return lock;
    });
    await expect(acquireLock(dir.join("a"), { wait: 20 })).rejects.toEqual(busy(dir.join("a")));
    events.push("first releases");
    await first.release();
    await (await second).release();
    expect(events).toEqual(["first releases", "second holds"]);
  });

  it("runs the changes of many takers one after the other", async () => {
    await using dir = await tempDir();
    let inside = 0;
    const most = await Promise.all(
      Array.from({ length: 20 }, async () => {
        await using _lock = await acquireLock(dir.join("a"), { wait: 60_000 });
        inside++;
        await new Promise((resolve) => setImmediate(resolve));
        return inside--;
      }),
    );
    expect(most).toEqual(Array.from({ length: 20 }, () => 1));
  });

  it("tries once when it may not wait", async () => {
    await using dir = await tempDir();
    await using _lock = await acquireLock(dir.join("a"), { wait: 0 });
    const facts = { kind: "busy", code: "lock-busy", path: dir.join("a") };
    await expect(acquireLock(dir.join("a"), { wait: 0 })).rejects.toMatchObject(facts);
  });

  it("does not give back another's lock when it is released twice", async () => {
    await using dir = await tempDir();
    const first = await acquireLock(dir.join("a"));
    await first.release();
    await using _second = await acquireLock(dir.join("a"));
    await first.release();
    await expect(acquireLock(dir.join("a"), { wait: 0 })).rejects.toEqual(busy(dir.join("a")));
  });

  it("holds locks on different files at once", async () => {
    await using dir = await tempDir();
    await using one = await acquireLock(dir.join("a"), { wait: 0 });
    await using other = await acquireLock(dir.join("b"), { wait: 0 });
    expect([one.path, other.path]).toEqual([dir.join("a"), dir.join("b")]);
  });

  it("knows a file by whatever path it is reached", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("folder"));
    await symlink("folder", dir.join("alias"));
    await using _lock = await acquireLock(dir.join("folder", "a"));
    await link(dir.join("folder", ".a.carryon-lock"), dir.join("folder", ".b.carryon-lock"));
    for (const path of [dir.join("alias", "a"), dir.join("folder", "b")]) {
      await expect(acquireLock(path, { wait: 0 })).rejects.toEqual(busy(path));
    }
  });

  it.each(["a b", "100%", "what?", "#1", "%3f", "日本", "a&mode=ro", "'", "a\nb"])(
    "locks a file named %j",
    async (name) => {
      await using dir = await tempDir();
      await using _lock = await acquireLock(dir.join(name), { wait: 0 });
      expect(await readdir(dir.path)).toEqual([`.${name}.carryon-lock`]);
      await expect(acquireLock(dir.join(name), { wait: 0 })).rejects.toEqual(busy(dir.join(name)));
    },
  );

  it("refuses a symbolic link in place of the lock file, and leaves its target alone", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("victim"), "precious");
    await symlink("victim", dir.join(".a.carryon-lock"));
    const facts = { kind: "io", code: "symlink-refused", path: dir.join(".a.carryon-lock") };
    await expect(acquireLock(dir.join("a"))).rejects.toMatchObject(facts);
    expect(await readFile(dir.join("victim"), "utf8")).toBe("precious");
  });

  it("refuses a folder in place of the lock file", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join(".a.carryon-lock"));
    const facts = { kind: "io", code: "not-a-file", path: dir.join(".a.carryon-lock") };
    await expect(acquireLock(dir.join("a"))).rejects.toMatchObject(facts);
  });

  it("names the lock file when its folder is missing", async () => {
    await using dir = await tempDir();
    const facts = { kind: "io", code: "io-failed", path: dir.join("missing", ".a.carryon-lock") };
    await expect(acquireLock(dir.join("missing", "a"))).rejects.toMatchObject(facts);
  });

  it("makes the lock file again when somebody has removed it", async () => {
    await using dir = await tempDir();
    await (await acquireLock(dir.join("a"))).release();
    await rm(dir.join(".a.carryon-lock"));
    await using _lock = await acquireLock(dir.join("a"), { wait: 0 });
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
  });
});

/** Makes a database and returns its bytes. */
async function databaseBytes(dir: TempDir, journal: string): Promise<Uint8Array> {
  const db = new DatabaseSync(dir.join("other.db"));
  db.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE t (x)`);
  db.close();
  const bytes = await readFile(dir.join("other.db"));
  await rm(dir.join("other.db"));
  return bytes;
}

/** What something else may have written into a lock file. */
const damages: { damage: string; make: (dir: TempDir) => Promise<Uint8Array> }[] = [
  { damage: "garbage", make: async () => Buffer.from("garbage ".repeat(2000)) },
  { damage: "one byte", make: async () => Buffer.from("x") },
  { damage: "the start of a database", make: async () => Buffer.from("SQLite format 3\0") },
  { damage: "a database", make: (dir) => databaseBytes(dir, "DELETE") },
  { damage: "a database with a write-ahead log", make: (dir) => databaseBytes(dir, "WAL") },
];

describe("acquireLock on a damaged lock file", () => {
  it.each(damages)("empties it and works when it holds $damage", async ({ make }) => {
    await using dir = await tempDir();
    await writeFile(dir.join(".a.carryon-lock"), await make(dir));
    await using _lock = await acquireLock(dir.join("a"), { wait: 0 });
    expect((await stat(dir.join(".a.carryon-lock"))).size).toBe(0);
    await expect(acquireLock(dir.join("a"), { wait: 0 })).rejects.toEqual(busy(dir.join("a")));
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
  });

  it("stays held by this process when another one damages it", async () => {
    await using dir = await tempDir();
    await using other = startChild("lock-child.ts", dir.join("a"));
    await using _lock = await acquireLock(dir.join("a"));
    // Not written from here: closing the file would drop the lock.
    await promisify(execFile)("/bin/sh", ["-c", 'echo garbage > "$0"', dir.join(".a.carryon-lock")]);
    await expect(acquireLock(dir.join("a"), { wait: 0 })).rejects.toEqual(busy(dir.join("a")));
    expect(await other.ask("try")).toBe("busy");
  });

  it.each(damages)(
    "leaves the lock with its holder when $damage comes while it is held",
    async ({ make }) => {
      await using dir = await tempDir();
      await using holder = startChild("lock-child.ts", dir.join("a"));
      expect(await holder.ask("acquire")).toBe("held");
      await writeFile(dir.join(".a.carryon-lock"), await make(dir));
      await expect(acquireLock(dir.join("a"), { wait: 20 })).rejects.toEqual(busy(dir.join("a")));
      expect(await holder.ask("release")).toBe("free");
      await using _lock = await acquireLock(dir.join("a"), { wait: 0 });
      expect(await holder.ask("try")).toBe("busy");
      expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
    },
  );
});

describe("acquireLock between processes", () => {
  it("is free as soon as its holder is killed", async () => {
    await using dir = await tempDir();
    await using holder = startChild("lock-child.ts", dir.join("a"));
    await using other = startChild("lock-child.ts", dir.join("a"));
    expect(await holder.ask("acquire")).toBe("held");
    expect(await other.ask("try")).toBe("busy");
    holder.kill("SIGKILL");
    await holder.ended();
    expect(await other.ask("try")).toBe("held");
    expect(await readdir(dir.path)).toEqual([".a.carryon-lock"]);
  });

  it("stays with a holder that is stopped", async () => {
    await using dir = await tempDir();
    await using holder = startChild("lock-child.ts", dir.join("a"));
    expect(await holder.ask("acquire")).toBe("held");
    holder.kill("SIGSTOP");
    await expect(acquireLock(dir.join("a"), { wait: 50 })).rejects.toEqual(busy(dir.join("a")));
  });

  it("is not taken by one that is stopped at any moment of trying, and wakes up when there is a new holder", async () => {
    await using dir = await tempDir();
    await using sleeper = startChild("lock-child.ts", dir.join("a"));
    await using third = startChild("lock-child.ts", dir.join("a"));
    const tries = 100;
    for (let round = 0; round < 4; round++) {
      await using first = startChild("lock-child.ts", dir.join("a"));
      expect(await first.ask("acquire")).toBe("held");
      for (let i = 0; i < tries; i++) sleeper.tell("try");
      const answers = [await sleeper.next()];
      sleeper.kill("SIGSTOP");
      first.kill("SIGKILL");
      await first.ended();
      expect(await third.ask("try")).toBe("held");
      sleeper.kill("SIGCONT");
      while (answers.length < tries) answers.push(await sleeper.next());
      expect(answers).toEqual(Array.from({ length: tries }, () => "busy"));
      expect(await third.ask("release")).toBe("free");
      expect(await sleeper.ask("try")).toBe("held");
      expect(await sleeper.ask("release")).toBe("free");
    }
  });
});
