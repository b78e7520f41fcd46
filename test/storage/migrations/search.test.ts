import { expect, it } from "vitest";
import { search } from "../../../src/storage/migrations/0006-search.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { locateStore, openStore } from "../../../src/storage/open-store.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { prepareFolder } from "../../../src/storage/sqlite/prepare-folder.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { readOrMakeKey } from "../../../src/storage/store-key.ts";
import { one } from "../../contract/test-log.ts";
import { newSession, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("lets everything be found that a store of the version before holds", async () => {
  await using dir = await tempDir();
  const path = locateStore(dir.path);
  await prepareFolder(path);
  const key = await readOrMakeKey(dir.path);
  const db = await openForWriting(path);
  {
    await using driver = new SqliteDriver(db, { path, busyDeadlineMs: 0 });
    const before = migrations.slice(0, migrations.indexOf(search));
    for (const migration of before) db.exec(migration(driver.dialect));
    await driver.version.write(driver, before.length);
    const project = await new SqlProjects(driver, key).recognise({
      identities: ["path:/test"],
      name: "test",
    });
    const log = new SqlConversationLog(driver, key);
    await log.open(newSession("one", project.id));
    await log.append(one, [said("a", "written before there was an index")]);
  }
  await using store = await openStore(dir.path);
  expect(await store.search.describe()).toMatchObject({ documents: 0, behind: 1 });
  const { hits } = await store.search.search({ query: "index" });
  expect(hits.map(({ entry }) => entry)).toEqual(["a"]);
  expect(await store.search.describe()).toMatchObject({ documents: 1, behind: 0 });
});
