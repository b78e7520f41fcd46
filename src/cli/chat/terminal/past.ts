import { visibleWidth } from "@earendil-works/pi-tui";

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
