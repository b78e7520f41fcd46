import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPrintable } from "../../src/lib/printable.ts";
import { padEnd, padStart, textWidth, truncate, wrap } from "../../src/lib/terminal-text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const clustersOf = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);

const words = fc.constantFrom(
  ..."a,word,supercalifragilistic, ,   ,\t,日本,語。,「,한국어,ｱﾞ,👨‍👩‍👧‍👦,🇩🇪,e\u0301,क्षि,नि,ก็,ᄀ,ᆨ,…,é".split(
    ",",
  ),
);
const anyLine = fc.oneof(
  fc.array(words, { maxLength: 20 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }).map((text) => toPrintable(text).replaceAll("\n", "")),
);
const anyText = fc.array(anyLine, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));

describe("textWidth", () => {
  it.each([
    ["", 0],
    ["plain ~", 7],
    ["日本語", 6],
    ["한국어", 6],
    ["ｶﾞ", 2],
    ["é", 1],
    ["e\u0301", 1],
    ["👨‍👩‍👧‍👦", 2],
    ["🇩🇪", 2],
    ["1️⃣", 2],
    ["\u001B[31mred\u001B[39m", 3],
  ])("counts %j as %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe("truncate", () => {
  it.each([
    ["hello", 5, "hello"],
    ["hello", 4, "hel…"],
    ["hello", 1, "…"],
    ["hello", 0, ""],
    ["hello", -3, ""],
    ["", 0, ""],
    ["key [redacted:github-token:1f3a9c07] is old", 44, "key [redacted:github-token:1f3a9c07] is old"],
    ["key [redacted:github-token:1f3a9c07] is old", 40, "key [redacted:github-token:1f3a9c07] is…"],
    ["key [redacted:github-token:1f3a9c07] is old", 36, "key …"],
    ["鍵 [redacted:github-token:1f3a9c07] is old", 8, "鍵 …"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["日本語", 2, "…"],
    ["a👨‍👩‍👧‍👦b", 3, "a…"],
    ["a👨‍👩‍👧‍👦b", 4, "a👨‍👩‍👧‍👦b"],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ])("cuts %j to %i columns", (text, width, cut) => {
    expect(truncate(text, width)).toBe(cut);
  });

  it("is never over the width, and keeps whole clusters from the start", () => {
    fc.assert(
      fc.property(anyLine, fc.nat(30), (text, width) => {
        const cut = truncate(text, width);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        if (cut === text || cut === "") return;
        const clusters = clustersOf(text);
        const starts = clusters.map((_, count) => clusters.slice(0, count).join(""));
        expect(cut.endsWith("…")).toBe(true);
        expect(starts).toContain(cut.slice(0, -1));
      }),
      { numRuns: cases(2000) },
    );
  });

  it("leaves a text that fits as it is, and cuts one that does not", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 30 }), (text, width) => {
        expect(truncate(text, width) === text).toBe(textWidth(text) <= width);
      }),
      { numRuns: cases(2000) },
    );
  });
});

describe("padEnd and padStart", () => {
  it.each([
    ["ab", 4, "ab  ", "  ab"],
    ["日本", 5, "日本 ", " 日本"],
    ["abc", 2, "abc", "abc"],
    ["abc", -1, "abc", "abc"],
  ])("fill %j to %i columns", (text, width, end, start) => {
    expect([padEnd(text, width), padStart(text, width)]).toEqual([end, start]);
  });

  it("add exactly the columns that are missing", () => {
    fc.assert(
      fc.property(anyLine, fc.nat(60), (text, width) => {
        const spaces = " ".repeat(Math.max(0, width - textWidth(text)));
        expect([padEnd(text, width), padStart(text, width)]).toEqual([text + spaces, spaces + text]);
      }),
    );
  });

  it("end at the width as it is measured", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 10 }), fc.nat(60), (parts, width) => {
        const text = parts.join("").replaceAll("\t", "");
        expect(textWidth(padEnd(text, width))).toBe(Math.max(width, textWidth(text)));
      }),
    );
  });
});

describe("wrap", () => {
  it.each([
    ["breaks at spaces", "the quick brown fox", 10, "the quick\nbrown fox"],
    ["fills a line to the last column", "the quick brown", 9, "the quick\nbrown"],
    ["breaks a word only when it is longer than a line", "a abcdefghijkl b", 5, "a\nabcde\nfghij\nkl b"],
    ["keeps line breaks and empty lines", "one\n\ntwo\n", 10, "one\n\ntwo\n"],
    ["keeps the space that a line starts with", "    if (x) return y;", 12, "    if (x)\nreturn y;"],
    ["drops space where it breaks and at the end", "one    two   ", 5, "one\ntwo"],
    ["drops space at the end of a short line", "one  ", 10, "one"],
    ["leaves a line of spaces empty", "a\n      \nb", 3, "a\n\nb"],
    ["leaves no empty line for space wider than the line", "            x", 5, "x"],
    ["turns tabs into spaces", "a\tb\n\tc", 20, "a       b\n        c"],
    ["counts a tab from where it stands", "a\tbc\td", 20, "a       bc      d"],
    ["breaks Chinese anywhere", "日本語日本語", 5, "日本\n語日\n本語"],
    ["breaks between Latin and Chinese", "word日本 x", 6, "word日\n本 x"],
    ["breaks before the first Chinese character", "xx word日", 8, "xx word\n日"],
    ["breaks after the last Chinese character", "日word x", 5, "日\nword\nx"],
    ["breaks Korean anywhere", "ab 한국어", 7, "ab 한국\n어"],
    ["breaks between emoji", "ab 😀😀😀", 7, "ab 😀😀\n😀"],
    ["breaks at a space before a closing mark", "日本 。", 4, "日本\n。"],
    ["leaves closing marks with what they close", "日本語。", 6, "日本\n語。"],
    ["leaves opening marks with what they open", "日本「語」", 6, "日本\n「語」"],
    ["does not divide a word whose letters are wide", "कि निनि", 4, "कि\nनिनि"],
    ["does not divide a cluster", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦\n👨‍👩‍👧‍👦"],
    ["gives two columns at least", "abcd", 0, "ab\ncd"],
  ])("%s", (_name, text, width, wrapped) => {
    expect(wrap(text, width)).toBe(wrapped);
  });

  it("starts each line with the indent, within the width", () => {
    expect(wrap("the quick brown\n\nfox", 9, "│ ")).toBe("│ the\n│ quick\n│ brown\n│\n│ fox");
  });

  it("makes no line wider than the width", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 30 }), (text, width) => {
        const tooWide = wrap(text, width, "> ")
          .split("\n")
          .filter((line) => textWidth(line) > width);
        expect(tooWide).toEqual([]);
      }),
      { numRuns: cases(3000) },
    );
  });

  it("loses nothing visible", () => {
    const visible = (text: string) => text.replace(/\s/gu, "");
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, width) => {
        expect(visible(wrap(text, width))).toBe(visible(text));
      }),
      { numRuns: cases(3000) },
    );
  });

  it("changes nothing when it wraps again", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, width) => {
        const wrapped = wrap(text, width);
        expect(wrap(wrapped, width)).toBe(wrapped);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("breaks a cluster that is wider than the line", () => {
    const text = `a${"\u093E".repeat(9)}`;
    expect(wrap(text, 4)).toBe(`a${"\u093E".repeat(3)}\n${"\u093E".repeat(4)}\n${"\u093E".repeat(2)}`);
  });
});
