import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { drainSpool } from "../../../src/storage/drain-spool.ts";
import type { NewInboxItem } from "../../../src/storage/new-inbox-item.ts";
import { openInbox } from "../../../src/storage/open-inbox.ts";
import { putDirectly } from "../../../src/storage/put-directly.ts";
import { writeSpoolFile } from "../../../src/storage/write-spool-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

const item = (number: number): NewInboxItem => ({
  receivedMs: 1_000_000 + number,
  client: "claude-code",
  event: "Stop",
  session: "s-1",
  payload: JSON.stringify({ number, odd: "\u0000\ud800" }),
});
const stored = (key: number, number: number) => ({
  key,
  receivedAt: new Date(1_000_000 + number),
  client: "claude-code",
  event: "Stop",
  session: "s-1",
  payload: { number, odd: "\u0000\ud800" },
});

/** Opens the inbox in another process, puts an item and closes it. */
async function putElsewhere(home: string): Promise<void> {
  const code = `
    const { openInbox } = await import(${JSON.stringify(import.meta.resolve("../../../src/storage/open-inbox.ts"))});
    const inbox = await openInbox(${JSON.stringify(home)});
    await inbox.put([${JSON.stringify(item(2))}]);
    await inbox[Symbol.asyncDispose]();
  `;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
}

describe("the inbox", () => {
  it("gives items in the order in which they came, until they are forgotten", async () => {
    await using dir = await tempDir();
    await using inbox = await openInbox(dir.path);
    for (const number of [1, 2, 3]) putDirectly(dir.join("store.db"), item(number), { withinMs: 1000 });
    expect(await inbox.take(2)).toEqual([stored(1, 1), stored(2, 2)]);
    expect(await inbox.take(2)).toEqual([stored(1, 1), stored(2, 2)]);
    expect(await inbox.take(2, 1)).toEqual([stored(2, 2), stored(3, 3)]);
    await inbox.forget([1, 2]);
    expect(await inbox.take(2)).toEqual([stored(3, 3)]);
  });

  it("holds a connection, with its locks, beside whoever opens the store in the same process", async () => {
    await using dir = await tempDir();
    await (await openInbox(dir.path))[Symbol.asyncDispose]();
    putDirectly(dir.join("store.db"), item(1), { withinMs: 1000, holds: true });
    await (await openInbox(dir.path))[Symbol.asyncDispose]();
    // The last one to close a store merges its WAL; this process has it open still.
    await putElsewhere(dir.path);
    expect(await readdir(dir.path)).toContain("store.db-wal");
    await using inbox = await openInbox(dir.path);
    expect((await inbox.take(9)).map(({ key }) => key)).toEqual([1, 2]);
  });

  it("never gives a key twice", async () => {
    await using dir = await tempDir();
    await using inbox = await openInbox(dir.path);
    await inbox.put([item(1), item(2)]);
    await inbox.forget([1, 2]);
    await inbox.put([item(3)]);
    expect(await inbox.take(9)).toEqual([stored(3, 3)]);
  });

  it("takes the same item once", async () => {
    await using dir = await tempDir();
    await using inbox = await openInbox(dir.path);
    await inbox.put([item(1)]);
    await inbox.put([item(1), item(2)]);
    expect(await inbox.take(9)).toEqual([stored(1, 1), stored(2, 2)]);
  });
});

describe("a hook", () => {
  it("is told that its item is not stored when the store is deleted while it waits", async () => {
    await using dir = await tempDir();
    await (await openInbox(dir.path))[Symbol.asyncDispose]();
    const path = JSON.stringify(dir.join("store.db"));
    const code = `
      const db = new (require("node:sqlite").DatabaseSync)(${path});
      db.exec("BEGIN IMMEDIATE");
      console.log("held");
      setTimeout(() => { require("node:fs").rmSync(${path}); db.exec("COMMIT"); }, 300);
    `;
    const child = spawn(process.execPath, ["--eval", code]);
    await once(child.stdout, "data");
    expect(() => putDirectly(dir.join("store.db"), item(1), { withinMs: 20_000 })).toThrow();
    await once(child, "close");
  });
});

describe("draining the spool", () => {
  it("does nothing where there is none", async () => {
    await using dir = await tempDir();
    expect(await drainSpool(dir.path)).toEqual({ items: 0, rejected: [] });
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("moves the items into the inbox, oldest first", async () => {
    await using dir = await tempDir();
    for (const number of [3, 1, 2]) writeSpoolFile(dir.path, item(number));
    expect(await drainSpool(dir.path)).toEqual({ items: 3, rejected: [] });
    await using inbox = await openInbox(dir.path);
    expect(await inbox.take(9)).toEqual([stored(1, 1), stored(2, 2), stored(3, 3)]);
    expect(await readdir(dir.join("spool"))).toEqual([]);
  });

  it("adds nothing twice when it was killed between the store and the file", async () => {
    await using dir = await tempDir();
    writeSpoolFile(dir.path, item(1));
    await using inbox = await openInbox(dir.path);
    await inbox.put([item(1)]);
    expect(await drainSpool(dir.path)).toEqual({ items: 1, rejected: [] });
    expect(await inbox.take(9)).toEqual([stored(1, 1)]);
  });

  it("puts aside what is no item and goes on", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("spool"));
    const bad = {
      "1.json": '{"version":1,',
      "2.json": '{"version":2}',
      "3.json": '{"version":1,"receivedMs":1}',
      "4.json": "null",
    };
    for (const [name, content] of Object.entries(bad)) await writeFile(dir.join("spool", name), content);
    writeSpoolFile(dir.path, item(1));
    const rejected = (name: string, reason: string) => ({ file: dir.join("spool", name), reason });
    const drained = await drainSpool(dir.path);
    expect(drained.items).toBe(1);
    expect(drained.rejected.toSorted((a, b) => a.file.localeCompare(b.file))).toEqual([
      rejected("1.json.rejected", "it is not JSON"),
      rejected("2.json.rejected", "it is not of version 1"),
      rejected("3.json.rejected", "it lacks a field"),
      rejected("4.json.rejected", "it is not of version 1"),
    ]);
    expect(await readFile(dir.join("spool", "1.json.rejected"), "utf8")).toBe('{"version":1,');
    expect(await drainSpool(dir.path)).toEqual({ items: 0, rejected: [] });
  });

  it("removes what a killed hook began long ago, and leaves what is being written", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("spool"));
    for (const name of [".old.json.tmp", ".new.json.tmp"]) await writeFile(dir.join("spool", name), "{");
    await utimes(dir.join("spool", ".old.json.tmp"), 1, 1);
    expect(await drainSpool(dir.path)).toEqual({ items: 0, rejected: [] });
    expect(await readdir(dir.join("spool"))).toEqual([".new.json.tmp"]);
  });
});
