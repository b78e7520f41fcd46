import { chmod, chown, mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { inspectStore, moveAside } from "../../src/storage/maintenance.ts";
import { locateStore, openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { scriptPath, start, startChild } from "../support/child.ts";
import { collect, start as startTime } from "../support/entries.ts";
import { fillStore, hashFile, tamper } from "../support/store-files.ts";
import { expectReceipts } from "../support/store-writers.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

/** Opens the store in a way, looks at everything in it, and returns the code of the error. */
async function codeOf(open: typeof openStore, home: string): Promise<string> {
  try {
    await using store = await open(home);
    const { sessions } = await store.log.list();
    for (const { id } of sessions) await collect(store.log.read(id));
    return `nothing wrong with ${sessions.length} sessions`;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Tries every way to open a store, and makes sure that its file has the same bytes after it. */
async function tryAll(home: string): Promise<{ write: string; read: string; problems: number }> {
  const path = locateStore(home);
  const before = await hashFile(path);
  const result = {
    write: await codeOf(openStore, home),
    read: await codeOf(openStoreForReading, home),
    problems: (await inspectStore(home)).problems.length,
  };
  expect(await hashFile(path)).toBe(before);
  return result;
}

async function homeWith(dir: TempDir, content: string | Uint8Array): Promise<string> {
  const home = dir.join("home");
  await mkdir(home, { mode: 0o700 });
  await writeFile(locateStore(home), content, { mode: 0o600 });
  return home;
}

const corrupt = { write: "store-corrupt", read: "store-corrupt", problems: 1 };

describe("a file that is no store", () => {
  it.each([
    { what: "text", content: "Dear diary,\n".repeat(2000) },
    { what: "two bytes", content: "SQ" },
    { what: "the first bytes of a database", content: "SQLite format 3\0" },
    { what: "zeros, as after a power cut", content: new Uint8Array(16_384) },
  ])("is named and left as it is: $what", async ({ content }) => {
    await using dir = await tempDir();
    expect(await tryAll(await homeWith(dir, content))).toEqual(corrupt);
  });
});

describe("a database that is not whole", () => {
  it("is fresh when the file is empty", async () => {
    await using dir = await tempDir();
    const home = await homeWith(dir, "");
    expect(await inspectStore(home)).toMatchObject({ exists: true, schema: 0, sessions: 0, problems: [] });
    expect(await codeOf(openStore, home)).toBe("nothing wrong with 0 sessions");
    expect(await codeOf(openStoreForReading, home)).toBe("nothing wrong with 0 sessions");
  });

  it("is fresh for a reader too when the file is empty", async () => {
    await using dir = await tempDir();
    expect(await codeOf(openStoreForReading, await homeWith(dir, ""))).toBe("nothing wrong with 0 sessions");
  });

  it("is named and left as it is when the file was cut at any length", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("whole"));
    const whole = await readFile(locateStore(dir.join("whole")));
    const home = await homeWith(dir, "");
    const pages = Array.from({ length: whole.length / 8192 - 1 }, (_, page) => (page + 1) * 8192);
    for (const length of [16, 50, 100, 512, 4096, ...pages.flatMap((at) => [at - 1, at, at - 4000])]) {
      await writeFile(locateStore(home), whole.subarray(0, length));
      expect({ length, ...(await tryAll(home)) }).toEqual({ length, ...corrupt });
    }
  });

  it("is noticed by doctor when only the end of the last page is gone", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    const path = locateStore(home);
    await truncate(path, (await stat(path)).size - 100);
    expect((await inspectStore(home)).problems).not.toEqual([]);
  });

  it("keeps what is in its WAL when the database file is gone or empty", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("whole"));
    const home = await homeWith(dir, "");
    const wal = `${locateStore(home)}-wal`;
    await writeFile(wal, await readFile(locateStore(dir.join("whole"))));
    const before = await hashFile(wal);
    expect(await tryAll(home)).toEqual(corrupt);
    await rm(locateStore(home));
    expect(await inspectStore(home)).toMatchObject({
      exists: true,
      problems: [{ what: expect.any(String) }],
    });
    expect(await codeOf(openStore, home)).toBe("store-corrupt");
    expect(await hashFile(wal)).toBe(before);
    await moveAside(home, startTime);
    expect(await codeOf(openStore, home)).toBe("nothing wrong with 0 sessions");
  });
});

