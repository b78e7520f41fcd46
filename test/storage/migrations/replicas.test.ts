import { expect, it } from "vitest";
import { replicas } from "../../../src/storage/migrations/0007-replicas.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { one, openWithSession } from "../../contract/test-log.ts";
import { bring, idsIn, outcomes } from "../../support/bring.ts";
import { makeStoreBefore } from "../../support/earlier-store.ts";
import { said, start } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

it("of what was deleted by the version before, nothing comes back, and nothing is deleted elsewhere that may be more", async () => {
  await using dir = await tempDir();
  await makeStoreBefore(dir.join("home"), replicas, async (log, driver) => {
    await log.append(one, [said("a", "1"), said("b", "2")]);
    // As that version deleted.
    await driver.run("UPDATE session_head SET deleted_ms = ?", [start.getTime()]);
    await driver.run("DELETE FROM entry");
    await driver.run("DELETE FROM body");
  });
  await using store = await openStore(dir.join("home"));
  await using third = await openWithSession(openSqliteTestLog);
  await third.log.append(one, [said("a", "1")]);
  await using other = await openSqliteTestLog();
  await bring(third, other);
  expect(outcomes(await bring(other, store))).toEqual(["gone one"]);
  expect(outcomes(await bring(store, other))).toEqual([]);
  expect(await idsIn(other)).toEqual(["one"]);
  await third.log.append(one, [said("b", "2")]);
  await using whole = await openSqliteTestLog();
  await bring(third, whole);
  expect(outcomes(await bring(store, whole))).toEqual(["deleted one"]);
});
