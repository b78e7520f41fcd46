import { readdir, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { moveAside } from "../../../src/storage/maintenance.ts";
import { locateStore } from "../../../src/storage/open-store.ts";
import { start } from "../../support/entries.ts";
import { readContent, readContentOfFile } from "../../support/store-content.ts";
import { fillStore, hashFile } from "../../support/store-files.ts";
import { startWriter } from "../../support/store-writers.ts";
import { tempDir } from "../../support/temp-dir.ts";

const name = "store.db.aside-20261115T120000000";

describe("moveAside", () => {
  it("gives the store another name, so that a new one begins", async () => {
    await using dir = await tempDir();
    await writeFile(locateStore(dir.path), "Dear diary");
    expect(await moveAside(dir.path, start)).toBe(dir.join(name));
    expect(await readdir(dir.path)).toEqual([name]);
    expect(await readContent(dir.path)).toEqual([]);
  });

  it("takes along what only the WAL holds", async () => {
    await using dir = await tempDir();
    const writer = startWriter(dir.path, "one", "w-");
    while (writer.receipts.length < 5) await writer.next();
    writer.child.kill("SIGKILL");
    await writer.ended();
    expect((await stat(`${locateStore(dir.path)}-wal`)).size).toBeGreaterThan(0);
    const aside = await moveAside(dir.path, start);
    expect((await readdir(dir.path)).toSorted()).toEqual(["key", name, `${name}-shm`, `${name}-wal`]);
    expect(await readContent(dir.path)).toEqual([]);
    const [content] = await readContentOfFile(aside);
    const stored = content?.entries.map((entry) => `${entry.seq} ${entry.id}`);
    expect(stored?.slice(0, writer.receipts.length)).toEqual(writer.receipts);
  });

  it("never replaces what was put aside before", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    const before = await hashFile(locateStore(dir.path));
    await moveAside(dir.path, start);
    await writeFile(locateStore(dir.path), "Dear diary");
    expect(await moveAside(dir.path, start)).toBe(dir.join(`${name}-2`));
    expect(await hashFile(dir.join(name))).toBe(before);
  });
});
