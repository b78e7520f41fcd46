import { expect, it } from "vitest";
import { parseEntryId } from "../../../src/sessions/ids.ts";
import { mergedId } from "../../../src/sessions/merged-id.ts";
import { observed } from "../../../src/sessions/observations.ts";
import { locateStore, openStore, openStoreForReading } from "../../../src/storage/open-store.ts";
import { openForWriting } from "../../../src/storage/sqlite/open-connection.ts";
import { one } from "../../contract/test-log.ts";
import { later, newSession, said } from "../../support/entries.ts";
import { tempDir } from "../../support/temp-dir.ts";

it("finds everything in a store that it may only read, newest first, and says what it had to read", async () => {
  await using dir = await tempDir();
  {
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id));
    const seen = observed(parseEntryId("seen"), later(0), "prompt-seen", { prompt: "word seen" });
    await store.log.append(one, [seen, said("a", "word one", { at: later(1) })]);
    await store.search.catchUp();
    await store.log.append(one, [
      said("b", "word two", { at: later(3) }),
      said("c", "other", { at: later(4) }),
      said("d", "a word", { at: later(5) }),
      { ...seen, id: parseEntryId("found-seen"), kind: "event", event: "found", data: { entry: "seen" } },
    ]);
    await store.log.open(newSession("two", project.id, { title: "A word in a title" }));
  }
  await using store = await openStoreForReading(dir.path);
  const page = await store.search.search({ query: "word", limit: 2 });
  expect([page.hits.map(({ entry }) => entry), page.scanned]).toEqual([["d", "b"], 4]);
  const rest = await store.search.search({ query: "word", ...(page.next !== null && { cursor: page.next }) });
  expect(rest.hits.map(({ entry, session }) => `${session} ${entry}`)).toEqual(["one a", "two null"]);
  expect((await store.search.search({ query: "word role:title" })).hits).toHaveLength(1);
  expect((await store.search.search({ query: "word session:two" })).hits).toHaveLength(1);
  for (const nothing of ["two project:elsewhere", "two role:tool role:user", "two session:x session:one"])
    expect((await store.search.search({ query: nothing })).hits).toEqual([]);
});

it("says what to do about an index that is damaged, and makes it anew", async () => {
  await using dir = await tempDir();
  {
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id), [said("a", "word")]);
    await store.search.catchUp();
  }
  const db = await openForWriting(locateStore(dir.path));
  db.enableDefensive(false);
  db.exec("UPDATE search_terms_data SET block = x'00ff00ff00ff00ff00ff00ff'");
  db.close();
  {
    await using store = await openStore(dir.path);
    await expect(store.search.search({ query: "word" })).rejects.toMatchObject({
      code: "search-index-broken",
      hint: expect.stringContaining("carryon doctor --reindex"),
    });
  }
  await using store = await openStore(dir.path);
  await store.search.rebuild();
  expect((await store.search.search({ query: "word" })).hits).toHaveLength(1);
});

it("makes an index of other rules anew", async () => {
  await using dir = await tempDir();
  await using store = await openStore(dir.path);
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id), [said("a", "word")]);
  await store.search.catchUp();
  const db = await openForWriting(locateStore(dir.path));
  db.exec("UPDATE search_state SET version = 0");
  db.close();
  expect((await store.search.describe()).behind).toBe(1);
  await store.log.delete(one, later(1));
  await store.log.open(newSession("two", project.id), [said("a", "word")]);
  expect((await store.search.search({ query: "word" })).hits).toHaveLength(1);
  expect((await store.search.describe()).documents).toBe(1);
});

it("tells once what a merge has copied, also in a store that it may only read", async () => {
  await using dir = await tempDir();
  {
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id), [said("a", "word")]);
    const copy = mergedId({ session: one, id: parseEntryId("a") });
    await store.log.open(newSession("two", project.id), [said(copy, "word")]);
  }
  await using store = await openStoreForReading(dir.path);
  const { hits } = await store.search.search({ query: "word" });
  expect(hits.map(({ session, entry }) => `${session} ${entry}`)).toEqual(["one a"]);
});

it("tells apart in a store that it may only read what was said in one moment, and counts it all", async () => {
  await using dir = await tempDir();
  {
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id));
    await store.log.append(one, [said("a", "word one"), said("b", "another word")]);
    await store.search.catchUp();
    await store.log.append(one, [said("c", "word two"), said("d", "words and a rare thing")]);
  }
  await using store = await openStoreForReading(dir.path);
  const find = async (query: string, match: "exact" | "ranked") =>
    (await store.search.search({ query, match })).hits.map(({ entry }) => entry);
  expect((await find("word", "exact")).toSorted()).toEqual(["a", "b", "c"]);
  const ranked = await find("which words are of a rare thing?", "ranked");
  expect([ranked[0], ranked.toSorted()]).toEqual(["d", ["a", "b", "c", "d"]]);
});
