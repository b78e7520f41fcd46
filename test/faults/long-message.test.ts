import { join } from "node:path";
import { expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { shapeless } from "../contract/hard-to-index.ts";
import { recordPrompt } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";

const long = "x".repeat(6_000_000);

it("records, syncs, searches, shows, exports and imports sessions with a message of one long word", async () => {
  await using carryon = await openCarryon();
  const id = await carryon.record("needle one", long);
  await recordPrompt(carryon, "11111111-1111-4111-8111-111111111111", `needle two ${long}`);
  const file = join(carryon.folder, "talk.jsonl");
  await carryon.ask(["export", "--output", file]);
  const env = { ...carryon.env, CARRYON_HOME: join(carryon.folder, "other") };
  expect(await carryon.call(["import", file], { env })).toMatchObject({ code: 0 });
  for (const home of [{}, { env }]) {
    const { code, stdout } = await carryon.call(["search", "needle", "--json"], home);
    expect([code, JSON.parse(stdout).hits.length]).toEqual([0, 2]);
  }
  expect(await carryon.ask(["show", id])).toContain(long);
  expect(await carryon.ask(["brief"])).toContain("needle two");
});

it("names in doctor what cannot be indexed, and how it is read", async () => {
  await using carryon = await openCarryon();
  const id = await carryon.record("needle one");
  {
    await using store = await openStore(join(carryon.folder, "home"));
    await store.log.append(parseSessionId(id), [shapeless("b")]);
  }
  await carryon.record("needle two");
  expect((await carryon.ask(["search", "needle"])).match(/»needle«/g)).toHaveLength(2);
  const told = await carryon.ask(["doctor"]);
  expect(told).toContain(`Search cannot find entry 3 of ${id}: its text cannot be indexed.`);
  expect(told).toContain(`carryon show ${id} --from 3`);
});
