import { expect, it } from "vitest";
import { readDigests } from "../../src/digest/read-digests.ts";
import { listAll } from "../../src/sessions/conversation-log.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { countWords } from "../support/count-words.ts";
import { collect } from "../support/entries.ts";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

it("in a home that 0.1.0 made, every session gets a digest, which is kept", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  await using store = await openStore(old.home);
  const sessions = await collect(listAll(store.log));
  const ids = sessions.map(({ id }) => id);
  expect((await store.digests.read(ids)).digests).toEqual([]);
  const states = await readDigests(store, sessions, countWords());
  const seen = sessions.map(({ id, machine, entries }) => ({ id, from: machine, entries }));
  expect(sessions.map(({ id }) => ({ id, ...states.get(id) }))).toMatchObject(seen);
  const again = countWords();
  expect(await readDigests(store, sessions, again)).toEqual(states);
  expect(again.given).toEqual([]);
  expect((await old.call(["verify"])).code).toBe(0);
});
