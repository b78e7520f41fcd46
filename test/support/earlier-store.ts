import { inject } from "vitest";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import type { NewSession } from "../../src/sessions/session.ts";
import { makeGuard } from "../../src/storage/guard.ts";
import { readOrMakeKey } from "../../src/storage/home-folder.ts";
import { migrations } from "../../src/storage/migrate.ts";
import { locateStore } from "../../src/storage/open-store.ts";
import { parseStoreUrl } from "../../src/storage/parse-store-url.ts";
import { openDriver } from "../../src/storage/postgres/open-driver.ts";
import { SqlConversationLog } from "../../src/storage/sql-conversation-log.ts";
import type { SqlDriver } from "../../src/storage/sql-driver.ts";
import { SqlProjects } from "../../src/storage/sql-projects.ts";
import { openForWriting } from "../../src/storage/sqlite/open-connection.ts";
import { prepareStore } from "../../src/storage/sqlite/prepare-store.ts";
import { SqliteDriver } from "../../src/storage/sqlite/sqlite-driver.ts";
import { newSession } from "./entries.ts";
import { makeName } from "./postgres-database.ts";

type Migration = (typeof migrations)[number];

/** Opens an empty store of the version before a migration; on SQLite in a file. */
export async function openBefore(
  migration: Migration,
  { engine, path }: { readonly engine: string; readonly path: string },
): Promise<SqlDriver> {
  const driver = engine === "SQLite" ? await openSqliteDriver(path) : await openPostgresDriver();
  const before = migrations.slice(0, migrations.indexOf(migration));
  await driver.transaction(async (transaction) => {
    const statements = before.flatMap((each) => each(driver.dialect).split(/;\s*\n/));
    for (const statement of statements) if (statement.trim() !== "") await transaction.run(statement);
    await driver.version.write(transaction, before.length);
  });
  return driver;
}

async function openSqliteDriver(path: string): Promise<SqlDriver> {
  return new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs: 1000 });
}

async function openPostgresDriver(): Promise<SqlDriver> {
  const schema = makeName();
  const { driver } = await openDriver(parseStoreUrl(inject("postgresUrl")), schema);
  await driver.run(`CREATE SCHEMA ${schema}`);
  return driver;
}

/** Opens the session `one` in a store of an earlier version. */
export async function openSessionOne(
  driver: SqlDriver,
  key: Uint8Array,
  told: Partial<NewSession> = {},
): Promise<ConversationLog> {
  const project = await new SqlProjects(driver, makeGuard(key)).recognise({
    identities: ["path:/test"],
    name: "test",
  });
  const log = new SqlConversationLog(driver, makeGuard(key));
  await log.open(newSession("one", project.id, told));
  return log;
}

/** Makes a store in a home as the version before a migration did, with the session `one`, and does some work in it. */
export async function makeStoreBefore(
  home: string,
  migration: Migration,
  work: (log: ConversationLog, driver: SqlDriver) => Promise<void>,
  told: Partial<NewSession> = {},
): Promise<void> {
  const path = locateStore(home);
  await prepareStore(path);
  const key = await readOrMakeKey(home);
  await using driver = await openBefore(migration, { engine: "SQLite", path });
  await work(await openSessionOne(driver, key, told), driver);
}
