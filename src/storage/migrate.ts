import { migrations } from "./migrations/migrations.ts";
import type { SqlDriver, SqlRunner } from "./sql-driver.ts";
import { storeIsNewer } from "./store-errors.ts";

/** The version of the schema that this program writes. */
export const schemaVersion = migrations.length;

/** Brings a database to `schemaVersion`, in one transaction; one from a newer program is refused untouched. */
export async function migrate(driver: SqlDriver, where: string): Promise<void> {
  if ((await checkVersion(driver, driver, where)) === schemaVersion) return;
  await driver.transaction(async (transaction) => {
    await driver.version.lock(transaction);
    // Another process may have migrated in the meantime.
    const version = await checkVersion(driver, transaction, where);
    const statements = migrations
      .slice(version)
      .flatMap((migration) => splitStatements(migration(driver.dialect)));
    // A server is not waited for after each: they are run in order all the same, and none after one that fails.
    await Promise.all(statements.map((statement) => transaction.run(statement)));
    await driver.version.write(transaction, schemaVersion);
  });
}

/** Returns the version of a database; one from a newer program is refused. */
export async function checkVersion(driver: SqlDriver, runner: SqlRunner, where: string): Promise<number> {
  const version = await driver.version.read(runner);
  if (version > schemaVersion) throw storeIsNewer(where, version, schemaVersion);
  return version;
}

/** Splits at semicolons that end a line: migrations hold no other semicolon at a line's end. */
function splitStatements(script: string): readonly string[] {
  return script
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
