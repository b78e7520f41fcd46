import { join } from "node:path";
import type { ConversationLog } from "../conversation/conversation-log.ts";
import type { Leases } from "../conversation/lease.ts";
import type { Projects } from "../conversation/project.ts";
import { AppError } from "../lib/app-error.ts";
import { sweepStrays } from "../lib/sweep-strays.ts";
import { checkVersion, migrate, schemaVersion } from "./migrate.ts";
import { SqlConversationLog } from "./sql-conversation-log.ts";
import { SqlLeases } from "./sql-leases.ts";
import { SqlProjects } from "./sql-projects.ts";
import { openForReading, openForWriting } from "./sqlite/open-connection.ts";
import { exists, prepareFolder } from "./sqlite/prepare-folder.ts";
import { SqliteDriver } from "./sqlite/sqlite-driver.ts";
import { readOrMakeKey } from "./store-key.ts";

/** An open store: the log and what belongs to it. */
export interface Store extends AsyncDisposable {
  readonly path: string;
  readonly log: ConversationLog;
  readonly leases: Leases;
  readonly projects: Projects;
}

const busyDeadlineMs = 30_000;

/** Returns where the database of a home folder is. */
export function locateStore(home: string): string {
  return join(home, "store.db");
}

/** Opens the store of a home folder and makes it where there is none. */
export async function openStore(home: string): Promise<Store> {
  const path = locateStore(home);
  await prepareFolder(path);
  await sweepStrays(home);
  const key = await readOrMakeKey(home);
  const driver = new SqliteDriver(await openForWriting(path), { path, busyDeadlineMs });
  try {
    await migrate(driver, path);
    return toStore(path, driver, key);
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
}

/** Opens the store of a home folder for reading; works on a read-only mount too, unless it has to be migrated first. */
export async function openStoreForReading(home: string): Promise<Store> {
  const path = locateStore(home);
  if (!(await exists(path))) {
    throw new AppError(`There is no store at ${path} yet.`, {
      kind: "usage",
      code: "no-store",
      hint: "Record a first session with `carryon append`, or see `carryon tour`.",
    });
  }
  const driver = new SqliteDriver(await openForReading(path), { path, busyDeadlineMs });
  try {
    if ((await checkVersion(driver, driver, path)) === schemaVersion)
      return toStore(path, driver, new Uint8Array(32));
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
  await driver[Symbol.asyncDispose]();
  return openStore(home);
}

function toStore(path: string, driver: SqliteDriver, key: Uint8Array): Store {
  const log = new SqlConversationLog(driver, key);
  return {
    path,
    log,
    leases: new SqlLeases(driver),
    projects: new SqlProjects(driver),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
