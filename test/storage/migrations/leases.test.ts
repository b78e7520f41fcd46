import { expect, it } from "vitest";
import { openWriter } from "../../../src/sessions/session-writer.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { one } from "../../contract/test-log.ts";
import { collect, idsOf, said, start } from "../../support/entries.ts";
import { writeFirstVersion } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("a store of an older program gains leases, and nobody holds its sessions", async () => {
  await using dir = await tempDir();
  await writeFirstVersion(dir.join("home"));
  await using store = await openStore(dir.join("home"));
  expect(await store.leases.find(one)).toBeUndefined();
  expect((await store.log.list({ id: one })).sessions).toMatchObject([{ title: "first", writer: null }]);
  await using writer = await openWriter(store, one, { program: "test", now: start });
  await writer.append([said("a7", "7")]);
  expect(idsOf(await collect(store.log.read(one)))).toEqual(["a1", "a2", "a3", "a4", "a5", "a6", "a7"]);
  expect(await store.leases.find(one)).toMatchObject({ holder: { program: "test" }, isExpired: false });
});
