import { expect, it } from "vitest";
import { openStore } from "../../src/storage/open-store.ts";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

it("in a home that 0.1.0 made, the index is made anew, and has every entry with a text", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  await using store = await openStore(old.home);
  const { behind, documents } = await store.search.describe();
  expect(await store.search.catchUp()).toBeGreaterThan(0);
  expect(behind).toBeGreaterThan(0);
  const after = await store.search.describe();
  expect(after).toMatchObject({ behind: 0, leftOut: [] });
  // On SQLite a long entry is one document by now.
  expect(after.documents).toBeGreaterThan(0.9 * documents);
  expect((await old.call(["verify"])).code).toBe(0);
});
