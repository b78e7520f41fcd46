import { describe, expect, it } from "vitest";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { rankedSearch } from "../../../src/storage/migrations/0010-ranked-search.ts";
import { wordCounts } from "../../../src/storage/migrations/0011-word-counts.ts";
import { forgetByKey } from "../../../src/storage/migrations/0012-forget-by-key.ts";
import { searchDialect } from "../../../src/storage/search/choose-dialect.ts";
import { SqlSearchIndex } from "../../../src/storage/search/sql-search-index.ts";
import { one } from "../../contract/test-log.ts";
import { openBefore, openSessionOne } from "../../support/earlier-store.ts";
import { said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe.each(["SQLite", "PostgreSQL"])("an index of older rules, on %s", (engine) => {
  it.each([
    ["without counts", rankedSearch, 2],
    ["with counts by stem", wordCounts, 3],
    ["that forgot terms one by one", forgetByKey, 5],
  ])("%s is made anew, with the words of what was indexed before", async (_, before, version) => {
    await using dir = await tempDir();
    await using driver = await openBefore(before, { engine, path: dir.join("a.db") });
    const log = await openSessionOne(driver, new Uint8Array(32).fill(7));
    await log.append(one, [said("a", "lamps and lamps"), said("b", "a lamp")]);
    await driver.run(`UPDATE search_state SET version = ${version}`);
    await driver.run("INSERT INTO search_progress VALUES (1, 2, NULL)");
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    expect(await new SqlSearchIndex(driver).catchUp()).toBe(2);
    const counts = await searchDialect(driver).countTerms(driver, ["lamp", "lamps", "and", "lamping"]);
    expect(counts.toSorted()).toEqual([
      ["and", 1],
      ["lamp", 1],
      ["lamps", 1],
    ]);
    expect(await driver.all("SELECT documents, length FROM search_state")).toEqual([[2, 21]]);
  });
});
