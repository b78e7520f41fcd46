import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { openWriter } from "../../../src/sessions/session-writer.ts";
import { backupStore, inspectStore } from "../../../src/storage/maintenance.ts";
import { locateStore, openStore, type Store } from "../../../src/storage/open-store.ts";
import { openWatched } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { said, start } from "../../support/entries.ts";
import { readContent, readContentOfFile, sayIn } from "../../support/store-content.ts";
import { startWriter, type Writer } from "../../support/store-writers.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const one = parseSessionId("one");
const gone = { kind: "io", code: "store-gone" };
const textsOf = (content: Awaited<ReturnType<typeof readContent>>) =>
  content.flatMap(({ entries }) => entries.map(({ id }) => id));

/** A store with two entries, one of them in its WAL, that is open; and a backup with the first. */
async function openHeld(dir: TempDir): Promise<{ home: string; path: string; backup: string; store: Store }> {
  const [home, backup] = [dir.join("home"), dir.join("backup.db")];
  await sayIn(home, "one", "a", "first");
  await backupStore(home, backup, { overwrite: false });
  const store = await openStore(home);
  await store.log.append(one, [said("b", "second")]);
  return { home, path: locateStore(home), backup, store };
}

/** Returns when a process was told of so many more entries that they are on disk; it must not end before. */
async function writeMore(writer: Writer, count: number): Promise<void> {
  const enough = writer.receipts.length + count;
  while (writer.receipts.length < enough)
    if ((await writer.next()) === undefined) throw new Error(`The writer ended: ${writer.errors.join()}`);
}

const ways = [
  { way: "the home is deleted", said: "was deleted", does: (home: string) => rm(home, { recursive: true }) },
  { way: "the file is deleted", said: "was deleted", does: (home: string) => rm(locateStore(home)) },
  { way: "the home is moved", said: "was deleted", does: (home: string) => rename(home, `${home}.old`) },
  {
    way: "another file takes its place",
    said: "Another file has taken the place of",
    does: async (home: string) => {
      await copyFile(locateStore(home), `${home}.copy`);
      await rename(`${home}.copy`, locateStore(home));
    },
  },
  {
    way: "it is emptied in place",
    said: "was emptied or overwritten",
    does: (home: string) => truncate(locateStore(home)),
  },
  {
    way: "it is overwritten in place",
    said: "was emptied or overwritten",
    does: (home: string) => writeFile(locateStore(home), randomBytes(8192)),
  },
  {
    way: "only its first page is overwritten",
    said: "was emptied or overwritten",
    does: async (home: string) => {
      const file = await open(locateStore(home), "r+");
      await file.write(randomBytes(8192), 0, 8192, 0);
      await file.close();
    },
  },
];

describe("a store that goes away under a process which has it open", () => {
  it.each(ways)("acknowledges nothing more once $way", async ({ does, said: words }) => {
    await using dir = await tempDir();
    const { home, store } = await openHeld(dir);
    await does(home);
    const refused = { ...gone, message: expect.stringContaining(words) };
    await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(refused);
    await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(refused);
    await expect(store.inbox.forget([1])).rejects.toMatchObject(refused);
    await expect(openWriter(store, one, { program: "test", now: start })).rejects.toMatchObject(refused);
    await expect(store.projects.recognise({ identities: ["path:/new"], name: "new" })).rejects.toMatchObject(
      refused,
    );
    await store[Symbol.asyncDispose]();
  });

  it("does not acknowledge what is committed while the file goes away", async () => {
    await using dir = await tempDir();
    const { home, path, store } = await openHeld(dir);
    await store[Symbol.asyncDispose]();
    await using driver = await openWatched(path);
    await expect(driver.transaction(() => rm(home, { recursive: true }))).rejects.toMatchObject(gone);
    await expect(driver.run("DELETE FROM lease")).rejects.toMatchObject(gone);
    await expect(driver.flush()).rejects.toMatchObject(gone);
    await expect(driver.wipe()).rejects.toMatchObject(gone);
  });

  it("still gives what it holds, so that it can be saved elsewhere", async () => {
    await using dir = await tempDir();
    const { home, store } = await openHeld(dir);
    await rm(home, { recursive: true });
    await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(gone);
    expect((await Array.fromAsync(store.log.read(one))).map(({ id }) => id)).toEqual(["a", "b"]);
    await store[Symbol.asyncDispose]();
  });

  it("goes on for a file that has a second name, or was moved away and back", async () => {
    await using dir = await tempDir();
    const { path, store } = await openHeld(dir);
    await rename(path, `${path}.x`);
    await rename(`${path}.x`, path);
    expect(await store.log.append(one, [said("c", "third")])).toMatchObject([{ seq: 3 }]);
    await store[Symbol.asyncDispose]();
  });
});

