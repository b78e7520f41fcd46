/**
 * A terminal that only knows what frames are drawn with: text, line ends, moving and erasing. It never breaks a line.
 *
 * What scrolls out at the top is kept, as terminals do.
 */
export class PaperTerminal {
  readonly #rows: number;
  readonly #lines: string[] = [""];
  #row = 0;
  #column = 0;
  #isCursorShown: boolean = true;

  constructor(rows: number) {
    this.#rows = rows;
  }

  /** Everything from the first line on, without blank lines at the end. */
  get paper(): readonly string[] {
    const last = this.#lines.findLastIndex((line) => line !== "");
    return this.#lines.slice(0, last + 1);
  }

  /** Where the cursor is on the paper; undefined while it is hidden. */
  get cursor(): { readonly row: number; readonly column: number } | undefined {
    return this.#isCursorShown ? { row: this.#row, column: this.#column } : undefined;
  }

  write(data: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it reads what a terminal reads.
    for (const [part] of data.matchAll(/\u001B\[[?\d;]*[A-Za-z]|\r|\n|[^\u001B\r\n]+/g)) this.#take(part);
  }

  get #top(): number {
    return Math.max(0, this.#lines.length - this.#rows);
  }

  #take(part: string): void {
    if (part === "\r") this.#column = 0;
    else if (part === "\n") this.#moveDown();
    else if (part.startsWith("\u001B[")) this.#obey(part.slice(2, -1), part.at(-1) ?? "");
    else this.#type(part);
  }

  #type(text: string): void {
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    const end = this.#column + text.length;
    this.#lines[this.#row] = line.slice(0, this.#column) + text + line.slice(end);
    this.#column = end;
  }

  #moveDown(): void {
    this.#row += 1;
    if (this.#row === this.#lines.length) this.#lines.push("");
  }

  #obey(parameters: string, command: string): void {
    const count = Number(parameters || "1");
    const bottom = Math.max(this.#lines.length, this.#rows) - 1;
    if (command === "A") this.#row = Math.max(this.#top, this.#row - count);
    else if (command === "B") this.#row = Math.min(bottom, this.#row + count);
    else if (command === "C") this.#column += count;
    else if (command === "K") this.#lines[this.#row] = "";
    else if (command === "J") this.#erase();
    else if (parameters === "?25") this.#isCursorShown = command === "h";
    else if (parameters !== "?2026") throw new Error(`A frame is not drawn with ${parameters}${command}.`);
    while (this.#lines.length <= this.#row) this.#lines.push("");
  }

  #erase(): void {
    this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, this.#column);
    this.#lines.fill("", this.#row + 1);
  }
}
