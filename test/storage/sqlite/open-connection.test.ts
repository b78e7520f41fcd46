import { readdir, stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { schemaVersion } from "../../../src/storage/migrate.ts";
import { locateStore, openStore, openStoreForReading } from "../../../src/storage/open-store.ts";
import { openForReading, openForWriting, readPragma } from "../../../src/storage/sqlite/open-connection.ts";
import { applicationId } from "../../../src/storage/sqlite/our-databases.ts";
import { newSession, said } from "../../support/entries.ts";
import { fillStore } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";

const settings = [
  "journal_mode",
  "synchronous",
  "page_size",
  "application_id",
  "user_version",
  "foreign_keys",
  "trusted_schema",
  "cell_size_check",
  "mmap_size",
  "secure_delete",
];

function readSettings(db: DatabaseSync): Record<string, unknown> {
  return Object.fromEntries(settings.map((name) => [name, readPragma(db, name)]));
}

const durable = {
  journal_mode: "wal",
  synchronous: 2,
  page_size: 8192,
  application_id: applicationId,
  user_version: schemaVersion,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  mmap_size: 0,
  secure_delete: 1,
};

describe("a connection", () => {
  it("is durable when it makes the file and whenever the file is opened again", async () => {
    await using dir = await tempDir();
    const path = dir.join("a.db");
    const first = await openForWriting(path);
    expect(readSettings(first)).toEqual({ ...durable, user_version: 0 });
    const second = await openForWriting(path);
    expect(readSettings(second)).toEqual({ ...durable, user_version: 0 });
    first.close();
    second.close();
    const third = await openForWriting(path);
    expect(readSettings(third)).toEqual({ ...durable, user_version: 0 });
    third.close();
  });

  it("is durable on a file whose last user had other settings", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    const careless = new DatabaseSync(locateStore(home));
    careless.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE; PRAGMA application_id");
    careless.close();
    const db = await openForWriting(locateStore(home));
    expect(readSettings(db)).toEqual(durable);
    db.close();
  });

  it("writes nothing when it is only for reading", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    const db = await openForReading(locateStore(dir.join("home")));
    expect(readSettings(db)).toEqual(durable);
    expect(() => db.exec("DELETE FROM body")).toThrow("readonly");
    db.close();
  });
});

describe("the files of a store", () => {
  it("are for their owner only, also those beside the database, whatever the umask is", async () => {
    await using dir = await tempDir();
    const home = dir.join("deep", "home");
    const mask = process.umask(0o022);
    try {
      await using store = await openStore(home);
      const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
      await store.log.open(newSession("one", project.id));
      await store.log.append(parseSessionId("one"), [said("a", "1")]);
      await using _reader = await openStoreForReading(home);
      const names = (await readdir(home)).toSorted();
      const modes = await Promise.all(
        ["", ...names].map(async (name) => [
          name,
          ((await stat(dir.join("deep", "home", name))).mode & 0o777).toString(8),
        ]),
      );
      expect(modes).toEqual([
        ["", "700"],
        ["key", "600"],
        ["store.db", "600"],
        ["store.db-shm", "600"],
        ["store.db-wal", "600"],
      ]);
      expect((await stat(dir.join("deep"))).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(mask);
    }
  });
});
