import { describe, expect, it } from "vitest";
import { makeGuard } from "../../../src/storage/guard.ts";
import { migrate, schemaVersion } from "../../../src/storage/migrate.ts";
import { inbox } from "../../../src/storage/migrations/0004-inbox.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openBefore } from "../../support/earlier-store.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe.each(["SQLite", "PostgreSQL"])("a store without an inbox, on %s", (engine) => {
  it("gains an empty one and keeps what it holds", async () => {
    await using dir = await tempDir();
    await using driver = await openBefore(inbox, { engine, path: dir.join("a.db") });
    const projects = new SqlProjects(driver, makeGuard(new Uint8Array(32).fill(7)));
    const project = await projects.recognise({ identities: ["path:/test"], name: "test" });
    await migrate(driver, "here");
    expect(await driver.version.read(driver)).toBe(schemaVersion);
    expect(await driver.all("SELECT * FROM inbox")).toEqual([]);
    expect(await projects.list()).toEqual([project]);
  });
});