describe("a store that is emptied or overwritten in place", () => {
  it.each([
    { content: "", tries: true },
    { content: "", tries: false },
    { content: "x".repeat(8192), tries: true },
    { content: "x".repeat(8192), tries: false },
  ])("keeps its WAL, and gets nothing of it, when it is closed: %o", async ({ content, tries }) => {
    await using dir = await tempDir();
    const { home, path, store } = await openHeld(dir);
    const wal = await readFile(`${path}-wal`);
    await writeFile(path, content);
    if (tries) await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(gone);
    await store[Symbol.asyncDispose]();
    expect(await readFile(path, "utf8")).toBe(content);
    expect((await readFile(`${path}-wal`)).subarray(0, wal.length)).toEqual(wal);
    expect((await readdir(home)).filter((name) => !/^(?:key|store\.db(?:-wal|-shm)?)$/.test(name))).toEqual(
      [],
    );
  });

  it("is told from one that other processes write and compact", async () => {
    await using dir = await tempDir();
    const { home, store } = await openHeld(dir);
    for (const id of ["c", "d", "e"]) {
      await using other = await openStore(home);
      await other.log.append(one, [said(`other-${id}`, "more")]);
      await other.compact();
      expect(await store.log.append(one, [said(id, "more")])).toHaveLength(1);
    }
    await store[Symbol.asyncDispose]();
    expect(textsOf(await readContent(home))).toHaveLength(8);
  });

  it("is looked at without losing the locks that keep its WAL from other processes", async () => {
    await using dir = await tempDir();
    const { home, path, store } = await openHeld(dir);
    await store.compact();
    // A look is due after a checkpoint.
    await store.log.append(one, [said("c", "third")]);
    const before = await stat(`${path}-wal`);
    const script = `const db = new (require("node:sqlite").DatabaseSync)(process.argv[1]);
      db.prepare("SELECT count(*) FROM session_head").get(); db.close();`;
    // Whoever closes a store that nobody else holds deletes its WAL.
    await promisify(execFile)(process.execPath, ["-e", script, path]);
    expect((await stat(`${path}-wal`)).ino).toBe(before.ino);
    await store.log.append(one, [said("d", "fourth")]);
    await store[Symbol.asyncDispose]();
    expect(textsOf(await readContent(home))).toEqual(["a", "b", "c", "d"]);
  });
});

describe("the file that took the place of a store", () => {
  it.each(["tries to write", "closes it"])(
    "is whole after the process that had the old one %s",
    async (way) => {
      await using dir = await tempDir();
      const { home, path, backup, store } = await openHeld(dir);
      await rename(path, dir.join("old.db"));
      await copyFile(backup, path);
      if (way === "tries to write")
        await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(gone);
      await store[Symbol.asyncDispose]();
      expect((await inspectStore(home)).problems).toEqual([]);
      expect(textsOf(await readContent(home))).toEqual(["a"]);
      await sayIn(home, "one", "d", "a new second");
      // What was acknowledged is all in the file that was put away.
      expect(textsOf(await readContentOfFile(dir.join("old.db")))).toEqual(["a", "b"]);
    },
  );

  it("keeps what others have written to it before the old process notices", async () => {
    await using dir = await tempDir();
    const { home, path, backup, store } = await openHeld(dir);
    await store.compact();
    await rename(path, dir.join("old.db"));
    await copyFile(backup, path);
    const writer = startWriter(home, "two", "w-");
    await writeMore(writer, 5);
    await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(gone);
    await store[Symbol.asyncDispose]();
    await writeMore(writer, 5);
    writer.child.kill("SIGKILL");
    await writer.ended();
    const two = (await readContent(home)).find(({ session }) => session.id === "two");
    expect(two?.entries.map(({ seq, id }) => `${seq} ${id}`).slice(0, writer.receipts.length)).toEqual(
      writer.receipts,
    );
    expect(textsOf(await readContentOfFile(dir.join("old.db")))).toEqual(["a", "b"]);
  });

  it("keeps its side files where the old ones were moved along", async () => {
    await using dir = await tempDir();
    const { home, store } = await openHeld(dir);
    await rename(home, dir.join("old"));
    await mkdir(home, { mode: 0o700 });
    const writer = startWriter(home, "two", "w-");
    await writeMore(writer, 3);
    await expect(store.log.append(one, [said("c", "third")])).rejects.toMatchObject(gone);
    await store[Symbol.asyncDispose]();
    expect((await readdir(home)).toSorted()).toEqual(["key", "store.db", "store.db-shm", "store.db-wal"]);
    expect((await stat(join(home, "store.db-wal"))).size).toBeGreaterThan(0);
    writer.child.kill("SIGKILL");
    await writer.ended();
    expect(textsOf(await readContent(dir.join("old")))).toEqual(["a", "b"]);
    expect(textsOf(await readContent(home)).length).toBeGreaterThanOrEqual(writer.receipts.length);
  });
});
