import { randomBytes } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { inbox } from "../../../src/storage/migrations/0004-inbox.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { openDriver } from "../../../src/storage/postgres/open-driver.ts";
import { parseStoreUrl } from "../../../src/storage/postgres/parse-store-url.ts";
import type { SqlDriver } from "../../../src/storage/sql-driver.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { tempDir } from "../../support/temp-dir.ts";

async function openPostgresDriver(): Promise<SqlDriver> {
  const schema = `test_${randomBytes(6).toString("hex")}`;
  const { driver } = await openDriver(parseStoreUrl(inject("postgresUrl")), schema);
  await driver.run(`CREATE SCHEMA ${schema}`);
  return driver;
}

async function openSqliteDriver(path: string): Promise<SqlDriver> {
  return new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs: 1000 });
}

describe.each(["SQLite", "PostgreSQL"])("a store without an inbox, on %s", (engine) => {
  it("gains an empty one and keeps what it holds", async () => {
    await using dir = await tempDir();
    await using driver = await (engine === "SQLite"
      ? openSqliteDriver(dir.join("a.db"))
      : openPostgresDriver());
    const before = migrations.slice(0, migrations.indexOf(inbox));
    await driver.transaction(async (transaction) => {
      const statements = before.flatMap((migration) => migration(driver.dialect).split(/;\s*\n/));
      for (const statement of statements) if (statement.trim() !== "") await transaction.run(statement);
      await driver.version.write(transaction, before.length);
    });
    const projects = new SqlProjects(driver, new Uint8Array(32).fill(7));
    const project = await projects.recognise({ identities: ["path:/test"], name: "test" });
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    expect(await driver.all("SELECT * FROM inbox")).toEqual([]);
    expect(await projects.list()).toEqual([project]);
  });
});
