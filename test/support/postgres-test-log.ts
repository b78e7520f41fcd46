import { inject } from "vitest";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import type { TestLog } from "../contract/test-log.ts";
import { makeName } from "./postgres-database.ts";
import { patientDeadlines } from "./store-address.ts";
import { openTestLog } from "./test-log.ts";

const key = new Uint8Array(32).fill(7);

/** Opens a store on PostgreSQL in a schema of its own, with one project in it. */
export function openPostgresTestLog(): Promise<TestLog> {
  const schema = makeName();
  return openTestLog(() => openPostgres(inject("postgresUrl"), key, schema, patientDeadlines));
}
