import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { expectReceipts, startWriter } from "../support/store-writers.ts";
import { tempDir } from "../support/temp-dir.ts";

it("stores everything that eight processes append to one session of a store that none of them found", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  const writers = Array.from({ length: 8 }, (_, index) => startWriter(home, "one", `w${index}-`, 50));
  expect(await Promise.all(writers.map((writer) => writer.ended()))).toEqual(writers.map(() => 0));
  const seqs = writers.flatMap((writer) => writer.receipts.map((receipt) => Number.parseInt(receipt, 10)));
  expect(seqs.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 400 }, (_, index) => index + 1),
  );
  await expectReceipts(home, writers);
  expect((await readdir(home)).toSorted()).toEqual(["key", "store.db"]);
});
