import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggest } from "../../src/lib/suggest.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";

const commands = [
  "sessions",
  "show",
  "search",
  "save",
  "status",
  "sync",
  "resume",
  "run",
  "export",
  "import",
  "handover",
];

/** The definition, without a table: slow, but plainly right. */
function errorsBetween(one: string, other: string): number {
  if (one === "" || other === "") return one.length + other.length;
  const [oneRest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return errorsBetween(oneRest, otherRest);
  const errors = [
    errorsBetween(oneRest, other),
    errorsBetween(one, otherRest),
    errorsBetween(oneRest, otherRest),
  ];
  const isSwapped = one.length > 1 && one[0] === other[1] && one[1] === other[0];
  if (isSwapped) errors.push(errorsBetween(one.slice(2), other.slice(2)));
  return 1 + Math.min(...errors);
}

describe("suggest", () => {
  it.each([
    ["a letter left out", "sesions", ["sessions"]],
    ["a letter too many", "saave", ["save"]],
    ["a letter mistaken", "rusume", ["resume"]],
    ["two letters swapped", "exprot", ["export"]],
    ["two neighbours swapped in a short word", "shwo", ["show"]],
    ["a letter left out of a short word", "rn", ["run"]],
    ["another case", "STATUS", ["status"]],
    ["the start of a word", "hand", ["handover"]],
    ["the start of several words, the shortest first", "se", ["search", "sessions"]],
    ["the start of a word before a typing error", "sho", ["show"]],
    ["a word that is none of them", "frobnicate", []],
    ["a single letter", "s", []],
    ["nothing", "", []],
  ])("understands %s", (_name, word, expected) => {
    expect(suggest(word, commands)).toEqual(expected);
  });

  it("puts a word that goes on before a word with an error", () => {
    expect(suggest("form", ["from", "format"])).toEqual(["format", "from"]);
  });

  it("puts fewer errors first, and equals in the order given", () => {
    expect(suggest("abcdef", ["abxxef", "abcxef", "xbcdef", "abcdeg"], 9)).toEqual([
      "abcxef",
      "xbcdef",
      "abcdeg",
      "abxxef",
    ]);
  });

  it("returns at most as many as asked for, none of them twice", () => {
    const candidates = ["aab", "aac", "aac", "aad", "aae"];
    expect([
      suggest("aaa", candidates),
      suggest("aaa", candidates, 2),
      suggest("aaa", candidates, 9),
    ]).toEqual([
      ["aab", "aac", "aad"],
      ["aab", "aac"],
      ["aab", "aac", "aad", "aae"],
    ]);
  });

  it("has no suggestion for a word of 65 letters, and one for 64", () => {
    const long = "x".repeat(64);
    expect([suggest(`${long}x`, [`${long}y`]), suggest(long, [`${long.slice(1)}y`])]).toEqual([
      [],
      [`${long.slice(1)}y`],
    ]);
  });

  it("finds a word with any one typing error", () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);
    const slip = fc.constantFrom("drop", "double", "mistake", "swap");
    fc.assert(
      fc.property(word, slip, fc.nat(), (meant, kind, place) => {
        const at = place % (meant.length - 1);
        const [one, two] = [meant.charAt(at), meant.charAt(at + 1)];
        const slips = { drop: two, double: one + one + two, mistake: `?${two}`, swap: two + one };
        const typed = meant.slice(0, at) + slips[kind as keyof typeof slips] + meant.slice(at + 2);
        expect(suggest(typed, ["", "########", meant])).toEqual([meant]);
      }),
    );
  });

  it("counts typing errors as their definition does", () => {
    const word = fc.stringMatching(/^[abc]{2,8}$/);
    fc.assert(
      fc.property(word, word, (typed, meant) => {
        const isNear = errorsBetween(typed, meant) <= Math.max(1, Math.floor(typed.length / 3));
        expect(suggest(typed, [meant])).toEqual(isNear || meant.startsWith(typed) ? [meant] : []);
      }),
      { numRuns: cases(2000) },
    );
  });

  it("answers with candidates only, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        fc.array(fc.string({ unit: anyCharacter })),
        (word, candidates) => {
          const found = suggest(word, candidates);
          expect(found.length).toBeLessThanOrEqual(3);
          expect(candidates).toEqual(expect.arrayContaining(found));
        },
      ),
    );
  });
});
