import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isList, itemsOf, parseItems } from "../../../src/handover/list-items.ts";
import { outlineOf, parseStructure } from "../../../src/handover/markdown/outline.ts";
import { readPlainLines } from "../../../src/handover/markdown/plain-line.ts";
import { renderSession } from "../../../src/handover/session/rewrite-session.ts";
import { emptySession } from "../../../src/handover/session-doc.ts";
import { parseBlocks } from "../../../src/lib/markdown/parse-blocks.ts";
import { cases } from "../../support/cases.ts";
import { nastyLines, nastyText } from "../nasty-text.ts";

/** Lines of which most are plain, and many are nearly. */
const words = fc.constantFrom(
  ...["a", "word", "`code`", "**bold**", "#", "##", "1.", "2)", "-", "*", "+", "_", "=", "--", "***", "~~~"],
  ...["<b>", "<!-- x -->", "-->", ">", "\\", "[x]", "```", ":", "\u00a0", "é", "|", "D7"],
);
const leads = fc.constantFrom(
  "",
  "",
  "",
  "- ",
  "* ",
  "1. ",
  "12. ",
  "2) ",
  "# ",
  "### ",
  "  - ",
  " ",
  "    ",
);
const nearlyPlain = fc
  .array(
    fc
      .tuple(leads, fc.array(words, { maxLength: 3 }), fc.constantFrom("", "", " ", "  "))
      .map(([lead, said, end]) => lead + said.join(" ") + end),
    { maxLength: 7 },
  )
  .map((lines) => lines.join("\n"));
const anyText = fc.oneof({ weight: 4, arbitrary: nearlyPlain }, nastyLines, nastyText);

describe("lines that say what they are", () => {
  it("give what the parser of Markdown gives: the same outline, items and list", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bare = text.replace(/^\uFEFF/, "");
        expect(outlineOf(bare)).toMatchObject(parseStructure(bare));
        expect(itemsOf(text)).toEqual(parseItems(text));
        expect(isList(text)).toBe(parseBlocks(text).every(({ type }) => type === "list"));
      }),
      { numRuns: cases(1000) },
    );
  });

  it("are all that a usual session.md has", () => {
    const doc = {
      ...emptySession,
      generated: "2026-01-01",
      goal: "Ship the shop",
      nextAction: "Write the price list",
      added: "1. Prices are whole numbers (D1)\n2. No discounts (D2)",
      modifiedFiles: "- `src/price.ts`\n- `src/list.ts`",
    };
    expect(readPlainLines(renderSession(doc))).toBeDefined();
  });

  it.each([
    { case: "a fence", text: "```\n# no heading\n```" },
    { case: "HTML", text: "<div>\n# no heading" },
    { case: "an underline", text: "Title\n---" },
    { case: "an indented line", text: "- a\n\n      # code" },
    { case: "a tab", text: "-\t# a" },
  ])("are not those of a text with $case", ({ text }) => {
    expect(readPlainLines(text)).toBeUndefined();
  });
});
