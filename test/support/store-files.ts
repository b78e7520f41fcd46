import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { readOrMakeKey } from "../../src/storage/home-folder.ts";
import { locateStore, openStore, type Store } from "../../src/storage/open-store.ts";
import { newFork, newSession, said } from "./entries.ts";

/** Fills the store of a home folder as `fill` does, and closes it. */
export async function fillStore(home: string): Promise<void> {
  const store = await openStore(home);
  try {
    await fill(store);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

/**
 * Fills an open store.
 *
 * The session `one` has the messages a1 to a6 (a3 long enough to be compressed, a5 equal to a2), `two` is a fork of
 * it at a4 with b1 and b2 of its own.
 */
export async function fill(store: Store): Promise<void> {
  const { id } = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", id));
  const texts = ["first", "again", `${"long ".repeat(2000)}end`, "fourth", "again", "last"];
  const entries = texts.map((text, index) => said(`a${index + 1}`, text));
  await store.log.append(parseSessionId("one"), entries);
  await store.log.fork({ ...newFork("two"), at: said("a4", "").id });
  await store.log.append(parseSessionId("two"), [said("b1", "mine"), said("b2", "mine too")]);
}

/** Makes the store that the first version made of the same. */
export async function writeFirstVersion(home: string): Promise<void> {
  const sql = await readFile(new URL("../fixtures/store-of-schema-1.sql", import.meta.url), "utf8");
  await mkdir(home, { mode: 0o700 });
  await readOrMakeKey(home);
  await writeFile(locateStore(home), "", { mode: 0o600 });
  const db = new DatabaseSync(locateStore(home));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** Runs one statement on the database of a home folder behind the back of the store. */
export function tamper(home: string, sql: string, ...params: readonly SQLInputValue[]): number {
  const db = new DatabaseSync(locateStore(home), { enableForeignKeyConstraints: false });
  try {
    return Number(db.prepare(sql).run(...params).changes);
  } finally {
    db.close();
  }
}

/** Turns one bit of a stored text or of stored bytes; the number of the bit may be any. */
export function flipBit(home: string, [column, table, condition]: readonly string[], bit: number): void {
  const db = new DatabaseSync(locateStore(home));
  try {
    const row = `${table} WHERE ${condition}`;
    const sql = `SELECT CAST(${column} AS BLOB) AS bytes, typeof(${column}) AS type FROM ${row}`;
    const { bytes, type } = db.prepare(sql).get() as { bytes: Uint8Array; type: string };
    const at = (bit >> 3) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
    db.prepare(`UPDATE ${table} SET ${column} = CAST(? AS ${type}) WHERE ${condition}`).run(bytes);
  } finally {
    db.close();
  }
}

/** Returns a hash of a file's bytes. */
export async function hashFile(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
