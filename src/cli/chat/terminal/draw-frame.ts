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
export function rowOf({ lines, cursor }: Frame): number {
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
