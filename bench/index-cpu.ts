import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { locateStore, openStore } from "../src/storage/open-store.ts";
import { clearIndex } from "../src/storage/search/catch-up.ts";
import { textsOf } from "../src/storage/search/entry-texts.ts";
import { SqlSearchIndex } from "../src/storage/search/sql-search-index.ts";
import { openWatched } from "../src/storage/sqlite/sqlite-driver.ts";
import type { Measurement } from "./figure.ts";
import { compare, interleave, subject } from "./measure.ts";

const rounds = 80;

/** Compares the processor time of making the index of a home with that of plain FTS5 over the same texts. */
export async function measureIndexing(home: string, folder: string): Promise<Measurement> {
  const texts = await readTexts(home);
  await using driver = await openWatched(locateStore(home));
  const index = new SqlSearchIndex(driver);
  const [ours, native] = ["index", "plain FTS5"];
  const times = await interleave(
    [
      subject({
        name: ours,
        prepare: () => clearIndex(driver),
        work: () => processorTime(() => index.catchUp()),
      }),
      subject({
        name: native,
        prepare: () => openPlain(join(folder, "plain.db")),
        work: (db) => processorTime(async () => insertAll(db, texts)),
      }),
    ],
    rounds,
  );
  return {
    work: `index ${texts.length} real texts, read from the log (processor time)`,
    limit: "insert the same texts into a plain FTS5 table (unicode61)",
    ...compare(times, ours, native),
    bar: 2.5,
  };
}

async function readTexts(home: string): Promise<readonly string[]> {
  await using store = await openStore(home);
  const texts: string[] = [];
  for (const { id } of (await store.log.list({})).sessions)
    for await (const entry of store.log.read(id)) texts.push((textsOf(entry)?.texts ?? []).join("\n"));
  return texts.filter((text) => text !== "");
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function openPlain(path: string): DatabaseSync {
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'unicode61')");
  return db;
}

function insertAll(db: DatabaseSync, texts: readonly string[]): void {
  const insert = db.prepare("INSERT INTO t VALUES (?)");
  db.exec("BEGIN");
  for (const text of texts) insert.run(text);
  db.exec("COMMIT");
  db.close();
}
