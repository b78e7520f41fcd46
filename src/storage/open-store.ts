import { join } from "node:path";
import { sweepStrays } from "../lib/atomic-file.ts";
import { exists, locateKey, readKey, readKeyOrNone, readOrMakeKey } from "./home-folder.ts";
import { checkVersion, migrate, schemaVersion } from "./migrate.ts";
import type { UsageRow } from "./read-usage.ts";
import { openForReading, refuseLoneWal } from "./sqlite/open-connection.ts";
import { prepareStore } from "./sqlite/prepare-store.ts";
import { openWatched, SqliteDriver } from "./sqlite/sqlite-driver.ts";
import { keyIsMissing, noStore } from "./store-errors.ts";
import { makeParts, type StoreParts } from "./store-parts.ts";

/** An open store: the log and what belongs to it. */
export interface Store extends StoreParts {
  /** What messages call it: the path of its file, or `host:port/database`. */
  readonly path: string;
  /** Returns who takes how much space, largest first. Reads the whole store. */
  usage(): Promise<readonly UsageRow[]>;
  /** Gives the space of what was deleted back to the disk, where that is ours to do; returns how many bytes it was. */
  compact(): Promise<number>;
}

const busyDeadlineMs = 30_000;

/** Returns where the database of a home folder is. */
export function locateStore(home: string): string {
  return join(home, "store.db");
}

/** Opens the store of a home folder and makes it where there is none. */
export async function openStore(home: string): Promise<Store> {
  const path = locateStore(home);
  await prepareStore(path);
  await sweepStrays(home);
  const driver = await openWatched(path);
  try {
    await migrate(driver, path);
    return toStore(path, driver, await readKeyOf(home, driver));
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

/** Returns the key of a store; a missing one is made only where nothing is stored under it. */
async function readKeyOf(home: string, driver: SqliteDriver): Promise<Uint8Array> {
  const path = locateKey(home);
  const known = await readKey(path);
  if (known !== undefined) return known;
  const sessions = await driver.all("SELECT 1 FROM session_head WHERE deleted_ms IS NULL LIMIT 1");
  if (sessions.length === 0) return readOrMakeKey(home);
  // Another process may have made the key, and then the first session, in the meantime.
  const made = await readKey(path);
  if (made === undefined) throw keyIsMissing(path);
  return made;
}

/** Opens the store of a home folder for reading; works on a read-only mount too, unless it has to be migrated first. */
export async function openStoreForReading(home: string): Promise<Store> {
  const path = locateStore(home);
  if (!(await exists(path))) {
    await refuseLoneWal(path);
    throw noStore(path);
  }
  const driver = new SqliteDriver(await openForReading(path), { path, busyDeadlineMs });
  try {
    if ((await checkVersion(driver, driver, path)) === schemaVersion)
      return toStore(path, driver, await readKeyOrNone(home));
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
  await driver[Symbol.asyncDispose]();
  return openStore(home);
}

function toStore(path: string, driver: SqliteDriver, key: Uint8Array): Store {
  return {
    path,
    // Few commands need these, and each module costs all of them something at their start.
    usage: async () => (await import("./read-usage.ts")).readUsage(driver),
    compact: async () => {
      await (await import("./search/forget.ts")).rewriteIndex(driver);
      return (await import("./sqlite/compact-store.ts")).compactStore(path);
    },
    ...makeParts(driver, key),
  };
}
