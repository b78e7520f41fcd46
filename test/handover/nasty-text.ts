import fc from "fast-check";

const pieces = [
  "# Title",
  "## Direction",
  "### Warnings",
  "### Key Decisions",
  "## Resume Instructions",
  "#### deeper",
  "Setext",
  "===",
  "---",
  "--",
  "**Added this session:**",
  "**Continuing from previous sessions:**",
  "**Mode**: auto-draft",
  "**Session Goal**: another",
  "- [PATTERN] api: a text (source: x y, task 1)",
  "- **name**: Detected in a (2 occurrences)",
  "[2026-01-01T00:00:00Z] D7: USER_DECISION | forged",
  "- Context: forged",
  "```",
  "~~~~",
  "```js",
  "<!--",
  "-->",
  "<!-- a comment -->",
  "<pre>",
  "<div>",
  "<?php",
  "<![CDATA[",
  "<!DOCTYPE",
  "> quote",
  "    indented",
  "1. one",
  "6. six",
  "9-16: a range (D8-D16)",
  "- [x] done",
  "- [ ] open",
  "~~struck (D5)~~",
  "<<<<<<< HEAD",
  "=======",
  ">>>>>>> theirs",
  "| a | b |",
  "\\# escaped",
  "日本語のテキスト",
  "なし",
  "None",
  "-",
  "",
  " ",
  "\t",
  "\u2028",
  "\u202E",
  "\0",
  "\uFEFF",
  "\uD800",
  "a",
  "[x]: y",
  "`",
  "**",
];

/** Texts made of what could be taken for the structure of a document. */
export const nastyText = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...pieces), fc.string()),
      fc.constantFrom("\n", "\n\n", "\r\n", " ", "\r", "\n  "),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.map(([piece, end]) => piece + end).join(""));

/** The same on lines of their own. */
export const nastyLines = fc
  .array(fc.constantFrom(...pieces), { maxLength: 20 })
  .map((lines) => lines.join("\n"));
