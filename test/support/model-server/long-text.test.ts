import fc from "fast-check";
import { expect, it } from "vitest";
import { longText } from "./long-text.ts";

const wordsOf = (text: string) => text.split(/\s+/);

it("has as many words as asked for, and ends with a full stop", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), (count) => {
      expect(wordsOf(longText(count))).toHaveLength(count);
      expect(longText(count)).toMatch(/^[A-Z].*\.$/s);
    }),
  );
});

it("begins as a shorter one does", () => {
  const [short, long] = [60, 400].map(longText) as [string, string];
  expect(long.startsWith(short)).toBe(true);
  expect(long.split("\n\n")).toHaveLength(7);
});
