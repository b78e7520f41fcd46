import { describe, expect, it } from "vitest";
import { makeGuard } from "../../../src/storage/guard.ts";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { copies } from "../../../src/storage/migrations/0008-copies.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { one } from "../../contract/test-log.ts";
import { openBefore, openSessionOne } from "../../support/earlier-store.ts";
import { newFork, said, titledAt } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

const key = new Uint8Array(32).fill(7);

describe.each(["SQLite", "PostgreSQL"])("a store of the version before, on %s", (engine) => {
  it("keeps a copy that went its own way as it is: what comes after the fork describes it", async () => {
    await using dir = await tempDir();
    await using driver = await openBefore(copies, { engine, path: dir.join("a.db") });
    const log = await openSessionOne(driver, key);
    await log.append(one, [said("a", "1"), titledAt("t", "Before it parted", 1)]);
    await log.fork(newFork("one-b"));
    await driver.run(
      "INSERT INTO replica (session_key, known_as, machine, seq, begun_here) VALUES (2, 'one', 'B', 2, 0)",
    );
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    expect(await driver.all("SELECT known_as, described_from FROM replica")).toEqual([["one", null]]);
    const after = new SqlConversationLog(driver, makeGuard(key));
    const { sessions } = await after.list();
    for (const { id } of sessions)
      expect(await after.verify(id)).toMatchObject({ entries: 2, problem: null });
  });
});
