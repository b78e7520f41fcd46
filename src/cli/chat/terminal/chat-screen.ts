import {
  type AutocompleteProvider,
  type Component,
  isKeyRelease,
  matchesKey,
  type Terminal,
  type TuiInputListenerResult,
} from "@earendil-works/pi-tui";
import type { Approval } from "../../../chat/chat.ts";
import type { Style } from "../../../lib/style.ts";
import type { HistoryBrowser } from "../history/history-browser.ts";
import type { Block } from "./blocks.ts";
import { ChatEditor, toInput } from "./chat-editor.ts";
import { LiveScreen } from "./live-screen.ts";
import { type AskedAbout, Question, SearchLine } from "./question.ts";
import { ReplyPainter } from "./reply-painter.ts";
import { editorTheme } from "./theme.ts";

/** What a person wants of a chat. */
interface ScreenEvents {
  readonly submit: (text: string) => void;
  readonly interrupt: () => void;
  readonly leave: () => void;
  readonly suspend: () => void;
  /** Any key was pressed. */
  readonly touch: () => void;
}

export interface ScreenParts {
  readonly terminal: Terminal;
  readonly style: Style;
  readonly history: HistoryBrowser;
  readonly completions: AutocompleteProvider;
  /** Tells whether nothing is to be typed behind an input. */
  readonly isWhole: (input: string) => boolean;
  /** Returns the lines above the line editor: what goes on, and what waits. */
  readonly above: (width: number) => readonly string[];
  /** Returns the lines below it. */
  readonly below: (width: number) => readonly string[];
  readonly on: ScreenEvents;
}

/** How often something that moves is drawn. */
const tickMs = 125;

/** Who was typing when a question came up has not read it. */
const quietMs = 600;

/** The terminal of a chat: what is being said, a line editor below it, and a line that says where one is. */
export class ChatScreen {
  readonly painter: ReplyPainter;
  readonly editor: ChatEditor;
  readonly #screen: LiveScreen;
  readonly #parts: ScreenParts;
  readonly #slot: Slot;
  #search: SearchLine | undefined;
  #question: Question | undefined;
  /** Whether who presses a key has seen the question. */
  #isReading: boolean = true;
  #lastKey = Number.NEGATIVE_INFINITY;
  #ticker: NodeJS.Timeout | undefined;

  constructor(parts: ScreenParts) {
    const { terminal, style, history, completions, isWhole } = parts;
    const screen = new LiveScreen(terminal);
    this.#screen = screen;
    this.#parts = parts;
    this.painter = new ReplyPainter(
      { print: (block) => screen.print(block), rows: () => terminal.rows },
      style,
    );
    this.editor = new ChatEditor(screen, editorTheme(style), { history, isWhole });
    this.editor.setAutocompleteProvider(completions);
    this.editor.onSubmit = (text) => parts.on.submit(toInput(text));
    this.#slot = new Slot(this.editor);
    for (const child of [this.painter, lines(parts.above), this.#slot, lines(parts.below)])
      screen.addChild(child);
    screen.addInputListener((data) => this.#onKey(data));
  }

  /** Whether a question waits for its answer. */
  get isAsking(): boolean {
    return this.#question !== undefined;
  }

  get columns(): number {
    return this.#parts.terminal.columns;
  }

  start(): void {
    this.#screen.start();
    // What was to be drawn while the terminal was lent is not drawn later by itself.
    this.#screen.requestRender(true);
    this.#screen.setFocus(this.editor);
  }

  /** Gives the terminal back as it was, with what has been printed. */
  stop(): void {
    this.#screen.stop();
  }

  /** Prints what is there to stay. */
  print(block: Block): void {
    this.#screen.print(block);
  }

  refresh(): void {
    this.#lookAround();
    this.#screen.requestRender();
  }

  /** Draws again and again while something moves; nothing does while nobody waits. */
  animate(state: "on" | "off"): void {
    clearInterval(this.#ticker);
    this.#ticker = state === "on" ? setInterval(() => this.refresh(), tickMs) : undefined;
    this.refresh();
  }

  /** Asks for a yes or no with a key; `signal` takes the question away. */
  ask(about: AskedAbout, signal: AbortSignal): Promise<Approval> {
    return new Promise((resolve) => {
      const finish = (answer: Approval) => {
        signal.removeEventListener("abort", stop);
        this.#question = undefined;
        this.#slot.show(this.editor);
        this.refresh();
        resolve(answer);
      };
      const stop = () => finish("no");
      signal.addEventListener("abort", stop);
      this.#question = new Question(about, this.#parts.style, finish);
      this.#isReading = false;
      this.#slot.show(this.#question, this.editor);
      this.refresh();
    });
  }

  #onKey(data: string): TuiInputListenerResult {
    if (isKeyRelease(data)) return undefined;
    this.#lookAround();
    this.#lastKey = performance.now();
    const isTaken = this.#take(data);
    if (!matchesKey(data, "ctrl+c")) this.#parts.on.touch();
    if (isTaken) this.refresh();
    return isTaken ? { consume: true } : undefined;
  }

  /** Lets a question take the keys as soon as nobody is in the middle of typing something else. */
  #lookAround(): void {
    if (this.#question === undefined || this.#isReading) return;
    if (!this.editor.isEmpty && performance.now() - this.#lastKey < quietMs) return;
    this.#isReading = true;
    this.#slot.show(this.#question);
  }

  #take(data: string): boolean {
    if (this.#search !== undefined) {
      this.#search.handleInput(data);
      return true;
    }
    const command = this.#findCommand(data);
    if (command !== undefined) {
      command();
      return true;
    }
    // What is typed on without a pause is still for the line.
    return this.#question !== undefined && this.#isReading && this.#question.take(data);
  }

  #findCommand(data: string): (() => void) | undefined {
    const { on } = this.#parts;
    if (matchesKey(data, "ctrl+c")) return on.interrupt;
    if (matchesKey(data, "ctrl+z")) return on.suspend;
    if (matchesKey(data, "ctrl+d") && this.editor.isEmpty) return on.leave;
    if (matchesKey(data, "ctrl+l")) return () => this.#screen.repaint();
    if (matchesKey(data, "ctrl+r")) return () => this.#startSearch();
    return undefined;
  }

  #startSearch(): void {
    const typed = this.editor.input;
    this.#search = new SearchLine(this.#parts.history.entries, this.#parts.style, {
      show: (found) => {
        this.editor.input = found;
      },
      end: (end) => {
        this.#search = undefined;
        this.#slot.show(this.editor);
        this.#screen.setFocus(this.editor);
        this.editor.input = end.type === "edit" ? end.text : typed;
        if (end.type !== "send") return;
        this.editor.input = "";
        this.#parts.on.submit(end.text);
      },
    });
    this.#slot.show(this.editor, this.#search);
    // The cursor is where one types.
    this.#screen.setFocus(this.#search);
  }
}

/** A place for components that come and go. */
class Slot implements Component {
  #shown: readonly Component[];

  constructor(...shown: readonly Component[]) {
    this.#shown = shown;
  }

  show(...shown: readonly Component[]): void {
    this.#shown = shown;
  }

  render(width: number): string[] {
    return this.#shown.flatMap((component) => component.render(width));
  }

  invalidate(): void {
    for (const component of this.#shown) component.invalidate();
  }
}

function lines(render: (width: number) => readonly string[]): Component {
  return { render: (width) => [...render(width)], invalidate: () => undefined };
}
