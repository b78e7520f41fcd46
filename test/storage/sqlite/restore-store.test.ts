import { chmod, copyFile, mkdir, open, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { backupStore, restoreStore } from "../../../src/storage/maintenance.ts";
import { locateStore, openStore } from "../../../src/storage/open-store.ts";
import { applicationId } from "../../../src/storage/sqlite/our-databases.ts";
import { start } from "../../support/entries.ts";
import { readContent, readContentOfFile, sayIn } from "../../support/store-content.ts";
import { fillStore, hashFile, tamper } from "../../support/store-files.ts";
import { startWriter } from "../../support/store-writers.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

/** Makes a store, a backup of it, and then more in the store. */
async function prepare(dir: TempDir): Promise<{ home: string; file: string }> {
  const [home, file] = [dir.join("home"), dir.join("backup.db")];
  await fillStore(home);
  await backupStore(home, file, { overwrite: false });
  await sayIn(home, "three", "c1", "said after the backup");
  return { home, file };
}

const keptName = "store.before-restore-20261115T120000000.db";

describe("restoring a backup", () => {
  it("replaces the store and keeps what it was in a file beside it", async () => {
    await using dir = await tempDir();
    const { home, file } = await prepare(dir);
    const [before, backup] = [await readContent(home), await readContentOfFile(file)];
    const restored = await restoreStore(home, file, start);
    expect(restored).toEqual({ sessions: 2, kept: dir.join("home", keptName) });
    expect(await readContent(home)).toEqual(backup);
    expect(await readContentOfFile(restored.kept ?? "")).toEqual(before);
    expect((await stat(restored.kept ?? "")).mode & 0o777).toBe(0o600);
    expect((await readdir(home)).toSorted()).toEqual(["key", keptName, "store.db"]);
  });

  it("begins without digests, and keeps none of what was there before", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    await using store = await openStore(home);
    const digest = { session: parseSessionId("one"), version: 1, seq: 2, body: '"not vouched for"' };
    const { asOf } = await store.digests.read([]);
    await store.digests.keep([digest], asOf);
    await backupStore(home, dir.join("backup.db"), { overwrite: false });
    await restoreStore(home, dir.join("backup.db"), start);
    await store.digests.keep([digest], asOf);
    expect((await store.digests.read([digest.session])).digests).toEqual([]);
    await restoreStore(dir.join("new"), dir.join("backup.db"), start);
    await using fresh = await openStore(dir.join("new"));
    expect((await fresh.digests.read([digest.session])).digests).toEqual([]);
  });

  it("fills a folder that has no store yet, of which nothing is to be kept", async () => {
    await using dir = await tempDir();
    const { home, file } = await prepare(dir);
    expect(await restoreStore(dir.join("new", "home"), file, start)).toEqual({ sessions: 2, kept: null });
    expect(await readContent(dir.join("new", "home"))).toEqual((await readContent(home)).slice(1));
  });

  it("refuses a backup of which one word was changed, unless told otherwise", async () => {
    await using dir = await tempDir();
    const { home, file } = await prepare(dir);
    const before = await readContent(home);
    const db = new DatabaseSync(file);
    db.exec("UPDATE body SET json = replace(json, 'fourth', 'forth')");
    db.close();
    await expect(restoreStore(home, file, start)).rejects.toMatchObject({
      code: "backup-damaged",
      message: expect.stringContaining("entry 4 of session"),
    });
    expect(await readContent(home)).toEqual(before);
    expect(await restoreStore(home, file, start, { evenIfDamaged: true })).toMatchObject({ sessions: 2 });
  });

  it("takes a backup that can only be read", async () => {
    await using dir = await tempDir();
    const { home, file } = await prepare(dir);
    await chmod(file, 0o444);
    expect(await restoreStore(home, file, start)).toMatchObject({ sessions: 2 });
  });

  it("takes a store that was copied as files, with what its WAL holds", async () => {
    await using dir = await tempDir();
    const { home } = await prepare(dir);
    await using store = await openStore(home);
    await sayIn(home, "four", "d1", "still in the WAL");
    for (const end of ["", "-wal"]) await copyFile(`${locateStore(home)}${end}`, dir.join(`copied.db${end}`));
    await store[Symbol.asyncDispose]();
    expect((await stat(dir.join("copied.db-wal"))).size).toBeGreaterThan(0);
    expect(await readContentOfFile(dir.join("copied.db"))).toEqual(await readContent(home));
  });

  it("loses nothing that a writer is told is on disk meanwhile", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    const writer = startWriter(home, "one", "w-");
    await using _child = writer.child;
    while (writer.receipts.length < 10) await writer.next();
    await backupStore(home, dir.join("backup.db"), { overwrite: false });
    while (writer.receipts.length < 20) await writer.next();
    const { kept } = await restoreStore(home, dir.join("backup.db"), start);
    const enough = writer.receipts.length + 10;
    while (writer.receipts.length < enough) await writer.next();
    writer.child.kill("SIGKILL");
    await writer.ended();
    const contents = [...(await readContentOfFile(kept ?? "")), ...(await readContent(home))];
    const stored = new Set(contents.flatMap(({ entries }) => entries.map(({ seq, id }) => `${seq} ${id}`)));
    expect(writer.receipts.filter((receipt) => !stored.has(receipt))).toEqual([]);
  });
});

