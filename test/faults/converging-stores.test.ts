import { describe, it } from "vitest";
import { converge, convergeDescribed } from "../support/converge.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe.each([
  {
    what: "come to have the same entries, however they were written, deleted, forked, brought together and cut off",
    meet: converge,
  },
  {
    what: "come to tell the same of every session, and no title or tag makes a fork",
    meet: convergeDescribed,
  },
])("three stores $what", ({ meet }) => {
  it("on SQLite", async () => {
    await using one = await openSqliteTestLog();
    await using two = await openSqliteTestLog();
    await using three = await openSqliteTestLog();
    await meet([one, two, three], { runs: 30 });
  });

  it("two on SQLite and one on PostgreSQL", async () => {
    await using one = await openSqliteTestLog();
    await using server = await openPostgresTestLog();
    await using two = await openSqliteTestLog();
    await meet([one, server, two], { runs: 10 });
  });
});
