import { describe } from "vitest";
import { mergedFamiliesContract } from "../contract/merged-families.ts";
import { mergingContract } from "../contract/merging.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("sessions merged on SQLite", () => {
  mergingContract(openSqliteTestLog);
  mergedFamiliesContract(openSqliteTestLog, 15);
});
describe("sessions merged on PostgreSQL", () => {
  mergingContract(openPostgresTestLog);
  mergedFamiliesContract(openPostgresTestLog, 4);
});
