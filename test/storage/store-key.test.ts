import { readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { readOrMakeKey } from "../../src/storage/home-folder.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { startChild } from "../support/child.ts";
import { said } from "../support/entries.ts";
import { fillStore } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("the key of a store", () => {
  it("is made once, 32 bytes for its owner only, and nothing is left beside it", async () => {
    await using dir = await tempDir();
    const key = await readOrMakeKey(dir.path);
    expect(await readOrMakeKey(dir.path)).toEqual(key);
    expect([key.length, await readdir(dir.path)]).toEqual([32, ["key"]]);
    expect((await stat(dir.join("key"))).mode & 0o777).toBe(0o600);
    await using other = await tempDir();
    expect(await readOrMakeKey(other.path)).not.toEqual(key);
  });

  it("is the same for all who make it at once", async () => {
    await using dir = await tempDir();
    const keys = await Promise.all(Array.from({ length: 8 }, () => readOrMakeKey(dir.path)));
    expect(keys).toEqual(keys.map(() => keys[0]));
    expect(await readdir(dir.path)).toEqual(["key"]);
  });

  it("is the same for eight processes that make it at once", async () => {
    await using dir = await tempDir();
    const children = Array.from({ length: 8 }, () => startChild("store-key-child.ts", dir.path));
    for (const child of children) expect(await child.next()).toBe("ready");
    const keys = await Promise.all(children.map((child) => child.ask("now")));
    const key = (await readFile(dir.join("key"))).toString("hex");
    expect(keys).toEqual(Array.from({ length: 8 }, () => key));
    expect(await readdir(dir.path)).toEqual(["key"]);
  });

  it("is refused when it is damaged, and left as it is", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("key"), "short");
    await expect(readOrMakeKey(dir.path)).rejects.toMatchObject({ kind: "config", code: "key-damaged" });
    expect(await readFile(dir.join("key"), "utf8")).toBe("short");
    await truncate(dir.join("key"), 0);
    await expect(openStore(dir.path)).rejects.toMatchObject({ code: "key-damaged" });
  });

  it("may be lost: what was stored under it is still known when it comes again", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await writeFile(dir.join("key"), new Uint8Array(32));
    await using store = await openStore(dir.path);
    const one = parseSessionId("one");
    expect(await store.log.append(one, [said("a1", "first")])).toEqual([{ seq: 1, id: "a1", isNew: false }]);
    await expect(store.log.append(one, [said("a1", "other")])).rejects.toMatchObject({
      code: "entry-conflict",
    });
  });
});
