import { describe, expect, it } from "vitest";
import { literalPattern } from "../../../src/redaction/text-pattern.ts";
import { openStore, type Store } from "../../../src/storage/open-store.ts";
import { one, two } from "../../contract/test-log.ts";
import { later, newSession, said } from "../../support/entries.ts";
import { filesWith } from "../../support/files-with.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Words that all begin alike, so that many stand at the beginning of a page of the index. */
const words = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${(index * 7919) % 100_003}q`);
const secrets = words("zugspitze", 400);

async function fill(home: string): Promise<Store> {
  const store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id, { title: "zugspitze0q" }));
  await store.log.open(newSession("two", project.id));
  await store.log.append(
    two,
    words("plain", 1500).map((word, index) => said(`p${index}`, word)),
  );
  for (let from = 0; from < secrets.length; from += 100) {
    const batch = secrets.slice(from, from + 100);
    await store.log.append(
      one,
      batch.map((word, index) => said(`s${from}-${index}`, `a ${word} b`)),
    );
    await store.search.catchUp();
  }
  await store.log.append(one, [said("long", secrets.join(" ").repeat(20))]);
  await store.search.catchUp();
  return store;
}

describe("no byte of the store on SQLite holds a word that was found before", () => {
  it("after a scrub", async () => {
    await using dir = await tempDir();
    await using store = await fill(dir.path);
    expect(await filesWith(dir.path, ["zugspitze"])).not.toEqual([]);
    expect((await store.scrubber.replace(literalPattern("zugspitze"), later(1))).isWiped).toBe(true);
    expect(await filesWith(dir.path, ["zugspitze"])).toEqual([]);
    expect((await store.search.search({ query: "plain0q" })).hits).toHaveLength(1);
  });

  it("after its session was deleted and the space given back", async () => {
    await using dir = await tempDir();
    await using store = await fill(dir.path);
    await store.log.delete(one, later(1));
    await store.compact();
    expect(await filesWith(dir.path, ["zugspitze"])).toEqual([]);
    expect((await store.search.search({ query: "plain0q" })).hits).toHaveLength(1);
    expect((await store.search.describe()).documents).toBe(1500);
  });
});
