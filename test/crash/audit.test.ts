import { expect, it } from "vitest";
import { findProblems } from "../support/store-audit.ts";
import { startWriter } from "../support/store-writers.ts";
import { tempDir } from "../support/temp-dir.ts";

it("the check of these tests notices what is lost, elsewhere, or was never written", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await startWriter(home, "one", "w-", 3).ended();
  const check = async (...receipts: readonly string[]) =>
    (await findProblems(home, [{ session: "one", prefix: "w-", receipts }])).map(
      ({ kind, what }) => `${kind} ${what}`,
    );
  expect(await check("1 w-1", "2 w-2", "3 w-3")).toEqual([]);
  expect(await check("1 w-1", "2 w-2")).toEqual([]);
  expect(await check("1 w-1")).toEqual(["neverWritten 3 w-3"]);
  expect(await check("1 w-1", "2 w-2", "3 w-3", "4 w-4")).toEqual(["lost 4 w-4"]);
  expect(await check("1 w-1", "3 w-2", "3 w-3")).toEqual(["lost 3 w-2"]);
});

it("the check of these tests notices entries of a writer that are not in order", async () => {
  await using dir = await tempDir();
  const home = dir.join("home");
  await startWriter(home, "one", "w-", 12).ended();
  // Read as those of a writer w-1, its entries have the numbers none, 0, 1 and 2.
  const found = await findProblems(home, [
    { session: "one", prefix: "w-1", receipts: ["1 w-1", "10 w-10", "11 w-11", "12 w-12"] },
  ]);
  expect(found.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    "orderErrors w-10",
    "orderErrors w-10",
    "orderErrors w-11",
    "orderErrors w-12",
  ]);
});
