import { configError } from "../../lib/app-error.ts";
import { migrate, schemaVersion } from "../migrate.ts";
import type { Store } from "../open-store.ts";
import { parseStoreUrl, type StoreUrl } from "../parse-store-url.ts";
import { readUsage } from "../read-usage.ts";
import { noStore } from "../store-errors.ts";
import { makeParts } from "../store-parts.ts";
import type { Deadlines } from "./deadlines.ts";
import { openDriver } from "./open-driver.ts";
import type { PostgresDriver } from "./postgres-driver.ts";

/** Opens a store on PostgreSQL and makes it where there is none; the key of the home folder makes the fingerprints. */
export function openPostgres(
  address: string,
  key: Uint8Array,
  schema = "carryon",
  deadlines?: Deadlines,
): Promise<Store> {
  return openForWriting(parseStoreUrl(address), key, schema, deadlines);
}

/** Opens a store on PostgreSQL and makes it where there is none. */
export async function openForWriting(
  url: StoreUrl,
  key: Uint8Array,
  schema: string,
  deadlines?: Deadlines,
): Promise<Store> {
  const { driver, isDurable, hasSchema, version } = await openDriver(url, schema, deadlines);
  return orClose(driver, async () => {
    if (!isDurable)
      throw configError("not-durable", `The store ${url.shown} does not wait for the disk at a commit.`, {
        hint: "Set synchronous_commit to on for this user and database.",
      });
    // Of several that make it at once, PostgreSQL refuses all but one; a transaction tries again and finds it.
    if (!hasSchema)
      await driver.transaction((transaction) => transaction.run(`CREATE SCHEMA IF NOT EXISTS "${schema}"`));
    if (version !== schemaVersion) await migrate(driver, url.shown);
    return toStore(url.shown, driver, key);
  });
}

/**
 * Opens a store on PostgreSQL for reading, for which a user who may only read is enough.
 *
 * Undefined when it has to be migrated first.
 */
export async function openForReading(
  url: StoreUrl,
  key: Uint8Array,
  schema: string,
): Promise<Store | undefined> {
  const { driver, version } = await openDriver(url, schema);
  if (version === schemaVersion) return toStore(url.shown, driver, key);
  await driver[Symbol.asyncDispose]();
  if (version === 0) throw noStore(url.shown);
  return undefined;
}

async function orClose<Result>(driver: PostgresDriver, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

function toStore(path: string, driver: PostgresDriver, key: Uint8Array): Store {
  return {
    path,
    usage: () => readUsage(driver),
    // The server reuses the space by itself.
    compact: async () => 0,
    ...makeParts(driver, key),
  };
}
