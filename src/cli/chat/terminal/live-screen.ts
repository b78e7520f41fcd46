import { type Terminal, TuiMainScreen, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { type Block, countRows, Past } from "./blocks.ts";
import { trimLine } from "./trim-line.ts";

/** What stands at the bottom of the terminal and is drawn again whenever it changes. */
export interface Frame {
  /** At least one, each at most as wide as the terminal, together at most as many as it has rows. */
  readonly lines: readonly string[];
  /** Where the cursor is shown; hidden, at the end of the last line, without one. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/** A frame in which nothing is shown still has the row in which the cursor is. */
export const emptyFrame: Frame = { lines: [""], cursor: { row: 0, column: 0 } };

const eraseBelow = "\u001B[J";
const eraseLine = "\u001B[2K";

/**
 * Returns what a terminal is told to show a frame in the place of another, below lines that are there to stay.
 *
 * It only moves within the frame that is there, so that what stands above, and scrolls out, is the terminal's own.
 */
export function drawFrame(before: Frame, printed: readonly string[], after: Frame): string {
  const lines = [...printed, ...after.lines];
  const first = printed.length > 0 ? 0 : findDifference(before.lines, after.lines);
  const rewritten = rewrite(before, lines, first);
  const row = rewritten === "" ? rowOf(before) : lines.length - 1;
  return rewritten + placeCursor(row, printed.length, after);
}

/** Makes a frame of rows of which nothing is known but their number, and where the cursor is among them. */
export function unknownFrame(above: number, below: number): Frame {
  return { lines: new Array(above + 1 + below).fill(unknownLine), cursor: { row: above, column: 0 } };
}

/** No line that is drawn is equal to it. */
const unknownLine = "\u0000";

/** Returns the row of a frame that the cursor is in. */
function rowOf({ lines, cursor }: Frame): number {
  return cursor?.row ?? lines.length - 1;
}

function rewrite(before: Frame, lines: readonly string[], first: number): string {
  const old = before.lines.length;
  if (first === lines.length && first === old) return "";
  // Below the last row there is nothing to move to; a line feed makes it.
  const isBelow = first > 0 && first === old;
  const start = moveRows((isBelow ? first - 1 : first) - rowOf(before)) + (isBelow ? "\r\n" : "\r");
  const written = lines
    .slice(first)
    .map((line) => eraseLine + line)
    .join("\r\n");
  if (old <= lines.length) return start + written;
  return first === lines.length ? start + eraseBelow + moveRows(-1) : start + written + eraseBelowNext();
}

/**
 * Erases the rows below.
 *
 * Not from the end of the last line, where the cursor may stand on its last character; nor from the first row of the
 * screen, which some terminals take for a wish to keep what was there.
 */
function eraseBelowNext(): string {
  return `${moveRows(1)}\r${eraseBelow}${moveRows(-1)}`;
}

function placeCursor(row: number, printed: number, { cursor }: Frame): string {
  if (cursor === undefined) return "\u001B[?25l";
  const { row: wanted, column } = cursor;
  return `${moveRows(printed + wanted - row)}\r${column === 0 ? "" : `\u001B[${column}C`}\u001B[?25h`;
}

function findDifference(one: readonly string[], other: readonly string[]): number {
  const shared = Math.min(one.length, other.length);
  for (let row = 0; row < shared; row += 1) if (one[row] !== other[row]) return row;
  return shared;
}

function moveRows(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `\u001B[${rows}B` : `\u001B[${-rows}A`;
}

/** A window that is being drawn larger or smaller is told of many widths. */
const settledAfterMs = 60;

const beginUpdate = "\u001B[?2026h";
const endUpdate = "\u001B[?2026l";

/**
 * The bottom of a terminal, on which components are drawn again and again, below what is printed once.
 *
 * What is printed is the terminal's: it scrolls, is searched and copied as anything else there, and it costs nothing how
 * much of it there is. The class that this one is made from draws all of it again when something above the screen changes,
 * and deletes what the terminal had before.
 */
export class LiveScreen extends TuiMainScreen {
  readonly #past = new Past();
  readonly #pending: Block[] = [];
  #frame: Frame = emptyFrame;
  #width = 0;
  #settling: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal) {
    super(terminal, true);
  }

  /** Prints what is not drawn again, above everything that is. */
  print(block: Block): void {
    this.#pending.push(block);
    this.requestRender();
  }

  /** Draws everything again that the terminal shows of us. */
  repaint(): void {
    this.#write(this.#drawAnew(this.terminal.columns));
  }

  protected override resetRenderState(): void {
    this.#frame = emptyFrame;
    this.#width = 0;
  }

  protected override beforeTerminalStart(): void {
    this.resetRenderState();
  }

  /** Prints what is waiting, and takes away what would be drawn again. */
  protected override beforeTerminalStop(): void {
    clearTimeout(this.#settling);
    this.#settling = undefined;
    const printed = this.#takePending(this.terminal.columns);
    this.terminal.write(drawFrame(this.#frame, printed, emptyFrame));
    this.resetRenderState();
  }

  protected override doRender(): void {
    if (this.stopped) return;
    const { columns } = this.terminal;
    if (this.#width !== 0 && this.#width !== columns) this.#settle();
    if (this.#settling !== undefined) return;
    const printed = this.#takePending(columns);
    const frame = this.#layOut(columns);
    const before = this.#frame;
    this.#keep(frame, columns);
    if (printed.length > 0 || !isSame(before, frame)) this.#write(drawFrame(before, printed, frame));
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#settling = undefined;
      if (!this.stopped) this.repaint();
    }, settledAfterMs);
  }

  /** The rows on the screen are broken anew by the terminal itself; how many they are now can only be reckoned. */
  #drawAnew(width: number): string {
    const { lines, cursor } = this.#frame;
    const row = rowOf(this.#frame);
    const widths = lines.map((line) => visibleWidth(line));
    const above = countRows(widths.slice(0, row), width) + Math.floor((cursor?.column ?? 0) / width);
    const below = countRows(widths.slice(row + 1), width);
    const past = Math.max(0, Math.min(this.#past.countRows(width), this.terminal.rows - 1 - below - above));
    const before = unknownFrame(past + above, below);
    const shown = [...this.#past.renderEnd(width, past), ...this.#takePending(width)];
    const frame = this.#layOut(width);
    this.#keep(frame, width);
    return drawFrame(before, shown.map(finishLine), frame);
  }

  #takePending(width: number): readonly string[] {
    return this.#pending.splice(0).flatMap((block) => this.#past.add(block, width).map(finishLine));
  }

  #layOut(width: number): Frame {
    const { rows } = this.terminal;
    const all = this.render(width);
    const found = this.extractCursorPosition(all, rows);
    const hidden = Math.max(0, all.length - rows);
    const lines = all.slice(hidden).map((line) => finishLine(truncateToWidth(trimLine(line), width, "")));
    const cursor = found === null ? undefined : { row: found.row - hidden, column: found.col };
    return lines.length === 0 ? emptyFrame : { lines, cursor };
  }

  #keep(frame: Frame, width: number): void {
    this.#frame = frame;
    this.#width = width;
  }

  #write(change: string): void {
    this.terminal.write(`${beginUpdate}${change}${endUpdate}`);
  }
}

function isSame(one: Frame, other: Frame): boolean {
  return (
    one.cursor?.row === other.cursor?.row &&
    one.cursor?.column === other.cursor?.column &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, row) => line === other.lines[row])
  );
}

/** A style that a line leaves on would go on in the next. */
function finishLine(line: string): string {
  return line.includes("\u001B") ? `${line}\u001B[0m` : line;
}
