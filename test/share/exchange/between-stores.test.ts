import { describe } from "vitest";
import { describingContract } from "../../contract/describing.ts";
import { exchangingContract } from "../../contract/exchanging.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

describe("between two stores on SQLite", () => {
  exchangingContract(openSqliteTestLog, openSqliteTestLog);
  describingContract(openSqliteTestLog, openSqliteTestLog);
});

describe("from SQLite to PostgreSQL", () => {
  exchangingContract(openSqliteTestLog, openPostgresTestLog);
  describingContract(openSqliteTestLog, openPostgresTestLog);
});
