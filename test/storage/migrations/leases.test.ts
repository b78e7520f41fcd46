import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/conversation/ids.ts";
import { openWriter } from "../../../src/conversation/session-writer.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { locateStore, openStore } from "../../../src/storage/open-store.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { prepareFolder } from "../../../src/storage/sqlite/prepare-folder.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { collect, idsOf, said, start } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Makes a store as an older program left it: the first migrations, and the rows that the statements insert. */
async function makeOldStore(home: string, version: number, rows: readonly string[]): Promise<void> {
  const path = locateStore(home);
  await prepareFolder(path);
  const db = await openForWriting(path);
  await using driver = new SqliteDriver(db, { path, busyDeadlineMs: 0 });
  for (const migration of migrations.slice(0, version)) db.exec(migration(driver.dialect));
  for (const row of rows) db.exec(row);
  await driver.version.write(driver, version);
}

const sessionOfVersion1 = [
  "INSERT INTO project VALUES (1, 'path:/test', 'test')",
  `INSERT INTO session VALUES (1, 'one', 'carryon-append', NULL, '/work', NULL, 'here', 1000,
     NULL, NULL, NULL, 0, NULL, 'Old', 1000, '', 'old', NULL, '[]', '[]')`,
  "INSERT INTO session_head VALUES (1, 1, 1000, NULL, 'open', 1000, '', 0, NULL, 0, NULL, NULL)",
];

describe("a store of an older program", () => {
  it("gains leases, and nobody holds its sessions", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await makeOldStore(home, 1, sessionOfVersion1);
    await using store = await openStore(home);
    const one = parseSessionId("one");
    expect(await store.leases.find(one)).toBeUndefined();
    expect((await store.log.list()).sessions).toMatchObject([{ id: "one", title: "Old", writer: null }]);
    await using writer = await openWriter(store, one, { program: "test", now: start });
    await writer.append([said("a", "1")]);
    expect(idsOf(await collect(store.log.read(one)))).toEqual(["a"]);
    expect(await store.leases.find(one)).toMatchObject({ holder: { program: "test" }, isExpired: false });
  });
});
