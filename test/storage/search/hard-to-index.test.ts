import { describe, expect, it } from "vitest";
import { openStore, openStoreForReading } from "../../../src/storage/open-store.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { hardToIndexContract, shapeless } from "../../contract/hard-to-index.ts";
import { newSession, said } from "../../support/entries.ts";
import { openDatabase } from "../../support/postgres-database.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { patientDeadlines } from "../../support/store-address.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

describe("entries that are hard to index on SQLite", () => hardToIndexContract(openSqliteTestLog));
describe("entries that are hard to index on PostgreSQL", () => hardToIndexContract(openPostgresTestLog));

const needles = [said("a", "needle one"), shapeless("b"), said("c", "needle two")];

it("searches a store that it may only read, and names what it cannot look into", async () => {
  await using dir = await tempDir();
  {
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id), needles);
  }
  await using store = await openStoreForReading(dir.path);
  const { hits, scanned, leftOut } = await store.search.search({ query: "needle" });
  expect(hits.map(({ entry }) => entry)).toEqual(["c", "a"]);
  expect([scanned, leftOut]).toEqual([3, [{ session: "one", seq: 2 }]]);
  const ranked = await store.search.search({ query: "where is needle two?", match: "ranked" });
  expect(ranked.hits.map(({ entry }) => entry)).toEqual(["c", "a"]);
});

it("leaves out what PostgreSQL refuses, and indexes what came with it", async () => {
  await using database = await openDatabase();
  await using store = await openPostgres(
    database.url,
    new Uint8Array(32).fill(7),
    undefined,
    patientDeadlines,
  );
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id), [
    said("a", "one"),
    said("b", "two"),
    said("c", "three"),
  ]);
  await database.query(`
    CREATE FUNCTION refuse() RETURNS trigger AS 'BEGIN RAISE ''too much''; END' LANGUAGE plpgsql;
    CREATE TRIGGER refuse BEFORE INSERT ON carryon.search_document FOR EACH ROW
      WHEN (NEW.seq = 2 AND NEW.part >= 0) EXECUTE FUNCTION refuse()`);
  const { hits } = await store.search.search({ query: "role:user" });
  expect(hits.map(({ entry }) => entry)).toEqual(["c", "a"]);
  expect(await store.search.describe()).toMatchObject({
    documents: 2,
    leftOut: [{ session: "one", seq: 2 }],
  });
});
