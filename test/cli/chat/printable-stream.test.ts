import fc from "fast-check";
import { expect, it } from "vitest";
import { PrintableStream } from "../../../src/cli/chat/plain/plain-chat.ts";
import { toPrintable } from "../../../src/lib/printable.ts";
import { cases } from "../../support/cases.ts";

/** What toPrintable looks at, and what stands around it. */
const anyPiece = fc.oneof(
  fc.constantFrom("👩", "\u200D", "👧", "🏽", "\uFE0F", "❤", "1", "\u20E3", "\r", "\n", " ", "\t"),
  fc.constantFrom("語", "\uFE00", "か", "한", "a", "م", "\u200C", "ن", "\u094D", "क", "\u202E", "\u001B[31m"),
  fc.string({ maxLength: 3 }),
);

it("gives what the whole text would give, however it is cut", () => {
  fc.assert(
    fc.property(fc.array(anyPiece, { maxLength: 20 }), (pieces) => {
      const stream = new PrintableStream();
      const shown = pieces.map((piece) => stream.push(piece)).join("") + stream.end();
      expect(shown).toBe(toPrintable(pieces.join("")));
    }),
    { numRuns: cases(2000) },
  );
});

it("lets a word go as soon as the next one begins", () => {
  const stream = new PrintableStream();
  expect([stream.push("Hel"), stream.push("lo wor"), stream.push("ld"), stream.end()]).toEqual([
    "",
    "Hello",
    "",
    " world",
  ]);
});
