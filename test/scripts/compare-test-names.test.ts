import { expect, it } from "vitest";
import { compareTestNames } from "../../scripts/compare-test-names.ts";

const test = (projectName: string, name: string) => ({ projectName, name });

it("tells tests that were added, removed and moved to another project, and no others", () => {
  const before = [
    test("unit", "a stays"),
    test("unit", "b goes"),
    test("unit", "c moves"),
    test("unit", "d is there twice"),
    test("unit", "d is there twice"),
  ];
  const after = [
    test("faults", "c moves"),
    test("unit", "a stays"),
    test("unit", "d is there twice"),
    test("unit", "e comes"),
  ];
  expect(compareTestNames(before, after)).toEqual([
    "+ unit: e comes",
    "- unit: b goes",
    "- unit: d is there twice",
    "> unit to faults: c moves",
  ]);
});
