import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "../../src/lib/diff-lines.ts";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 12 })
  .map((lines) => lines.join(""));

describe("the difference of two texts", () => {
  it("names the lines that go and those that come", () => {
    expect(diffLines("a\nb\nc\n", "a\nx\nc\ny")).toEqual([
      { sign: "-", number: 2, text: "b\n" },
      { sign: "+", number: 2, text: "x\n" },
      { sign: "+", number: 4, text: "y" },
    ]);
  });

  it("sees a line end that is missing", () => {
    expect(diffLines("a", "a\n")).toEqual([
      { sign: "-", number: 1, text: "a" },
      { sign: "+", number: 1, text: "a\n" },
    ]);
  });

  it("turns the one into the other, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = before.split(/(?<=\n)/).filter((line) => line !== "");
        const diff = diffLines(before, after);
        const gone = new Set(diff.filter(({ sign }) => sign === "-").map(({ number }) => number - 1));
        const kept = lines.filter((_, index) => !gone.has(index));
        for (const { sign, number, text: line } of diff) if (sign === "+") kept.splice(number - 1, 0, line);
        expect(kept.join("")).toBe(after);
      }),
    );
  });
});
