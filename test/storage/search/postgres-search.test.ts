import { describe } from "vitest";
import { searchIndexContract } from "../../contract/search-index.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";

describe("search index on PostgreSQL", () => searchIndexContract(openPostgresTestLog));
