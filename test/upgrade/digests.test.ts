import { expect, it } from "vitest";
import { listAll } from "../../src/sessions/list-all.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { collect } from "../support/entries.ts";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

it("in a home that 0.1.0 made, the digest of every session can be kept", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  await using store = await openStore(old.home);
  const sessions = await collect(listAll(store.log));
  const ids = sessions.map(({ id }) => id);
  const { digests: none, asOf } = await store.digests.read(ids);
  expect(none).toEqual([]);
  const kept = sessions.map(({ id, entries }) => ({ session: id, version: 1, seq: entries, body: "{}" }));
  await store.digests.keep(kept, asOf);
  expect((await store.digests.read(ids)).digests).toEqual(expect.arrayContaining(kept));
  expect((await old.call(["verify"])).code).toBe(0);
});
