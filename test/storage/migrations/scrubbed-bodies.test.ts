import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/sessions/chain.ts";
import { makeGuard } from "../../../src/storage/guard.ts";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { scrubbedBodies } from "../../../src/storage/migrations/0003-scrubbed-bodies.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { one } from "../../contract/test-log.ts";
import { openBefore, openSessionOne } from "../../support/earlier-store.ts";
import { collect, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

const key = new Uint8Array(32).fill(7);

describe.each(["SQLite", "PostgreSQL"])("a store of the version before, on %s", (engine) => {
  it("keeps what it holds, and none of it counts as scrubbed", async () => {
    await using dir = await tempDir();
    await using driver = await openBefore(scrubbedBodies, { engine, path: dir.join("a.db") });
    const log = await openSessionOne(driver, key);
    await log.append(one, [said("a", "short"), said("b", "long ".repeat(2000))]);
    const before = await collect(log.read(one));
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    const after = new SqlConversationLog(driver, makeGuard(key));
    expect(await collect(after.read(one))).toEqual(before);
    expect(await after.verify(one)).toMatchObject({ entries: 2, scrubbed: 0, problem: null });
    const rows = await driver.all("SELECT hash, scrubbed_hash FROM body ORDER BY key");
    const short = JSON.stringify({ role: "user", parts: [{ type: "text", text: "short" }] });
    expect(
      rows.map(([hash, scrubbed]) => [Buffer.from(hash as Uint8Array).toString("hex"), scrubbed])[0],
    ).toEqual([sha256(short), null]);
    expect(await driver.all("SELECT * FROM scrubbed_entry")).toEqual([]);
  });
});
