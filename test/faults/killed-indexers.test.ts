import { describe, expect, inject, it } from "vitest";
import { one } from "../contract/test-log.ts";
import { newSession, said } from "../support/entries.ts";
import { dieAt, KillMoments, startCounting } from "../support/kill-moments.ts";
import { awaitQuiet, makeDatabase } from "../support/postgres-database.ts";
import { isPostgres, openAddress } from "../support/store-address.ts";
import { tempDir } from "../support/temp-dir.ts";

const entries = 3000;
/** An index of all of them takes more. */
const mostEvents = entries;
const killedAtWork = ["begun", "SIGKILL"];

/** Kills processes while they index, two at a time, and then looks for every entry by a word that no other has. */
async function killIndexers(address: string, kills: number): Promise<readonly string[]> {
  {
    await using store = await openAddress(address);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id));
    const all = Array.from({ length: entries }, (_, index) => said(`e${index}`, `common only${index}x`));
    await store.log.append(one, all);
  }
  const moments = new KillMoments(3);
  for (let kill = 0; kill < kills; kill += 1) {
    const indexers = [1, 2].map(() =>
      startCounting("store-index-child.ts", [address], dieAt(moments.draw("work", mostEvents))),
    );
    const lived = indexers.map(async (indexer) => [await indexer.next(), await indexer.ended()]);
    expect(await Promise.all(lived)).toEqual([killedAtWork, killedAtWork]);
  }
  if (isPostgres(address)) await awaitQuiet(address);
  await using store = await openAddress(address);
  await store.search.catchUp();
  const wrong: string[] = [];
  for (let index = 0; index < entries; index += 97) {
    const { hits } = await store.search.search({ query: `only${index}x` });
    if (hits.length !== 1 || hits[0]?.seq !== index + 1) wrong.push(`${index}: ${hits.length}`);
  }
  const { documents } = await store.search.describe();
  return documents === entries ? wrong : [...wrong, `${documents} documents`];
}

describe("every entry is found once after those that index were killed at any moment", () => {
  it("on SQLite", async () => {
    await using dir = await tempDir();
    expect(await killIndexers(dir.join("home"), 4)).toEqual([]);
  });

  it("on PostgreSQL", async () => {
    await using database = await makeDatabase(inject("postgresUrl"));
    expect(await killIndexers(database.url, 3)).toEqual([]);
  });
});
