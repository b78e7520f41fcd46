import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findAnnotations, listCriteria, readAnnotations } from "../scripts/render-traceability.ts";

/** How many criteria each part of a seed has; `E` is its table of errors. */
const seeds = [
  { 1: 6, 2: 7, 3: 6, 4: 7, 5: 7, 6: 9, 7: 6, E: 6 },
  { 1: 1, 2: 1, 3: 3, 4: 4, 5: 4, 6: 3, 7: 5, 8: 4, 9: 5, 10: 7, 11: 4, 12: 5 },
  { 1: 10, 2: 6, 3: 6, 4: 4, 5: 4, 6: 3, 7: 4, 8: 4, 9: 3, 10: 7 },
  { 1: 3, 2: 5, 3: 4, 4: 7, 5: 8, 6: 6, 7: 5, 8: 6, 9: 6, 10: 6, 11: 4, 12: 5 },
  { 1: 2, 2: 3, 3: 6, 4: 4, 5: 7 },
].map((parts, seed) => ({ seed, ids: Object.entries(parts).flatMap(([part, count]) => idsOf(part, count)) }));

function idsOf(part: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${part}.${index + 1}`);
}

const annotations = readAnnotations();
const rows = listCriteria(readFileSync("docs/traceability.md", "utf8"));

describe.each(seeds)("each criterion of seed $seed", ({ seed, ids }) => {
  it("has a row in docs/traceability.md, in order", () => {
    expect(rows.filter((row) => row.seed === seed).map(({ id }) => id)).toEqual(ids);
  });

  it("is held by a test, and tests name no other", () => {
    const held = annotations.filter((each) => each.seed === seed).flatMap(({ criteria }) => criteria);
    expect(new Set(held)).toEqual(new Set(ids));
  });
});

describe("the comments that name criteria", () => {
  it("stand above tests, and name seeds that exist", () => {
    expect(annotations.filter(({ isAboveTest, seed }) => !isAboveTest || seed >= seeds.length)).toEqual([]);
  });

  it("are found with the line below them", () => {
    const text = [
      "  // Seed 0: 1.1, E.2",
      "  // Seed 1: 3.3",
      '  it.each(cases)("holds", () => {});',
      "// Seed 2: 1.1",
      "const held = 1;",
    ].join("\n");
    expect(findAnnotations("cli/save", text)).toEqual([
      { file: "cli/save", seed: 0, criteria: ["1.1", "E.2"], isAboveTest: true },
      { file: "cli/save", seed: 1, criteria: ["3.3"], isAboveTest: true },
      { file: "cli/save", seed: 2, criteria: ["1.1"], isAboveTest: false },
    ]);
  });
});
