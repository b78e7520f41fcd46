import { type Component, decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import type { Approval } from "../../../chat/chat.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import type { Style } from "../../../lib/style.ts";
import { wrap } from "../../../lib/terminal-text.ts";
import { readPaste } from "./read-paste.ts";

const answers: ReadonlyMap<string, Approval> = new Map([
  ["y", "yes"],
  ["a", "always"],
  ["n", "no"],
]);

/** What is asked about: the tool, and how many lines show what it would do. */
export interface AskedAbout {
  readonly tool: string;
  readonly lines: number;
}

/** A line that is longer takes several rows on a usual terminal. */
const usualWidth = 80;

/** Counts how many rows a text takes, about. */
export function countRows(text: string): number {
  return text
    .trimEnd()
    .split("\n")
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / usualWidth)), 0);
}

/** With more, the beginning may be above the screen, and a person has to know it. */
const seenAtOnce = 10;

function describeQuestion(lines: number): string {
  return lines <= seenAtOnce
    ? "Do you allow this?"
    : `Do you allow this? It has ${lines} lines: scroll up to where it begins with →`;
}

/** A question that one key answers. Return answers nothing: who was typing presses it by accident. */
export class Question implements Component {
  readonly #tool: string;
  readonly #lines: number;
  readonly #style: Style;
  readonly #answer: (answer: Approval) => void;

  constructor({ tool, lines }: AskedAbout, style: Style, answer: (answer: Approval) => void) {
    this.#tool = toPrintableLine(tool);
    this.#lines = lines;
    this.#style = style;
    this.#answer = answer;
  }

  /** Takes a key, whether it is an answer or not; returns false for a paste, which is for the line editor. */
  take(data: string): boolean {
    if (readPaste(data) !== undefined) return false;
    const key = (decodeKittyPrintable(data) ?? data).toLowerCase();
    const answer = matchesKey(data, "escape") ? "no" : answers.get(key);
    if (answer !== undefined) this.#answer(answer);
    return true;
  }

  render(width: number): string[] {
    const { bold, yellow } = this.#style;
    const choices = `y yes · a always, for ${this.#tool} in this chat · n no`;
    return [
      "",
      ...wrap(describeQuestion(this.#lines), width).split("\n").map(bold),
      ...wrap(choices, width).split("\n").map(yellow),
    ];
  }

  invalidate(): void {
    // Nothing is kept.
  }
}
