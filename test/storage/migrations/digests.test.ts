import { describe, expect, it } from "vitest";
import { SqlDigestStore } from "../../../src/storage/digests/sql-digest-store.ts";
import { makeGuard } from "../../../src/storage/guard.ts";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { digests } from "../../../src/storage/migrations/0009-digests.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { one } from "../../contract/test-log.ts";
import { openBefore, openSessionOne } from "../../support/earlier-store.ts";
import { collect, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

const key = new Uint8Array(32).fill(7);

describe.each(["SQLite", "PostgreSQL"])("a store without digests, on %s", (engine) => {
  it("gains an empty table, and keeps the digests of what it holds", async () => {
    await using dir = await tempDir();
    await using driver = await openBefore(digests, { engine, path: dir.join("a.db") });
    const log = await openSessionOne(driver, key);
    await log.append(one, [said("a", "1"), said("b", "2")]);
    const before = await collect(log.read(one));
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    const store = new SqlDigestStore(driver);
    const { digests: none, asOf } = await store.read([one]);
    expect(none).toEqual([]);
    const kept = { session: one, version: 1, seq: 2, body: "{}" };
    await store.keep([kept], asOf);
    expect((await store.read([one])).digests).toEqual([kept]);
    expect(await collect(new SqlConversationLog(driver, makeGuard(key)).read(one))).toEqual(before);
  });
});
