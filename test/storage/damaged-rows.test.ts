import { describe, expect, it } from "vitest";
import { mainStrand, parseSessionId } from "../../src/sessions/ids.ts";
import { openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { collect, newFork, said } from "../support/entries.ts";
import { fillStore, tamper } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

const [one, two] = [parseSessionId("one"), parseSessionId("two")];

describe("what is damaged in a store", () => {
  it.each([
    { sql: "UPDATE entry SET at_ms = 'noon' WHERE session_key = 1 AND seq = 5", code: "entry-damaged" },
    {
      sql: "UPDATE entry SET at_ms = 8640000000000001 WHERE session_key = 1 AND seq = 5",
      code: "entry-damaged",
    },
    { sql: "UPDATE entry SET id = x'6135' WHERE session_key = 1 AND seq = 5", code: "entry-damaged" },
    {
      sql: "UPDATE body SET json = '{' WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 6)",
      code: "entry-damaged",
    },
    {
      sql: "UPDATE body SET json = NULL, zstd = x'00' WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 6)",
      code: "entry-damaged",
    },
    {
      sql: "DELETE FROM body WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 6)",
      code: "entry-missing",
    },
    { sql: "DELETE FROM entry WHERE session_key = 1 AND seq = 6", code: "entry-missing" },
  ])("is named by a reader, to whom the others stay readable, after $sql", async ({ sql, code }) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, sql);
    await using store = await openStoreForReading(dir.path);
    await expect(collect(store.log.read(one))).rejects.toMatchObject({
      kind: "io",
      code,
      message: expect.stringMatching(/^Entry [56] of session one is /),
    });
    expect(await collect(store.log.read(one, { to: 4 }))).toHaveLength(4);
    expect(await collect(store.log.read(two))).toHaveLength(6);
  });

  it.each([{}, { strand: mainStrand }])("costs nothing of what comes before it: %j", async (range) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    // The engine refuses every answer that has this row in it.
    tamper(dir.path, "UPDATE entry SET at_ms = 9007199254740993 WHERE session_key = 1 AND seq = 5");
    await using store = await openStoreForReading(dir.path);
    const ids: string[] = [];
    const reading = (async () => {
      for await (const entry of store.log.read(one, range)) ids.push(entry.id);
    })();
    await expect(reading).rejects.toMatchObject({ kind: "io", code: "store-corrupt" });
    expect(ids).toEqual(["a1", "a2", "a3", "a4"]);
  });

  it.each([
    "UPDATE session SET tag_facts = '[' WHERE key = 1",
    "UPDATE session SET title = x'00' WHERE key = 1",
    "UPDATE session SET started_ms = 8640000000000001 WHERE key = 1",
    "UPDATE session_head SET updated_ms = 'today' WHERE session_key = 1",
    "UPDATE session_head SET head_hash = 'abc' WHERE session_key = 1",
    "UPDATE session SET base_seq = 1 WHERE key = 1",
  ])("is named when it is the record of a session: %s", async (sql) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, sql);
    await using store = await openStoreForReading(dir.path);
    await expect(collect(store.log.read(one))).rejects.toMatchObject({
      kind: "io",
      code: "session-damaged",
      message: "The record of session one is damaged.",
    });
  });

  it("is named beside the other sessions in a list, and thrown when it alone is asked for", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, "UPDATE session SET title = x'00' WHERE key = 1");
    await using store = await openStoreForReading(dir.path);
    const { sessions, damaged } = await store.log.list();
    expect([sessions.map(({ id }) => id), damaged]).toEqual([["two"], ["one"]]);
    await expect(store.log.list({ id: one })).rejects.toMatchObject({ code: "session-damaged" });
  });

  it("is reported when it is the record of a session that is verified", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, "UPDATE session SET tag_facts = '[' WHERE key = 1");
    await using store = await openStoreForReading(dir.path);
    const reason = "The record of session one is damaged.";
    expect(await store.log.verify(one)).toEqual({
      ...{ session: "one", entries: 0, head: null, scrubbed: 0 },
      problem: { seq: 0, entry: null, reason },
    });
  });

  it("is left out of pages that go on after it", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, "UPDATE session SET title = x'00'");
    await using store = await openStoreForReading(dir.path);
    const first = await store.log.list({ limit: 1 });
    const second = await store.log.list({ limit: 1, cursor: first.next ?? "" });
    expect([...first.damaged, ...second.damaged].toSorted()).toEqual(["one", "two"]);
    expect(second.next).toBeNull();
  });

  it.each([
    {
      sql: "UPDATE session_head SET head_seq = 4 WHERE session_key = 1",
      what: "whose end was moved back",
      code: "session-damaged",
    },
    { sql: "DROP TABLE strand", what: "that lost a table", code: "store-corrupt" },
  ])("is not written to: a session $what", async ({ sql, code }) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    tamper(dir.path, sql);
    await using store = await openStore(dir.path);
    const entry = { ...said("new", "text"), strand: "other" as never };
    await expect(store.log.append(one, [entry])).rejects.toMatchObject({ kind: "io", code });
    expect(await collect(store.log.read(one, { to: 4 }))).toHaveLength(4);
  });
});

it("stores nothing under a date that is none", async () => {
  await using dir = await tempDir();
  await fillStore(dir.path);
  await using store = await openStore(dir.path);
  const never = new Date("never");
  await expect(store.log.append(one, [said("new", "text", { at: never })])).rejects.toThrow(RangeError);
  await expect(store.log.fork({ ...newFork("three"), startedAt: never })).rejects.toThrow(RangeError);
  await expect(store.log.delete(one, never)).rejects.toThrow(RangeError);
  expect(await collect(store.log.read(one))).toHaveLength(6);
});
