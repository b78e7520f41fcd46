import { Editor, type EditorTheme, matchesKey, type TUI, visibleWidth } from "@earendil-works/pi-tui";
import { toPrintable } from "../../../lib/printable.ts";
import type { HistoryBrowser } from "../history/history-browser.ts";
import { readPaste, renderPaste } from "./read-paste.ts";

/** Stands for a tab, which the editor would make spaces of: a character that no text has, and that takes one column. */
const tabSign = "\uE009";
const tabLook = "→";

/** The cursor that the editor draws itself: the terminal shows its own there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is an escape sequence.
const drawnCursor = /\u001B\[7m(.*?)\u001B\[0m/g;

/**
 * The line editor of a chat: with a history of any length, with tabs, and without characters that cannot be seen.
 */
export class ChatEditor extends Editor {
  readonly #browser: HistoryBrowser;
  readonly #isWhole: (input: string) => boolean;

  /** Makes an editor whose keys Up and Down go through what was typed before; `isWhole` knows what nothing can follow. */
  constructor(
    screen: TUI,
    theme: EditorTheme,
    { history, isWhole }: { readonly history: HistoryBrowser; readonly isWhole: (input: string) => boolean },
  ) {
    super(screen, theme);
    this.#browser = history;
    this.#isWhole = isWhole;
  }

  /** What is in it, with everything that was pasted. */
  get input(): string {
    return toInput(this.getExpandedText());
  }

  set input(text: string) {
    this.setText(toEdited(text));
  }

  get isEmpty(): boolean {
    return this.getText() === "";
  }

  override handleInput(data: string): void {
    const paste = readPaste(data);
    if (paste !== undefined) super.handleInput(renderPaste(toEdited(paste)));
    else if (!this.#browse(data)) this.#press(data);
  }

  /** Return that chooses from a list sends what it chose where nothing more is to be typed. */
  #press(data: string): void {
    const chooses = this.isShowingAutocomplete() && matchesKey(data, "enter");
    super.handleInput(data);
    if (chooses && this.#isWhole(this.input)) super.handleInput(data);
  }

  override render(width: number): string[] {
    return super.render(width).map((line) => line.replace(drawnCursor, "$1").replaceAll(tabSign, tabLook));
  }

  /** Goes through the history where the cursor cannot go further up or down. Returns whether it did. */
  #browse(data: string): boolean {
    if (this.isShowingAutocomplete()) return false;
    const { line, col } = this.getCursor();
    const lines = this.getLines();
    const current = lines[line] ?? "";
    const isWhole = visibleWidth(current) < this.tui.terminal.columns - 1;
    if (matchesKey(data, "up") && line === 0 && (isWhole || col === 0)) {
      return this.#show(this.#browser.older(this.input));
    }
    const isAtEnd = line === lines.length - 1 && (isWhole || col === current.length);
    if (matchesKey(data, "down") && isAtEnd && this.#browser.isBrowsing) {
      return this.#show(this.#browser.newer());
    }
    return false;
  }

  #show(text: string | undefined): boolean {
    if (text !== undefined) this.input = text;
    return text !== undefined;
  }
}

/** Returns what a person has typed for what the editor holds. */
export function toInput(edited: string): string {
  return edited.replaceAll(tabSign, "\t");
}

function toEdited(text: string): string {
  return toPrintable(text).replaceAll("\t", tabSign);
}
