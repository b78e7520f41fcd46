import { expect, it } from "vitest";
import { ingestion } from "../../../src/storage/migrations/0005-ingestion.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { locateStore, openStore } from "../../../src/storage/open-store.ts";
import { SqlConversationLog } from "../../../src/storage/sql-conversation-log.ts";
import { SqlProjects } from "../../../src/storage/sql-projects.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { prepareFolder } from "../../../src/storage/sqlite/prepare-folder.ts";
import { SqliteDriver } from "../../../src/storage/sqlite/sqlite-driver.ts";
import { readOrMakeKey } from "../../../src/storage/store-key.ts";
import { one } from "../../contract/test-log.ts";
import { collect, idsOf, newSession, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Makes a store of the version before the migration, with one session of one entry. */
async function makeEarlier(home: string): Promise<void> {
  const path = locateStore(home);
  await prepareFolder(path);
  const key = await readOrMakeKey(home);
  const db = await openForWriting(path);
  await using driver = new SqliteDriver(db, { path, busyDeadlineMs: 0 });
  const before = migrations.slice(0, migrations.indexOf(ingestion));
  for (const migration of before) db.exec(migration(driver.dialect));
  await driver.version.write(driver, before.length);
  const project = await new SqlProjects(driver, key).recognise({ identities: ["path:/test"], name: "test" });
  const log = new SqlConversationLog(driver, key);
  await log.open(newSession("one", project.id, { client: "claude-code" }));
  await log.append(one, [said("a", "1")]);
}

it("lets a store of the version before take in what a client wrote", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await makeEarlier(home);
  await using store = await openStore(home);
  const source = { client: "claude-code", path: "/client/one.jsonl" } as const;
  const batch = { source, session: one, after: 0, position: "{}", state: "{}", leading: null };
  expect(await store.ingestion.find(source)).toBeUndefined();
  const told = await store.ingestion.store({ ...batch, entries: [said("a", "1"), said("b", "2")] });
  expect(told).toEqual({ type: "stored", revision: 1, added: 1, known: 1, differing: [] });
  expect(idsOf(await collect(store.log.read(one)))).toEqual(["a", "b"]);
  expect(await store.log.verify(one)).toMatchObject({ entries: 2, problem: null });
});
