import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeKeywordScanner } from "../../src/redaction/keyword-scanner.ts";

function scan(keywords: readonly string[], text: string): readonly string[] {
  const found: string[] = [];
  makeKeywordScanner(keywords)(text, (keyword, start) => found.push(`${keywords[keyword]}@${start}`));
  return found;
}

/** Finds the same by looking for each keyword at each place. */
function search(keywords: readonly string[], text: string): readonly string[] {
  const lower = text.toLowerCase();
  return Array.from(text, (_, start) => start).flatMap((start) =>
    keywords.filter((keyword) => lower.startsWith(keyword, start)).map((keyword) => `${keyword}@${start}`),
  );
}

describe("keyword scanner", () => {
  it("finds keywords that overlap, in the order in which they end", () => {
    expect(scan(["she", "he", "hers", "his"], "ushers")).toEqual(["she@1", "he@2", "hers@2"]);
  });

  it("finds keywords in capital letters", () => {
    expect(scan(["token", "sk-"], "TOKEN=Sk-1")).toEqual(["token@0", "sk-@6"]);
  });

  it("passes over characters beyond ASCII", () => {
    expect(scan(["key"], "ключ key 鍵 ke\u0301y key")).toEqual(["key@5", "key@16"]);
  });

  it("finds nothing without keywords", () => {
    expect(scan([], "text")).toEqual([]);
  });

  it("finds what looking for each keyword at each place finds", () => {
    const letters = fc.constantFrom("a", "b", "c", "-", "A", "é");
    const keyword = fc.array(fc.constantFrom("a", "b", "c", "-"), { minLength: 1, maxLength: 4 });
    const keywords = fc.uniqueArray(
      keyword.map((parts) => parts.join("")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(keywords, fc.array(letters, { maxLength: 40 }), (words, parts) => {
        const text = parts.join("");
        expect(scan(words, text).toSorted()).toEqual(search(words, text).toSorted());
      }),
    );
  });

  it("refuses keywords of too many different characters", () => {
    const keywords = Array.from({ length: 64 }, (_, index) => String.fromCharCode(33 + index));
    expect(() => makeKeywordScanner(keywords)).toThrow(RangeError);
  });
});
