import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { copyIndex, markIndex, swapIndex } from "../../src/git/tree-index.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("an index that cannot be put in its place", () => {
  it("is an error that names the file, when it cannot be copied", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("index"), "index");
    const to = dir.join("x".repeat(300));
    await expect(copyIndex(dir.join("index"), to)).rejects.toMatchObject({ code: "io-failed", path: to });
  });

  it("is an error that names the file, when the lock cannot be made or moved", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("from"), "index");
    const long = dir.join("x".repeat(253));
    await expect(swapIndex(dir.join("from"), long, "none")).rejects.toMatchObject({
      code: "io-failed",
      path: `${long}.lock`,
    });
    const to = dir.join("index");
    await mkdir(to);
    await expect(swapIndex(dir.join("from"), to, await markIndex(to))).rejects.toMatchObject({
      code: "io-failed",
      path: to,
    });
    await expect(readFile(`${to}.lock`)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
