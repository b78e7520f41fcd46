import { type Component, CURSOR_MARKER, decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import type { Approval } from "../../../chat/chat.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import type { Style } from "../../../lib/style.ts";
import { truncate, wrap } from "../../../lib/terminal-text.ts";
import { searchHistory } from "../history/history-browser.ts";
import { readPaste } from "./read-paste.ts";

/** How a search ended: with something to send or to edit, or with nothing. */
type SearchEnd = { readonly type: "send" | "edit"; readonly text: string } | { readonly type: "cancelled" };

const hints = "Ctrl+R older · Enter sends · Tab edits · Esc leaves";

/** A search for what was typed before, backwards and with each key, as shells have it. */
export class SearchLine implements Component {
  readonly #entries: readonly string[];
  readonly #style: Style;
  readonly #show: (found: string) => void;
  readonly #end: (end: SearchEnd) => void;
  #query = "";
  #place: number;
  #fails: boolean = false;

  constructor(
    entries: readonly string[],
    style: Style,
    on: { readonly show: (found: string) => void; readonly end: (end: SearchEnd) => void },
  ) {
    this.#entries = entries;
    this.#style = style;
    this.#show = on.show;
    this.#end = on.end;
    this.#place = entries.length;
  }

  handleInput(data: string): void {
    if (matchesKey(data, "ctrl+r") || matchesKey(data, "up")) this.#find(this.#place);
    else if (matchesKey(data, "enter")) this.#finish("send");
    else if (isCancel(data)) this.#end({ type: "cancelled" });
    else if (matchesKey(data, "backspace")) this.#type(this.#query.replace(/.$/su, ""));
    else this.#take(data);
  }

  render(width: number): string[] {
    const { cyan, dim, red } = this.#style;
    const label = this.#fails ? red("nothing has") : cyan("history with");
    const query = truncate(toPrintableLine(this.#query), Math.max(4, width - 20));
    const line = `${label} ${query}${CURSOR_MARKER}`;
    const room = width - "history with ".length - query.length - 3;
    return [room > hints.length ? `${line}   ${dim(hints)}` : line];
  }

  invalidate(): void {
    // Nothing is kept.
  }

  #take(data: string): void {
    const text = readText(data);
    if (text === undefined) this.#finish("edit");
    else this.#type(this.#query + text);
  }

  #type(query: string): void {
    this.#query = query;
    this.#find(this.#entries.length);
  }

  #find(before: number): void {
    if (this.#query === "") return;
    const found = searchHistory(this.#entries, this.#query, before);
    this.#fails = found === -1;
    if (found === -1) return;
    this.#place = found;
    this.#show(this.#entries[found] ?? "");
  }

  #finish(type: "send" | "edit"): void {
    const text = this.#entries[this.#place];
    this.#end(text === undefined ? { type: "cancelled" } : { type, text });
  }
}

function isCancel(data: string): boolean {
  return matchesKey(data, "escape") || matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+g");
}

/** Returns the text that a key or a paste stands for; undefined for a key that moves or commands. */
function readText(data: string): string | undefined {
  const paste = readPaste(data);
  if (paste !== undefined) return toPrintableLine(paste);
  const decoded = decodeKittyPrintable(data) ?? data;
  return decoded >= " " && !decoded.includes("\u001B") && decoded !== "\u007F" ? decoded : undefined;
}

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
