import type { Key } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";

/** What a terminal is told to mark a paste, and to leave that. */
export const pasteMarking = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/** What a terminal sends after a paste. */
const pasteEnd = "\u001b[201~";

/** An answer that is about to be typed. */
export interface ExpectedAnswer {
  /** What stands there, with the cursor behind it. */
  readonly initial: string;
  readonly lines: "one" | "many";
}

type Terminal = Readable & Partial<Pick<ReadStream, "isTTY" | "isRaw" | "setRawMode">>;

/**
 * The keys of a terminal as a prompt for text needs them.
 *
 * A paste that the terminal marks is text and no keys, so that its line ends do not submit. In an answer of many lines,
 * Return on an empty last line submits at once. Readline makes the keys out of what is read here and says them by
 * `emit`, so that this is where they are changed.
 */
export class AnswerInput extends PassThrough {
  readonly #terminal: Terminal;
  readonly #lines: ExpectedAnswer["lines"];
  readonly #onClose = () => void this.end();
  /** As far as is known where the cursor is: on an empty last line, or behind some text at the end. */
  #cursor: "empty-line" | "end" | "anywhere";
  /** What has come of a paste whose end has not. */
  #paste: string | undefined;

  constructor(terminal: Terminal, { initial, lines }: ExpectedAnswer) {
    super();
    this.#terminal = terminal;
    this.#lines = lines;
    this.#cursor = initial === "" || initial.endsWith("\n") ? "empty-line" : "end";
    // The pipe tells of the end, but not of a terminal that is gone.
    terminal.once("close", this.#onClose).pipe(this);
  }

  get isTTY(): boolean {
    return this.#terminal.isTTY === true;
  }

  get isRaw(): boolean {
    return this.#terminal.isRaw === true;
  }

  setRawMode(mode: boolean): this {
    this.#terminal.setRawMode?.(mode);
    return this;
  }

  /** Lets go of the terminal. */
  release(): void {
    this.#terminal.off("close", this.#onClose).unpipe(this);
    this.destroy();
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event !== "keypress") return super.emit(event, ...args);
    const [text, key] = args as [text: string | undefined, key: Key];
    if (this.#paste !== undefined) this.#take(this.#paste + (key.sequence ?? ""));
    else if (key.name === "paste-start") this.#paste = "";
    else this.#press(text, key);
    return true;
  }

  /** The end is not looked for by its key, because an Esc whose rest comes late is a key of its own to readline. */
  #take(paste: string): void {
    const isWhole = paste.endsWith(pasteEnd);
    this.#paste = isWhole ? undefined : paste;
    if (isWhole) this.#insert(toTyped(paste.slice(0, -pasteEnd.length), this.#lines));
  }

  #insert(text: string): void {
    if (text === "") return;
    if (this.#lines === "one") this.#say(text, {});
    else if (this.#cursor === "anywhere") this.#type(text);
    else this.#append(text);
  }

  /**
   * The prompt draws all at each key, and takes any text for one step of the cursor. The way to the end is short by
   * lines: to an empty one, which is taken off again.
   */
  #append(text: string): void {
    this.#say(`${text}\n`, {});
    for (const _line of text.split("\n")) this.#say(undefined, { name: "down" });
    this.#say(undefined, { name: "backspace" });
    this.#cursor = text.endsWith("\n") ? "empty-line" : "end";
  }

  #press(text: string | undefined, key: Key): void {
    const submits = key.name === "return" && this.#lines === "many" && this.#cursor === "empty-line";
    if (["up", "down", "left", "right"].includes(key.name ?? "")) this.#cursor = "anywhere";
    if (this.#cursor === "empty-line") this.#cursor = "end";
    if (submits) {
      // The prompt submits at the second Return in a row, and takes the empty line off that the first has made.
      this.#say(undefined, { name: "backspace" });
      this.#say(text, key);
      this.#say(text, key);
    } else if (text !== undefined && key.name === undefined) this.#type(text);
    else this.#say(text, key);
  }

  /** The prompt for many lines counts in units of text, of which a character may have two. */
  #type(text: string): void {
    for (const unit of this.#lines === "many" ? text.split("") : [text]) this.#say(unit, { sequence: unit });
  }

  #say(text: string | undefined, key: Key): void {
    super.emit("keypress", text, key);
  }
}

/** Returns a paste as text that neither submits nor commands. */
function toTyped(paste: string, lines: ExpectedAnswer["lines"]): string {
  return stripVTControlCharacters(paste)
    .replace(/[\r\v\f\u0085\u2028\u2029]/g, "\n")
    .replaceAll("\t", " ")
    .replace(/[^\n\P{Cc}]/gu, "")
    .replace(/\n+/g, lines === "many" ? "\n" : " ");
}
