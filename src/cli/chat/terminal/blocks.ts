import { visibleWidth } from "@earendil-works/pi-tui";
import type { ChatStatus } from "../../../chat/chat.ts";
import { toPrintable, toPrintableLine } from "../../../lib/printable.ts";
import type { Style, TextStyle } from "../../../lib/style.ts";
import { wrap } from "../../../lib/terminal-text.ts";
import type { ToolOutcome } from "../../../tools/tool.ts";
import { renderPreview } from "../../render-preview.ts";
import { renderMarkdown, wrapStyled } from "./theme.ts";

/** Says at the beginning which session this is, with which model, where, and how to get help. */
export function bannerBlock(
  { session, model }: Pick<ChatStatus, "session" | "model">,
  { folder, style }: { readonly folder: string; readonly style: Style },
): Block {
  const about = toPrintableLine(`${model} in ${folder}`);
  const help = "/help shows the commands and the keys. Enter sends, Alt+Enter begins a new line.";
  return (width) => [
    ...wrap(`Carryon chat · ${session}`, width).split("\n").map(style.bold),
    ...wrap(about, width).split("\n"),
    ...wrap(help, width).split("\n").map(style.dim),
    "",
  ];
}

/** What has been said for good, as lines that fit a width. */
export type Block = (width: number) => readonly string[];

/** No terminal has more rows. */
const mostLines = 1000;

/**
 * What was printed lately: as much as a terminal may show at once.
 *
 * The terminal has all of it, and keeps it; this is for the time when its width changes and the rows on it are wrong.
 */
export class Past {
  readonly #blocks: { readonly block: Block; readonly widths: readonly number[] }[] = [];
  #lines = 0;

  /** Remembers a block and returns its lines. */
  add(block: Block, width: number): readonly string[] {
    const lines = block(width);
    this.#blocks.push({ block, widths: lines.map((line) => visibleWidth(line)) });
    this.#lines += lines.length;
    while (this.#lines - (this.#blocks[0]?.widths.length ?? 0) > mostLines) {
      this.#lines -= this.#blocks.shift()?.widths.length ?? 0;
    }
    return lines;
  }

  /** Counts the rows that the lines take once a terminal of another width has broken them anew. */
  countRows(width: number): number {
    const rows = this.#blocks.map(({ widths }) => countRows(widths, width));
    return rows.reduce((sum, each) => sum + each, 0);
  }

  /** Returns the last lines, made for a width. */
  renderEnd(width: number, count: number): readonly string[] {
    const lines: string[] = [];
    for (let index = this.#blocks.length - 1; index >= 0 && lines.length < count; index -= 1) {
      lines.unshift(...(this.#blocks[index]?.block(width) ?? []));
    }
    return count === 0 ? [] : lines.slice(-count);
  }
}

/** Counts the rows that lines of some widths take on a terminal. */
export function countRows(widths: readonly number[], width: number): number {
  return widths.reduce((sum, each) => sum + Math.max(1, Math.ceil(each / width)), 0);
}

/** How much of a long text is shown: its first and its last lines. */
interface Fold {
  readonly first: number;
  readonly last: number;
}

/** Longer lines are shown in part: a line can be a whole file. */
const longestLine = 1000;

/** Leaves out the middle of a long text, and says in its place how many lines that are. */
function foldText(text: string, { first, last }: Fold): string {
  const lines = text.split("\n");
  const hidden = lines.length - first - last;
  // To leave out a single line saves nothing.
  if (hidden < 2) return lines.map(cutLine).join("\n");
  const end = last === 0 ? [] : lines.slice(-last);
  return [...lines.slice(0, first), `… ${hidden} more lines`, ...end].map(cutLine).join("\n");
}

function cutLine(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine).toWellFormed()}… ${line.length - longestLine} more characters`;
}

const promptFold: Fold = { first: 20, last: 5 };
const outputFold: Fold = { first: 4, last: 4 };
const thinkingFold: Fold = { first: 4, last: 0 };
const summaryFold: Fold = { first: 12, last: 0 };

/** Says what a person said. */
export function promptBlock(text: string, style: Style): Block {
  const shown = foldText(toPrintable(text), promptFold);
  return (width) => [...behindMark("> ", shown, width, { mark: style.cyan, text: style.bold }), ""];
}

/** Says a part of what a model said; blocks of one reply follow each other with a line between them. */
export function replyBlock(text: string, style: Style): Block {
  const shown = toPrintable(text);
  return (width) => [...withoutBlankEnds(renderMarkdown(shown, width, style)), ""];
}

/** Says what a model thought, in short. */
export function thinkingBlock(text: string, style: Style): Block {
  const shown = foldText(toPrintable(text).trim(), thinkingFold);
  return (width) => [...behindMark("thinking: ", shown, width, { mark: style.dim, text: style.dim }, 2), ""];
}

/** Says that a tool was called. */
export function callBlock(description: string, style: Style): Block {
  const shown = toPrintableLine(description);
  return (width) => behindMark("→ ", shown, width, { mark: style.yellow, text: style.yellow });
}

/** Says what became of a call, in short. */
export function outcomeBlock({ output, failed }: ToolOutcome, style: Style): Block {
  const text = toPrintable(output).replace(/^\n+|\s+$/g, "");
  const shown = foldText(text === "" ? "(no output)" : text, outputFold);
  const mark = failed ? "✗ " : "← ";
  const styles = { mark: failed ? style.red : style.dim, text: style.dim };
  return (width) => [...behindMark(mark, shown, width - 2, styles).map((line) => `  ${line}`), ""];
}

/** Shows what a call would change, all of it: a person is asked about it. */
export function previewBlock(preview: string, style: Style): Block {
  return (width) => [...renderPreview(preview, width, style)];
}

/** Says what stands for the messages that a model no longer sees. */
export function summaryBlock(text: string, style: Style): Block {
  const shown = foldText(toPrintable(text).trim(), summaryFold);
  return (width) => [
    style.dim("Summary of what came before:"),
    ...renderMarkdown(shown, Math.max(2, width - 2), style).map((line) => `  ${line}`.trimEnd()),
    "",
  ];
}

/** Says something about the talk, in words that are our own or made printable. */
export function noteBlock(text: string, paint: TextStyle): Block {
  return (width) => [
    ...wrap(text, width)
      .split("\n")
      .map((line) => (line === "" ? "" : paint(line))),
    "",
  ];
}

/** Says what a command has said, with the colours that it gave it. */
export function answerBlock(text: string): Block {
  const shown = text.replace(/\n+$/, "");
  return (width) => (shown === "" ? [] : [...wrapStyled(shown, width), ""]);
}

interface MarkStyles {
  readonly mark: TextStyle;
  readonly text: TextStyle;
}

/** Puts a mark before a text; what does not fit beside it stands below, as far in as told. */
function behindMark(
  mark: string,
  text: string,
  width: number,
  styles: MarkStyles,
  indent = mark.length,
): readonly string[] {
  const hanging = " ".repeat(Math.max(0, mark.length - indent));
  const [first = "", ...others] = wrap(hanging + text, width, " ".repeat(indent)).split("\n");
  const paint = (line: string) => (line.trim() === "" ? "" : styles.text(line));
  return [styles.mark(mark) + paint(first.slice(mark.length)), ...others.map(paint)];
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const isBlank = (line: string) => line.trim() === "";
  const start = lines.findIndex((line) => !isBlank(line));
  const end = lines.findLastIndex((line) => !isBlank(line));
  return start === -1 ? [] : lines.slice(start, end + 1);
}
