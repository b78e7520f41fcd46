import fc from "fast-check";
import { expect, it } from "vitest";
import { makeFactualAnswer } from "../../src/mcp/answer.ts";
import { cutText, mostCharacters, quote } from "../../src/memory/quote.ts";

const text = fc.array(fc.constantFrom("`", "```", "\n", "~~~", "a", "text", "\u202e", "𝒳"), {
  maxLength: 60,
});

it("quotes any text in a fence that is longer than every row of backticks in it", () => {
  fc.assert(
    fc.property(text, (pieces) => {
      const lines = quote("Said.", `x${pieces.join("")}`).split("\n");
      const fence = lines[4]?.replace("text", "") ?? "";
      expect([lines[0], lines.at(-1)]).toEqual(["Said.", fence]);
      for (const line of lines.slice(5, -1)) expect(line).not.toContain(fence);
    }),
  );
});

it("says how much it has cut", () => {
  expect(quote("Said.", "y".repeat(mostCharacters + 7))).toMatch(
    /y\n```\n\[7 more characters are left out\]$/,
  );
});

it("says nothing of a quotation where there is nothing to quote", () => {
  expect(quote("Said.", " \n")).toBe("Said.");
});

it("never cuts a character in half", () => {
  fc.assert(
    fc.property(text, fc.nat(20), (pieces, length) => {
      const whole = pieces.join("");
      const kept = cutText(whole, length);
      expect([
        kept.isWellFormed(),
        whole.startsWith(kept),
        kept.length >= Math.min(length, whole.length) - 1,
      ]).toEqual([true, true, true]);
    }),
  );
});

it("keeps the facts of an answer short, printable and free of secrets", () => {
  const secret = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
  const facts = {
    list: Array.from({ length: 300 }, (_, index) => index),
    long: "z".repeat(5_000),
    hidden: "\u202e",
    secret,
  };
  expect(makeFactualAnswer("Said.", facts).structuredContent).toEqual({
    list: facts.list.slice(0, 100),
    long: "z".repeat(2_000),
    hidden: "<U+202E>",
    secret: expect.stringMatching(/^\[redacted:/),
  });
});
