import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanTexts } from "../../../src/storage/search/scan-texts.ts";
import { listIdentifiers, listTerms } from "../../../src/storage/search/terms.ts";
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
        const terms = texts.map((text) => listTerms(text).map((term) => term.text));
        const runs = texts.flatMap((text) => listIdentifiers(text, listTerms(text)));
        // An identifier that stands there twice is taken apart once.
        const identifiers = new Set(runs.map((run) => run.map((term) => term.text).join(" ")));
        const scanned = scanTexts(texts).map(divide);
        if (terms.flat().length === 0) {
          expect(scanned).toEqual([]);
          return;
        }
        expect(scanned.slice(0, texts.length)).toEqual(terms);
        const words = scanned.slice(texts.length).map((each) => each.join(" "));
        expect(words.toSorted()).toEqual([...identifiers].toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it("hands on what is ASCII as it is, and says each identifier once", () => {
    expect(scanTexts(["The the readEntries of readEntries", "Naïve — the"])).toEqual([
      ...["The the readEntries of readEntries", "naive   the", "read entries"],
    ]);
  });
});
