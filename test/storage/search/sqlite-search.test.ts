import { describe } from "vitest";
import { searchIndexContract } from "../../contract/search-index.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

describe("search index on SQLite", () => searchIndexContract(openSqliteTestLog));
