import { describe, inject } from "vitest";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { conversationLogContract } from "../contract/conversation-log.ts";
import type { TestLog } from "../contract/test-log.ts";
import { makeName } from "../support/postgres-database.ts";
import { openTestLog } from "../support/test-log.ts";

const key = new Uint8Array(32).fill(7);

/** Opens a store in a schema of its own, with one project in it. */
function openPostgresTestLog(): Promise<TestLog> {
  const schema = makeName();
  return openTestLog(() => openPostgres(inject("postgresUrl"), key, schema));
}

describe("conversation log on PostgreSQL", () => conversationLogContract(openPostgresTestLog));
