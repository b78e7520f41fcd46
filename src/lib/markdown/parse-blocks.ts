import { fromMarkdown } from "mdast-util-from-markdown";
import { AppError } from "../app-error.ts";
import { describeExcess } from "./describe-excess.ts";

/** A block at the top of a document, as mdast has it. */
export type Block = ReturnType<typeof fromMarkdown>["children"][number];

/** Only blocks are asked for: what stands inside a line is never structure, and costs the parser the most. */
const blocksOnly = {
  disable: {
    null: [
      "attention",
      "autolink",
      "characterEscape",
      "characterReference",
      "codeText",
      "definition",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
    ],
  },
};

/** Returns the blocks of a Markdown text, with their places in it. Throws when the text is too large to be read. */
export function parseBlocks(text: string): readonly Block[] {
  const excess = describeExcess(text);
  if (excess !== undefined) {
    throw new AppError(`This text ${excess}, which is more than a document may have.`, {
      kind: "usage",
      code: "document-too-large",
      hint: "Shorten it; it was left as it is.",
    });
  }
  // The parser drops a byte order mark and counts all places from after it; a word joiner is as invisible, and stays.
  return fromMarkdown(text.replace(/^\uFEFF/, "\u2060"), { extensions: [blocksOnly] }).children;
}