describe("a database that is not ours", () => {
  it("is refused when another program marked it as its own", async () => {
    await using dir = await tempDir();
    const home = await homeWith(dir, "");
    tamper(home, "PRAGMA application_id = 12345");
    tamper(home, "CREATE TABLE notes (text)");
    expect(await tryAll(home)).toEqual(corrupt);
  });

  it("is refused when it has tables and no mark", async () => {
    await using dir = await tempDir();
    const home = await homeWith(dir, "");
    tamper(home, "CREATE TABLE session (id)");
    expect(await tryAll(home)).toEqual(corrupt);
  });

  it("is refused when it was written by a newer program", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    tamper(home, "PRAGMA user_version = 99");
    expect(await tryAll(home)).toEqual({ write: "store-newer", read: "store-newer", problems: 1 });
  });

  it("is corrupt when it lacks one of our tables", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    tamper(home, "DROP TABLE session_head");
    expect(await tryAll(home)).toEqual({ ...corrupt, write: "store-corrupt" });
  });
});

describe("a place that is not ours", () => {
  const isRoot = process.getuid?.() === 0;

  /** Makes a store or its folder somebody else's; who may not do that takes a folder that is. */
  async function giveAway(home: string, what: string): Promise<string> {
    if (!isRoot) return "/";
    await chown(what, 65_534, 65_534);
    return home;
  }

  it.each([
    { what: "the folder", part: (home: string) => home },
    { what: "the file", part: locateStore },
  ])("is refused when $what belongs to someone else", async ({ part }) => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    const before = await hashFile(locateStore(dir.join("home")));
    const home = await giveAway(dir.join("home"), part(dir.join("home")));
    await expect(openStore(home)).rejects.toMatchObject({ kind: "config", code: "store-foreign" });
    expect(await hashFile(locateStore(dir.join("home")))).toBe(before);
  });

  it("can be read but not written when the folder is read-only", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    if (isRoot) {
      for (const path of [home, locateStore(home), join(home, "key")]) await chown(path, 65_534, 65_534);
      for (const path of [tmpdir(), dir.path]) await chmod(path, 0o711);
    }
    await chmod(home, 0o555);
    const before = await hashFile(locateStore(home));
    await mkdir(dir.join("elsewhere"));
    await chmod(dir.join("elsewhere"), 0o777);
    const child = startChild("store-access-child.ts", home, dir.join("elsewhere", "copy.db"), "as-nobody");
    expect(await child.next()).toBe('{"read":12,"appended":"store-read-only","backedUp":2}');
    expect(await child.ended()).toBe(0);
    expect(await hashFile(locateStore(home))).toBe(before);
    await chmod(home, 0o700);
  });

  it("is named when it cannot be a folder", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("file"), "not a folder");
    const refused = { kind: "config", code: "home-not-a-folder" };
    for (const home of [dir.join("file"), dir.join("file", "home")]) {
      await expect(openStore(home)).rejects.toMatchObject(refused);
      await expect(openStoreForReading(home)).rejects.toMatchObject(refused);
      expect((await inspectStore(home)).problems).toHaveLength(1);
    }
    await mkdir(locateStore(dir.join("home")), { recursive: true, mode: 0o700 });
    const failed = { kind: "io", code: "store-failed" };
    await expect(openStore(dir.join("home"))).rejects.toMatchObject(failed);
    await expect(openStoreForReading(dir.join("home"))).rejects.toMatchObject(failed);
    expect((await inspectStore(dir.join("home"))).problems).toHaveLength(1);
  });

  it("keeps everything acknowledged when a file may not grow any more", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    const limited = [
      "-c",
      'ulimit -f 2000; exec "$@"',
      "sh",
      process.execPath,
      scriptPath("store-writer-child.ts"),
    ];
    const child = start("sh", [...limited, home, "one", "w-"]);
    const lines = [];
    for (let line = await child.next(); line !== undefined; line = await child.next()) lines.push(line);
    expect([lines.pop(), await child.ended()]).toEqual(["failed store-failed", 74]);
    expect(lines.length).toBeGreaterThan(10);
    await expectReceipts(home, [{ session: "one", prefix: "w-", receipts: lines }]);
  });
});
