import { sessionsAndEntries } from "./migrations/0001-sessions-and-entries.ts";
import { leases } from "./migrations/0002-leases.ts";
import { scrubbedBodies } from "./migrations/0003-scrubbed-bodies.ts";
import { inbox } from "./migrations/0004-inbox.ts";
import { ingestion } from "./migrations/0005-ingestion.ts";
import { search } from "./migrations/0006-search.ts";
import { replicas } from "./migrations/0007-replicas.ts";
import { copies } from "./migrations/0008-copies.ts";
import { digests } from "./migrations/0009-digests.ts";
import { rankedSearch } from "./migrations/0010-ranked-search.ts";
import { wordCounts } from "./migrations/0011-word-counts.ts";
import { forgetByKey } from "./migrations/0012-forget-by-key.ts";
import type { Dialect, SqlDriver, SqlRunner } from "./sql-driver.ts";
import { storeIsNewer } from "./store-errors.ts";

/** Every migration in order; number 1 is the first. Forward only; one that was released is never edited. */
export const migrations: readonly ((dialect: Dialect) => string)[] = [
  sessionsAndEntries,
  leases,
  scrubbedBodies,
  inbox,
  ingestion,
  search,
  replicas,
  copies,
  digests,
  rankedSearch,
  wordCounts,
  forgetByKey,
];

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
