import { symlink } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readDecisionNumbers } from "../../../src/handover/decisions/decision-numbers.ts";
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
      const known = await readDecisionNumbers(pathIn(dir));
      const found = new Set(parseDecisions(text).decisions.map(({ seq }) => seq));
      expect(asked.filter((seq) => known.has(seq))).toEqual(asked.filter((seq) => found.has(seq)));
    }),
  );
});

it("knows none where there is no file, and refuses a symbolic link", async () => {
  await using dir = await tempDir();
  expect((await readDecisionNumbers(dir.join("decisions.md"))).has(1)).toBe(false);
  await symlink("elsewhere", dir.join("decisions.md"));
  await expect(readDecisionNumbers(dir.join("decisions.md"))).rejects.toMatchObject({
    code: "symlink-refused",
  });
});