describe("restoring over a store that cannot be used", () => {
  it.each([
    { what: "text", spoil: (path: string) => writeFile(path, "Dear diary") },
    { what: "cut short", spoil: (path: string) => truncate(path, 50_000) },
    { what: "without one of its tables", spoil: async (path: string) => void dropHead(path) },
    { what: "damaged inside", spoil: damageInside },
  ])("puts it aside as it is: $what", async ({ spoil }) => {
    await using dir = await tempDir();
    const { home, file } = await prepare(dir);
    await spoil(locateStore(home));
    const spoilt = await hashFile(locateStore(home));
    const aside = `${locateStore(home)}.aside-20261115T120000000`;
    expect(await restoreStore(home, file, start)).toEqual({ sessions: 2, kept: aside });
    expect(await hashFile(aside)).toBe(spoilt);
    expect(await readContent(home)).toEqual(await readContentOfFile(file));
    expect((await stat(locateStore(home))).mode & 0o777).toBe(0o600);
  });
});

function dropHead(path: string): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec("DROP TABLE session_head");
  db.close();
}

/** Spoils a page in the middle, so that the store opens but cannot be copied. */
async function damageInside(path: string): Promise<void> {
  const db = new DatabaseSync(path);
  const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'entry'").get() ?? {};
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(100, 0xff), 0, 100, (Number(rootpage) - 1) * 8192);
  await file.close();
}

describe("a file that is no intact backup", () => {
  const damaged = { kind: "io", code: "backup-damaged" };
  const empty = (id: number) => (path: string) => {
    const db = new DatabaseSync(path);
    db.exec(`PRAGMA application_id = ${id}; PRAGMA user_version = 1; CREATE TABLE t (x)`);
    db.close();
  };

  it.each([
    {
      what: "missing",
      spoil: async () => undefined,
      file: "nothing.db",
      error: { kind: "usage", code: "backup-unreadable" },
    },
    {
      what: "a folder",
      spoil: async () => undefined,
      file: ".",
      error: { kind: "usage", code: "backup-unreadable" },
    },
    { what: "text", spoil: (path: string) => writeFile(path, "Dear diary"), error: damaged },
    { what: "empty", spoil: (path: string) => writeFile(path, ""), error: damaged },
    { what: "cut short", spoil: (path: string) => truncate(path, 50_000), error: damaged },
    { what: "damaged inside", spoil: damageInside, error: damaged },
    { what: "without one of its tables", spoil: async (path: string) => dropHead(path), error: damaged },
    {
      what: "of another program",
      file: "other.db",
      spoil: async (path: string) => empty(7)(path),
      error: damaged,
    },
    {
      what: "ours by name only",
      file: "other.db",
      spoil: async (path: string) => empty(applicationId)(path),
      error: damaged,
    },
  ])("changes nothing: $what", async ({ spoil, file: name = "backup.db", error }) => {
    await using dir = await tempDir();
    const { home } = await prepare(dir);
    const file = dir.join(name);
    await spoil(file);
    const before = await hashFile(locateStore(home));
    await expect(restoreStore(home, file, start)).rejects.toMatchObject(error);
    expect(await hashFile(locateStore(home))).toBe(before);
    expect((await readdir(home)).toSorted()).toEqual(["key", "store.db"]);
    await mkdir(dir.join("new"), { mode: 0o700 });
    await expect(restoreStore(dir.join("new"), file, start)).rejects.toMatchObject(error);
    expect(await readdir(dir.join("new"))).toEqual([]);
  });

  it("changes nothing when it is a newer program's", async () => {
    await using dir = await tempDir();
    const { home } = await prepare(dir);
    await fillStore(dir.join("future"));
    tamper(dir.join("future"), "PRAGMA user_version = 99");
    const before = await hashFile(locateStore(home));
    const restoring = restoreStore(home, locateStore(dir.join("future")), start);
    await expect(restoring).rejects.toMatchObject({ kind: "config", code: "store-newer" });
    expect(await hashFile(locateStore(home))).toBe(before);
  });
});
