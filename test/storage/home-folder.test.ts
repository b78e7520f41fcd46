import { stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/storage/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("the home folder", () => {
  it("is made with the folders above it, for its user alone", async () => {
    await using dir = await tempDir();
    const home = dir.join("a/b/c");
    await (await openStore(home))[Symbol.asyncDispose]();
    const modes = await Promise.all(
      ["a", "a/b", "a/b/c"].map(async (each) => (await stat(dir.join(each))).mode),
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  });

  it("is made once by several at once", async () => {
    await using dir = await tempDir();
    const stores = await Promise.all([1, 2, 3].map(() => openStore(dir.join("a/b"))));
    for (const store of stores) await store[Symbol.asyncDispose]();
    expect((await stat(dir.join("a/b/store.db"))).isFile()).toBe(true);
  });

  it.each(["file", "file/below"])("is refused at %s, where a file is in the way", async (place) => {
    await using dir = await tempDir();
    await writeFile(dir.join("file"), "");
    await expect(openStore(dir.join(place))).rejects.toMatchObject({
      kind: "config",
      code: "home-not-a-folder",
    });
  });

  // Where a folder is there and takes none, Node's own way to make folders with their parents never ends.
  it("is refused where no folder can be made", async () => {
    await expect(openStore("/proc/carryon/home")).rejects.toMatchObject({ kind: "io" });
  });
});
