import { describe } from "vitest";
import { exchangingContract } from "../../contract/exchanging.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

describe("between two stores on SQLite", () => exchangingContract(openSqliteTestLog, openSqliteTestLog));

describe("from SQLite to PostgreSQL", () => exchangingContract(openSqliteTestLog, openPostgresTestLog));
