import { expect, it } from "vitest";
import { search } from "../../../src/storage/migrations/0006-search.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { one } from "../../contract/test-log.ts";
import { makeStoreBefore } from "../../support/earlier-store.ts";
import { said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("lets everything be found that a store of the version before holds", async () => {
  await using dir = await tempDir();
  await makeStoreBefore(dir.path, search, async (log) => {
    await log.append(one, [said("a", "written before there was an index")]);
  });
  await using store = await openStore(dir.path);
  expect(await store.search.describe()).toMatchObject({ documents: 0, behind: 1 });
  const { hits } = await store.search.search({ query: "index" });
  expect(hits.map(({ entry }) => entry)).toEqual(["a"]);
  expect(await store.search.describe()).toMatchObject({ documents: 1, behind: 0 });
});
