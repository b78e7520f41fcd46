import { describe } from "vitest";
import { comparingContract } from "../contract/comparing.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("sessions compared on SQLite", () => comparingContract(openSqliteTestLog));
describe("sessions compared on PostgreSQL", () => comparingContract(openPostgresTestLog));
