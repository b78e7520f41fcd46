import { expect, it } from "vitest";
import { isDeeperThan } from "../../src/lib/json.ts";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

it.each([
  { value: 1, levels: 0, answer: false },
  { value: {}, levels: 0, answer: false },
  { value: { a: 1 }, levels: 0, answer: true },
  { value: { a: [1] }, levels: 2, answer: false },
  { value: { a: [{ b: null }] }, levels: 2, answer: true },
  { value: [[], [[]], "text"], levels: 2, answer: false },
  { value: [[], [[]], "text"], levels: 1, answer: true },
  { value: nested(65), levels: 64, answer: false },
  { value: nested(66), levels: 64, answer: true },
  { value: nested(100_000), levels: 64, answer: true },
])("counts the levels of a value: $levels, $answer", ({ value, levels, answer }) => {
  expect(isDeeperThan(value, levels)).toBe(answer);
});
