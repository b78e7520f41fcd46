import { describe, expect, it } from "vitest";
import { migrate, schemaVersion } from "../../src/storage/migrate.ts";
import { openForWriting } from "../../src/storage/sqlite/open-connection.ts";
import { SqliteDriver } from "../../src/storage/sqlite/sqlite-driver.ts";
import { startWriter } from "../support/store-writers.ts";
import { tempDir } from "../support/temp-dir.ts";

async function openDriver(path: string): Promise<SqliteDriver> {
  return new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs: 10_000 });
}

/** Returns the version and the names of the tables and indexes that have a statement of their own. */
async function readSchema(driver: SqliteDriver): Promise<readonly [number, readonly unknown[]]> {
  const names = await driver.all("SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name");
  return [await driver.version.read(driver), names.flat()];
}

const current = [
  schemaVersion,
  [
    "body",
    "body_by_hash",
    "entry",
    "entry_by_id",
    "inbox",
    "ingestion",
    "ingestion_by_first_entry",
    "ingestion_by_session",
    "lease",
    "project",
    "project_identity",
    "replica",
    "replica_by_known_as",
    "scrubbed_entry",
    "search_document",
    "search_document_by_entry",
    "search_progress",
    "search_state",
    "search_terms",
    "search_terms_config",
    "search_terms_data",
    "search_terms_docsize",
    "search_terms_idx",
    "session",
    "session_by_base",
    "session_digest",
    "session_head",
    "sqlite_sequence",
    "strand",
    "tombstone",
    "wipe_due",
  ],
];

describe("migrate", () => {
  it("brings an empty database to the schema of today, and does nothing the second time", async () => {
    await using dir = await tempDir();
    await using driver = await openDriver(dir.join("a.db"));
    expect(await readSchema(driver)).toEqual([0, []]);
    await migrate(driver, "here");
    expect(await readSchema(driver)).toEqual(current);
    await migrate(driver, "here");
    expect(await readSchema(driver)).toEqual(current);
  });

  it("is done once by two that begin in the same moment", async () => {
    await using dir = await tempDir();
    await using one = await openDriver(dir.join("a.db"));
    await using other = await openDriver(dir.join("a.db"));
    await Promise.all([migrate(one, "here"), migrate(other, "here")]);
    expect([await readSchema(one), await readSchema(other)]).toEqual([current, current]);
  });

  it("is done once by processes that begin in the same moment", async () => {
    await using dir = await tempDir();
    const writers = ["a", "b", "c"].map((name) => startWriter(dir.join("home"), name, `${name}-`, 1));
    await Promise.all(writers.map((writer) => writer.ended()));
    expect(writers.map((writer) => writer.receipts)).toEqual([["1 a-1"], ["1 b-1"], ["1 c-1"]]);
  });

  it.each([
    { name: "at its beginning", table: "project" },
    { name: "at its end", table: "entry_by_id" },
  ])("changes nothing when it fails $name", async ({ table }) => {
    await using dir = await tempDir();
    await using driver = await openDriver(dir.join("a.db"));
    await driver.run(`CREATE TABLE ${table} (in_the_way)`);
    await expect(migrate(driver, "here")).rejects.toMatchObject({ kind: "io", code: "store-corrupt" });
    expect(await readSchema(driver)).toEqual([0, [table]]);
  });

  it("refuses a database of a newer program and one that never was ours, and leaves them as they are", async () => {
    await using dir = await tempDir();
    await using driver = await openDriver(dir.join("a.db"));
    await driver.version.write(driver, schemaVersion + 1);
    await expect(migrate(driver, "/here")).rejects.toMatchObject({
      kind: "config",
      code: "store-newer",
      message: expect.stringContaining("/here"),
    });
    expect(await readSchema(driver)).toEqual([schemaVersion + 1, []]);
  });
});
