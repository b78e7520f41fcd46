import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeChunks } from "../../../src/storage/search/chunks.ts";
import { gapMark, isCounted, scanTexts } from "../../../src/storage/search/scan-texts.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** Returns the terms of a text as FTS5 divides it. */
function divide(text: string): readonly string[] {
  const found = text.match(/[A-Za-z0-9\u0080-\u{10FFFF}]+/gu) ?? [];
  return found.map((term) => term.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
}

const code = fc.constantFrom(
  ...["readEntries", "src", "HTTPServer", "x1", "2Be", "a", "é", "ßA", "数据", "👍", "42", "İx", "ﬁX"],
  ...[
    "/",
    ".",
    "_",
    "::",
    "->",
    "./",
    " ",
    "\n",
    "—",
    "…",
    "\0",
    "\u001b[31m",
    "x".repeat(60),
    "Ab".repeat(300),
  ],
);
const anyTexts = fc.array(
  fc.oneof(
    fc.array(code, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
  ),
  { maxLength: 3 },
);

describe("scanTexts", () => {
  it("has the terms and the identifiers that are listed one by one, for any texts", () => {
    fc.assert(
      fc.property(anyTexts, (texts) => {
        const listed = makeChunks(texts).flat().filter(Boolean);
        const { text, words, length } = scanTexts(texts);
        const terms = divide(text).filter((term) => term !== gapMark);
        // An identifier that stands there twice is taken apart once.
        expect(terms.slice(0, length)).toEqual(listed.slice(0, length));
        expect(new Set(terms)).toEqual(new Set(listed));
        expect(new Set(words)).toEqual(new Set(listed.filter(isCounted)));
        expect(words).toHaveLength(new Set(words).size);
      }),
      { numRuns: 300 },
    );
  });

  it("says each word of a text once, whatever its case, and counts every term", () => {
    expect(scanTexts(["The the readEntries of 2026", "Naïve — the"])).toEqual({
      text: `The the readEntries of 2026 ${gapMark}  naive    the ${gapMark}  ${gapMark} read entries`,
      words: ["the", "readentries", "read", "entries", "of", "naive"],
      length: 7,
    });
  });
});
