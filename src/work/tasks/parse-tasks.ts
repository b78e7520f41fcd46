import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { fold } from "../../lib/markdown/fold.ts";
import { type Block, parseBlocks } from "../../lib/markdown/parse-blocks.ts";
import { splitLines } from "../../lib/markdown/split-lines.ts";
import type { Task } from "../tasks.ts";

/** A box counts only with a text after it, as where Markdown is shown. */
const box = /^\[([ \txX])\](?:\s+|$)/;

/** In the middle of a paragraph stands what is indented too far, or numbered otherwise, to be an item of its own. */
const markedBox = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?=\[[ \txX]\]\s)/;

/**
 * Returns the checkboxes of a Markdown text in their order, nested ones too; what is code or a comment has none.
 *
 * The text of a box is the rest of its paragraph, on one line. Throws when the text is too large to be read.
 */
export function parseTasks(text: string): readonly Task[] {
  return parseBlocks(withoutMark(text)).flatMap((block) => tasksIn(block, "elsewhere"));
}

function tasksIn(block: Block, place: "begins-item" | "elsewhere"): readonly Task[] {
  if (block.type === "paragraph") return tasksOf(linesOf(block), place);
  if (!("children" in block)) return [];
  const isItem = block.type === "listItem";
  return (block.children as readonly Block[]).flatMap((child, index) =>
    tasksIn(child, isItem && index === 0 ? "begins-item" : "elsewhere"),
  );
}

function linesOf({ children }: Extract<Block, { type: "paragraph" }>): readonly string[] {
  const text = children.map((child) => ("value" in child ? child.value : "\n")).join("");
  return splitLines(text).map(({ start, end }) => text.slice(start, end));
}

/** Returns the tasks of a paragraph; each has the lines up to the next one. */
function tasksOf(lines: readonly string[], place: "begins-item" | "elsewhere"): readonly Task[] {
  const starts = lines.flatMap((line, index) => {
    const isStart = index === 0 && place === "begins-item" ? box.test(line) : markedBox.test(line);
    return isStart ? [index] : [];
  });
  return starts.flatMap((start, number) => toTask(lines.slice(start, starts[number + 1])));
}

function toTask(lines: readonly string[]): readonly Task[] {
  const source = lines.join("\n").replace(markedBox, "");
  const [lead = "", mark] = box.exec(source) ?? [];
  const text = fold(source.slice(lead.length));
  return text === "" ? [] : [{ text, state: mark === "x" || mark === "X" ? "done" : "open" }];
}
