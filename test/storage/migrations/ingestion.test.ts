import { expect, it } from "vitest";
import type { ConversationLog } from "../../../src/sessions/conversation-log.ts";
import { ingestion } from "../../../src/storage/migrations/0005-ingestion.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { one } from "../../contract/test-log.ts";
import { makeStoreBefore } from "../../support/earlier-store.ts";
import { collect, idsOf, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("lets a store of the version before take in what a client wrote", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  const work = async (log: ConversationLog) => void (await log.append(one, [said("a", "1")]));
  await makeStoreBefore(home, ingestion, work, { client: "claude-code" });
  await using store = await openStore(home);
  const source = { client: "claude-code", path: "/client/one.jsonl" } as const;
  const batch = { source, session: one, after: 0, position: "{}", state: "{}", leading: null };
  expect(await store.ingestion.find(source)).toBeUndefined();
  const told = await store.ingestion.store({ ...batch, entries: [said("a", "1"), said("b", "2")] });
  expect(told).toEqual({ type: "stored", revision: 1, added: 1, known: 1, differing: [] });
  expect(idsOf(await collect(store.log.read(one)))).toEqual(["a", "b"]);
  expect(await store.log.verify(one)).toMatchObject({ entries: 2, problem: null });
});
