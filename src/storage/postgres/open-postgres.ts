import { migrate } from "../migrate.ts";
import type { Store } from "../open-store.ts";
import { SqlConversationLog } from "../sql-conversation-log.ts";
import { SqlLeases } from "../sql-leases.ts";
import { SqlProjects } from "../sql-projects.ts";
import { type Deadlines, openPool, usualDeadlines } from "./open-pool.ts";
import { PostgresDriver } from "./postgres-driver.ts";

/** Opens a store on PostgreSQL and makes it where there is none; the key of the home folder makes the fingerprints. */
export async function openPostgres(
  address: string,
  key: Uint8Array,
  schema = "carryon",
  deadlines: Deadlines = usualDeadlines,
): Promise<Store> {
  const { pool, where } = await openPool(address, schema, deadlines);
  const driver = new PostgresDriver(pool, where);
  try {
    await migrate(driver, where);
  } catch (error) {
    await driver[Symbol.asyncDispose]();
    throw error;
  }
  return {
    path: where,
    log: new SqlConversationLog(driver, key),
    leases: new SqlLeases(driver),
    projects: new SqlProjects(driver),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
