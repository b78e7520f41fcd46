import { describe, it } from "vitest";
import { expectLongRunsIndexed } from "../contract/hard-to-index.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const size = 6_000_000;

describe("indexes messages of one run of millions of characters, and what stands beside it", () => {
  it("on SQLite", () => expectLongRunsIndexed(openSqliteTestLog, size));

  it("on PostgreSQL", () => expectLongRunsIndexed(openPostgresTestLog, size));
});
