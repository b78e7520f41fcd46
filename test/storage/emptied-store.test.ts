import { readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { readOrMakeKey } from "../../src/storage/home-folder.ts";
import { backupStore, inspectStore, moveAside, restoreStore } from "../../src/storage/maintenance.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { locateStore, openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { said, start } from "../support/entries.ts";
import { readContent, sayIn } from "../support/store-content.ts";
import { fillStore } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

const corrupt = { kind: "io", code: "store-corrupt", message: expect.stringContaining("it is empty") };

describe("a store that was emptied", () => {
  it("is named and not written over, and can be restored or moved aside", async () => {
    await using dir = await tempDir();
    const home = dir.join("home");
    await fillStore(home);
    await backupStore(home, dir.join("backup.db"), { overwrite: false });
    await truncate(locateStore(home), 0);
    for (const open of [openStore, openStoreForReading, openInbox])
      await expect(open(home)).rejects.toMatchObject(corrupt);
    await expect(backupStore(home, dir.join("2.db"), { overwrite: false })).rejects.toMatchObject(corrupt);
    expect(await inspectStore(home)).toMatchObject({
      ...{ exists: true, sessions: null },
      problems: [
        { what: expect.stringContaining("it is empty"), hint: expect.stringContaining("carryon restore") },
      ],
    });
    expect((await stat(locateStore(home))).size).toBe(0);
    expect(await restoreStore(home, dir.join("backup.db"), start)).toMatchObject({ sessions: 2 });
    expect(await readContent(home)).toHaveLength(2);
    await truncate(locateStore(home), 0);
    await moveAside(home, start);
    expect(await readContent(home)).toEqual([]);
  });

  it.each(["without a key", "with a key that was made after it"])(
    "is taken for one whose first start was killed %s",
    async (how) => {
      await using dir = await tempDir();
      await writeFile(dir.join("store.db"), "", { mode: 0o600 });
      await utimes(dir.join("store.db"), start, start);
      if (how !== "without a key") await readOrMakeKey(dir.path);
      expect(await inspectStore(dir.path)).toMatchObject({ exists: true, schema: 0, problems: [] });
      await sayIn(dir.path, "one", "a", "first");
      expect(await readContent(dir.path)).toHaveLength(1);
    },
  );

  it("is not what a first start makes, not even for a moment", async () => {
    await using dir = await tempDir();
    await readOrMakeKey(dir.path);
    const opening = openStore(dir.path);
    const sizes: number[] = [];
    let isOpen = false;
    const opened = opening.finally(() => {
      isOpen = true;
    });
    while (!isOpen) {
      const found = await stat(dir.join("store.db")).catch(() => undefined);
      if (found !== undefined) sizes.push(found.size);
    }
    await (await opened)[Symbol.asyncDispose]();
    expect(sizes.filter((size) => size === 0)).toEqual([]);
    expect((await readdir(dir.path)).toSorted()).toEqual(["key", "store.db"]);
  });
});

describe("a key that is missing", () => {
  const missing = { kind: "config", code: "key-missing" };

  it("is named where the store has sessions, and everything can still be read", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await rename(dir.join("key"), dir.join("key.bak"));
    await expect(openStore(dir.path)).rejects.toMatchObject({
      ...missing,
      hint: expect.stringContaining("`carryon doctor --new-key`"),
    });
    expect((await inspectStore(dir.path)).problems).toEqual([
      {
        what: expect.stringContaining("key is missing"),
        hint: expect.stringContaining("`carryon doctor --new-key`"),
      },
    ]);
    await using reader = await openStoreForReading(dir.path);
    expect(await Array.fromAsync(reader.log.read(parseSessionId("one")))).toHaveLength(6);
    expect(await readdir(dir.path)).not.toContain("key");
    await rename(dir.join("key.bak"), dir.join("key"));
    await using store = await openStore(dir.path);
    expect(await store.log.append(parseSessionId("one"), [said("a1", "first")])).toMatchObject([
      { isNew: false },
    ]);
  });

  it("is made for a store that has none yet", async () => {
    await using dir = await tempDir();
    await (await openInbox(dir.path))[Symbol.asyncDispose]();
    expect(await readdir(dir.path)).not.toContain("key");
    await (await openStore(dir.path))[Symbol.asyncDispose]();
    await rm(dir.join("key"));
    await (await openStore(dir.path))[Symbol.asyncDispose]();
    expect(await readFile(dir.join("key"))).toHaveLength(32);
  });

  it("is made with a store that is restored in the place of a damaged one", async () => {
    await using dir = await tempDir();
    await fillStore(dir.join("home"));
    await backupStore(dir.join("home"), dir.join("backup.db"), { overwrite: false });
    await writeFile(locateStore(dir.join("home")), "Dear diary");
    await rm(dir.join("home", "key"));
    await restoreStore(dir.join("home"), dir.join("backup.db"), start);
    expect(await readContent(dir.join("home"))).toHaveLength(2);
  });
});
