import { symlink } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NumbersIn } from "../../../src/handover/decisions/decision-numbers.ts";
import { parseDecisions } from "../../../src/handover/decisions/parse-decisions.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { given, pathIn } from "./decide.ts";

const number = fc.nat({ max: 120 });
const anyLine = fc.oneof(
  number.map((seq) => `[2026-11-16T05:00:00Z] D${seq}: USER_DECISION | x`),
  number.map((seq) => `~~[x] D${seq}: USER_DECISION | struck~~`),
  number.map((seq) => `[x]   D0${seq}: あ`),
  number.map((seq) => `[x]D${seq}`),
  number.map((seq) => `- Context: see [1] D${seq} and [x] D${seq}a`),
  number.map((seq) => `[x] D${seq}あ`),
  fc.constantFrom("", "\uFEFF[x] D7: A | b", "[x\r] D8: A | b", "D9", "] D9"),
);
const anyText = fc
  .array(fc.tuple(anyLine, fc.constantFrom("\n", "\r\n", "\r")))
  .map((lines) => lines.flat().join(""));

it("knows exactly the numbers that a reader of all entries finds", async () => {
  await using dir = await tempDir();
  const asked = Array.from({ length: 130 }, (_, seq) => seq);
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      await given(dir, text);
      const known = new NumbersIn(pathIn(dir));
      const found = new Set(parseDecisions(text).decisions.map(({ seq }) => seq));
      expect(asked.filter((seq) => known.has(seq))).toEqual(asked.filter((seq) => found.has(seq)));
    }),
  );
});

describe("a long file", () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  const mention = "[x] D77777 ";
  const text = numbers.map((seq) => `[x] D${seq}: A | b\n- Context: ${mention.repeat(40)}\n\n`).join("");

  it("has its numbers, in whatever order they are asked for", async () => {
    await using dir = await tempDir();
    await given(dir, text);
    const asked = [1000, 999, 500, 1, 2, 501, 1001, 0];
    const known = new NumbersIn(pathIn(dir));
    expect(asked.map((seq) => known.has(seq))).toEqual(asked.map((seq) => numbers.includes(seq)));
  });

  it("has none that is only mentioned, wherever it is read from", async () => {
    await using dir = await tempDir();
    for (let shift = 0; shift < mention.length; shift += 1) {
      await given(dir, text + "x".repeat(shift));
      expect(new NumbersIn(pathIn(dir)).has(77_777)).toBe(false);
    }
  });
});

it("knows none where there is no file, and refuses a symbolic link", async () => {
  await using dir = await tempDir();
  expect(new NumbersIn(dir.join("decisions.md")).has(1)).toBe(false);
  await symlink("elsewhere", dir.join("decisions.md"));
  expect(() => new NumbersIn(dir.join("decisions.md")).has(1)).toThrow(
    expect.objectContaining({ code: "symlink-refused" }),
  );
});
