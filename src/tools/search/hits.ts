import { toOneLineName } from "../text/one-line-name.ts";
import type { LinePattern } from "./compile-pattern.ts";

/** How much of a line is shown, and how much of it before what was found. */
const [shownLength, shownBefore] = [300, 100];

/** The lines that were found, as many as there is room for, and the number of all. */
export class Hits {
  readonly #pattern: LinePattern;
  #room: number;
  readonly #shown: string[] = [];
  #lines = 0;
  #files = 0;
  #last = "";

  constructor(pattern: LinePattern, mostCharacters: number) {
    this.#pattern = pattern;
    this.#room = mostCharacters;
  }

  add(path: string, number: number, line: string): void {
    this.#lines += 1;
    if (path !== this.#last) this.#files += 1;
    this.#last = path;
    if (this.#room <= 0) return;
    const text = `${toOneLineName(path)}:${number}: ${this.#shorten(line)}\n`;
    this.#room -= text.length;
    if (this.#room >= 0) this.#shown.push(text);
  }

  get count(): number {
    return this.#lines;
  }

  /** The lines themselves, then how many others there are. */
  render(): string {
    const rest = this.#lines - this.#shown.length;
    const files = this.#files === 1 ? "1 file" : `${this.#files} files`;
    const note = `[… and ${rest} more; ${this.#lines} lines of ${files} in all. Search for less, or in a folder.]\n`;
    return `${this.#shown.join("")}${rest > 0 ? note : ""}`;
  }

  #shorten(line: string): string {
    if (line.length <= shownLength) return line;
    const start = Math.max(0, Math.min(this.#pattern.find(line) - shownBefore, line.length - shownLength));
    const end = start + shownLength;
    return `${start > 0 ? "…" : ""}${line.slice(start, end)}${end < line.length ? "…" : ""}`.toWellFormed();
  }
}
