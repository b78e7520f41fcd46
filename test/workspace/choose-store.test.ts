import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { chooseStore } from "../../src/workspace/choose-store.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("the store", () => {
  it("is the file in the home, unless config.yaml names another or an address is given", async () => {
    await using dir = await tempDir();
    const home = dir.path;
    const paths = async () =>
      Promise.all(
        [undefined, "", "postgres://me:pw@one.example.com/x"].map(
          async (store) => (await chooseStore({ home, store })).path,
        ),
      );
    const file = dir.join("store.db");
    expect(await paths()).toEqual([file, file, "one.example.com:5432/x"]);
    await writeFile(dir.join("config.yaml"), "store: postgresql://me@two.example.com:99/y\n");
    const two = "two.example.com:99/y";
    expect(await paths()).toEqual([two, two, "one.example.com:5432/x"]);
  });

  it("is not looked for at an address that is none", async () => {
    await using dir = await tempDir();
    for (const store of ["/tmp/store.db", " ", "sqlite:///x", "localhost:5432/x"])
      await expect(chooseStore({ home: dir.path, store })).rejects.toMatchObject({
        kind: "config",
        code: "bad-store-url",
      });
  });
});
