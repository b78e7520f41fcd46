import { describe, expect, inject, it } from "vitest";
import { sha256 } from "../../../src/conversation/chain.ts";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { scrubbedBodies } from "../../../src/storage/migrations/0003-scrubbed-bodies.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { openDriver } from "../../../src/storage/postgres/open-driver.ts";
import { parseStoreUrl } from "../../../src/storage/postgres/parse-store-url.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import type { SqlDriver } from "../../../src/storage/sql-driver.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { one } from "../../contract/test-log.ts";
import { collect, newSession, said } from "../../support/entries.ts";
import { makeName } from "../../support/postgres-database.ts";
import { tempDir } from "../../support/temp-dir.ts";

const key = new Uint8Array(32).fill(7);

async function openPostgresDriver(): Promise<SqlDriver> {
  const schema = makeName();
  const { driver } = await openDriver(parseStoreUrl(inject("postgresUrl")), schema);
  await driver.run(`CREATE SCHEMA ${schema}`);
  return driver;
}

async function openSqliteDriver(path: string): Promise<SqlDriver> {
  return new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs: 1000 });
}

/** Makes the tables of the version before the migration. */
async function makeEarlier(driver: SqlDriver): Promise<void> {
  const before = migrations.slice(0, migrations.indexOf(scrubbedBodies));
  await driver.transaction(async (transaction) => {
    const statements = before.flatMap((migration) => migration(driver.dialect).split(/;\s*\n/));
    for (const statement of statements) if (statement.trim() !== "") await transaction.run(statement);
    await driver.version.write(transaction, before.length);
  });
}

describe.each(["SQLite", "PostgreSQL"])("a store of the version before, on %s", (engine) => {
  it("keeps what it holds, and none of it counts as scrubbed", async () => {
    await using dir = await tempDir();
    await using driver = await (engine === "SQLite"
      ? openSqliteDriver(dir.join("a.db"))
      : openPostgresDriver());
    await makeEarlier(driver);
    const project = await new SqlProjects(driver, key).recognise({
      identities: ["path:/test"],
      name: "test",
    });
    const log = new SqlConversationLog(driver, key);
    await log.open(newSession("one", project.id));
    await log.append(one, [said("a", "short"), said("b", "long ".repeat(2000))]);
    const before = await collect(log.read(one));
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    const after = new SqlConversationLog(driver, key);
    expect(await collect(after.read(one))).toEqual(before);
    expect(await after.verify(one)).toMatchObject({ entries: 2, scrubbed: 0, problem: null });
    const rows = await driver.all("SELECT hash, scrubbed_hash FROM body ORDER BY key");
    const short = JSON.stringify({ role: "user", parts: [{ type: "text", text: "short" }] });
    expect(
      rows.map(([hash, scrubbed]) => [Buffer.from(hash as Uint8Array).toString("hex"), scrubbed])[0],
    ).toEqual([sha256(short), null]);
    expect(await driver.all("SELECT * FROM scrubbed_entry")).toEqual([]);
  });
});
