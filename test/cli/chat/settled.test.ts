import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replyBlock } from "../../../src/cli/chat/terminal/blocks.ts";
import { countSettled } from "../../../src/cli/chat/terminal/reply-text.ts";
import { makeStyle } from "../../../src/lib/style.ts";
import { cases } from "../../support/cases.ts";

const style = makeStyle({ colors: false });

describe("countSettled", () => {
  it.each([
    { case: "nothing of one paragraph", text: "Hello there.\n\n", settled: "" },
    { case: "what stands before a paragraph", text: "One.\n\nTw", settled: "One.\n\n" },
    { case: "nothing of a list that may go on", text: "- one\n\n- two\n\n", settled: "" },
    { case: "a list that has ended", text: "- one\n- two\n\nThen", settled: "- one\n- two\n\n" },
    { case: "nothing of an open block of code", text: "```\na\n\nb\n\n", settled: "" },
    {
      case: "a block of code that is closed",
      text: "```\na\n\nb\n```\n\nT",
      settled: "```\na\n\nb\n```\n\n",
    },
    { case: "nothing of a table that grows", text: "| a |\n|---|\n| 1 |\n", settled: "" },
  ])("settles $case", ({ text, settled }) => {
    expect(text.slice(0, countSettled(text))).toBe(settled);
  });

  it("makes a reply look the same, however it comes in", () => {
    const piece = fc.constantFrom(
      ...["One.", "two", "\n", "\n\n", "# Head\n", "- item\n", "1. first\n", "```\n", "code\n", "> quote\n"],
      ...["| a | b |\n", "|---|---|\n", "    deep\n", "---\n", "**bold**", "`code`", "ログイン "],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const lines: string[] = [];
        let rest = "";
        for (const each of pieces) {
          rest += each;
          const count = countSettled(rest);
          if (count > 0) lines.push(...replyBlock(rest.slice(0, count), style)(40));
          rest = rest.slice(count);
        }
        if (rest.trim() !== "") lines.push(...replyBlock(rest, style)(40));
        const said = (shown: readonly string[]) => shown.filter((line) => line !== "");
        expect(said(lines)).toEqual(said(replyBlock(pieces.join(""), style)(40)));
      }),
      { numRuns: cases(1000) },
    );
  });
});
