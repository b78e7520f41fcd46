import { expect, it } from "vitest";
import { replicas } from "../../../src/storage/migrations/0007-replicas.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { locateStore, openStore } from "../../../src/storage/open-store.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { prepareFolder } from "../../../src/storage/sqlite/prepare-folder.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { readOrMakeKey } from "../../../src/storage/store-key.ts";
import { one, openWithSession } from "../../contract/test-log.ts";
import { bring, idsIn, outcomes } from "../../support/bring.ts";
import { newSession, said, start } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

/** Makes a store of the version before the migration, with a session of two entries, deleted as that version did. */
async function makeEarlier(home: string): Promise<void> {
  const path = locateStore(home);
  await prepareFolder(path);
  const key = await readOrMakeKey(home);
  const db = await openForWriting(path);
  await using driver = new SqliteDriver(db, { path, busyDeadlineMs: 0 });
  const before = migrations.slice(0, migrations.indexOf(replicas));
  for (const migration of before) db.exec(migration(driver.dialect));
  await driver.version.write(driver, before.length);
  const project = await new SqlProjects(driver, key).recognise({ identities: ["path:/test"], name: "test" });
  const log = new SqlConversationLog(driver, key);
  await log.open(newSession("one", project.id));
  await log.append(one, [said("a", "1"), said("b", "2")]);
  db.exec(`UPDATE session_head SET deleted_ms = ${start.getTime()}; DELETE FROM entry; DELETE FROM body;`);
}

it("of what was deleted by the version before, nothing comes back, and nothing is deleted elsewhere that may be more", async () => {
  await using dir = await tempDir();
  await makeEarlier(dir.join("home"));
  await using store = await openStore(dir.join("home"));
  await using other = await openWithSession(openSqliteTestLog);
  await other.log.append(one, [said("a", "1")]);
  expect(outcomes(await bring(other, store))).toEqual(["gone one"]);
  expect(outcomes(await bring(store, other))).toEqual([]);
  expect(await idsIn(other)).toEqual(["one"]);
  await other.log.append(one, [said("b", "2")]);
  expect(outcomes(await bring(store, other))).toEqual(["deleted one"]);
});
