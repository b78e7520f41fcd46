import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  callBlock,
  noteBlock,
  outcomeBlock,
  previewBlock,
  promptBlock,
  replyBlock,
  summaryBlock,
  thinkingBlock,
} from "../../../src/cli/chat/terminal/blocks.ts";
import { toPrintable } from "../../../src/lib/printable.ts";
import { makeStyle } from "../../../src/lib/style.ts";
import { textWidth } from "../../../src/lib/terminal-text.ts";

const plain = makeStyle({ colors: false });
const colored = makeStyle({ colors: true });

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\u001B[31m", "\u001B]8;;x\u0007", "\u202E", "\u200B", "\r", "\u009B2J", "\u0000"),
      fc.constantFrom("# ", "- ", "```\n", "| a |\n|---|\n", "[a](b)", "<b>", "&#27;", "\\", "\n", "\t", " "),
      fc.constantFrom("word", "ログイン", "👩‍👧", "**bold**", "`code`", "$x$", "> "),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(""));

const makers = {
  prompt: (text: string) => promptBlock(text, colored),
  reply: (text: string) => replyBlock(text, colored),
  thinking: (text: string) => thinkingBlock(text, colored),
  call: (text: string) => callBlock(text, colored),
  outcome: (text: string) => outcomeBlock({ output: text, failed: false }, colored),
  preview: (text: string) => previewBlock(text, colored),
  summary: (text: string) => summaryBlock(text, colored),
};

/** Takes off the colours, which are ours. */
function uncolored(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
  return line.replace(/\u001B\[[\d;]*m/g, "");
}

describe("what is printed", () => {
  it.each(Object.entries(makers))(
    "of a %s has nothing that acts on a terminal but our colours",
    (_name, make) => {
      fc.assert(
        fc.property(anyText, fc.integer({ min: 20, max: 100 }), (text, width) => {
          for (const line of make(text)(width)) {
            expect(line).not.toContain("\n");
            expect(toPrintable(uncolored(line))).toBe(uncolored(line));
          }
        }),
      );
    },
  );

  it("of what a person is asked about is all of it, however long", () => {
    const command = [...Array.from({ length: 600 }, (_, at) => `echo ${at}`), "x".repeat(40_000)].join("\n");
    expect(previewBlock(command, plain)(80).join("").replace(/\s/g, "")).toBe(command.replace(/\s/g, ""));
  });

  it.each([
    {
      case: "what a person said behind a mark, and folds a long paste",
      block: promptBlock(Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n"), plain),
      lines: ["> line 0", ...Array.from({ length: 19 }, (_, index) => `  line ${index + 1}`)],
    },
    {
      case: "what a tool answered with its beginning and its end",
      block: outcomeBlock({ output: "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n\n", failed: false }, plain),
      lines: [
        "  ← 1",
        "    2",
        "    3",
        "    4",
        "    … 2 more lines",
        "    7",
        "    8",
        "    9",
        "    10",
        "",
      ],
    },
    {
      case: "a failure as one",
      block: outcomeBlock({ output: "", failed: true }, plain),
      lines: ["  ✗ (no output)", ""],
    },
    {
      case: "a long line in rows that fit",
      block: noteBlock("one two three four five six", (text) => text),
      lines: ["one two three four", "five six", ""],
    },
    {
      case: "thinking as such",
      block: thinkingBlock("I wonder.", plain),
      lines: ["thinking: I wonder.", ""],
    },
    {
      case: "where a link leads",
      block: replyBlock("[good](https://evil.example)", plain),
      lines: ["good", "(https://evil.exampl", "e)", ""],
    },
  ])("shows $case", ({ block, lines }) => {
    expect(block(20).slice(0, lines.length)).toEqual(lines);
  });

  it("fits the width, whatever the script", () => {
    const text =
      "ログインのトークンを比較しています。 👩‍👧 한국어 텍스트 and a_very_long_word_that_has_no_space";
    for (const make of Object.values(makers)) {
      for (const line of make(text)(30)) expect(textWidth(uncolored(line))).toBeLessThanOrEqual(30);
    }
  });
});
