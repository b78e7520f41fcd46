import fc from "fast-check";
import { expect, it } from "vitest";
import { parseDecisions } from "../../../src/handover/decisions/parse-decisions.ts";
import { withoutNumbers } from "../../../src/handover/decisions/read-decisions.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";
import { given, place } from "./decide.ts";

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

const missingIn = (dir: TempDir, numbers: readonly number[]) => withoutNumbers(place(dir), numbers);

it("are exactly those that a reader of all entries finds", async () => {
  await using dir = await tempDir();
  const asked = Array.from({ length: 130 }, (_, index) => index + 1);
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      await given(dir, text);
      const found = new Set(parseDecisions(text).decisions.map(({ seq }) => seq));
      expect([...(await missingIn(dir, asked))]).toEqual(asked.filter((seq) => !found.has(seq)));
    }),
  );
});

it("are found in a long file, wherever they stand, and not where they are only mentioned", async () => {
  await using dir = await tempDir();
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  const mention = "[x] D77777 ";
  const text = numbers.map((seq) => `[x] D${seq}: A | b\n- Context: ${mention.repeat(40)}\n\n`).join("");
  for (let shift = 0; shift < mention.length; shift += 1) {
    await given(dir, text + "x".repeat(shift));
    expect([...(await missingIn(dir, [1000, 1, 1001, 500, 77_777]))]).toEqual([1001, 77_777]);
  }
});
