import { toPrintableLine } from "../lib/printable.ts";
import type { TextStyle } from "../lib/style.ts";
import { padEnd, padStart, textWidth, truncate } from "../lib/terminal-text.ts";

const GAP = "  ";

export interface Column<Row> {
  readonly header: string;
  /** Returns the recorded text of a cell; the table makes it printable. */
  readonly cell: (row: Row) => string;
  readonly align?: "left" | "right";
  /** How the cell of a row is coloured. */
  readonly style?: (row: Row) => TextStyle;
  /** By default as wide as the header. */
  readonly minWidth?: number;
  /** Set on the one column that gives way when the terminal is narrow. */
  readonly flexible?: boolean;
  /** Columns with it are left out when the terminal is too narrow for all, the smallest number first. */
  readonly leaves?: number;
}

export interface TableOptions {
  /** Columns of the terminal; `undefined` in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  /** How the header line is styled. */
  readonly style: TextStyle;
}

/** A column, and the width that it has if there is room. */
interface Measured<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** Renders rows as aligned columns below a header line. No line is wider than the terminal or ends with a space or newline. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, style }: TableOptions,
): string {
  const render = layOutTable(columns, rows, width);
  return [style(render()), ...rows.map((row) => render(row))].join("\n");
}

/** Makes room for all rows, and returns what renders one of them, or the header without one. */
export function layOutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): (row?: Row) => string {
  // A cell is cut before it is measured, so that an endless title costs no more than a line.
  const cellOf = ({ header, cell }: Column<Row>, row: Row | undefined) =>
    truncate(toPrintableLine(row === undefined ? header : cell(row)), width);
  const measured = columns.map((column) => {
    const widths = [undefined, ...rows].map((row) => textWidth(cellOf(column, row)));
    return { column, width: widths.reduce((one, other) => Math.max(one, other), column.minWidth ?? 0) };
  });
  const shown = shrink(leaveOut(measured, width), width);
  return (row) => {
    const renderWith = (styleOf: (column: Column<Row>) => TextStyle | undefined) =>
      shown
        .map((each) => align(cellOf(each.column, row), each, styleOf(each.column)))
        .join(GAP)
        .trimEnd();
    const plain = renderWith(() => undefined);
    // Colours are left out where they would have to be cut.
    if (textWidth(plain) > width) return truncate(plain, width);
    return row === undefined ? plain : renderWith(({ style }) => style?.(row));
  };
}

/** Leaves out columns until the others fit, the flexible one at its smallest. */
function leaveOut<Row>(measured: readonly Measured<Row>[], terminal: number): readonly Measured<Row>[] {
  const leaving = measured
    .filter(({ column }) => column.leaves !== undefined)
    .sort((one, other) => (one.column.leaves ?? 0) - (other.column.leaves ?? 0));
  let shown = measured;
  for (const next of leaving) {
    if (sum(shown.map(smallest)) <= terminal) break;
    shown = shown.filter((each) => each !== next);
  }
  return shown;
}

/** Takes what is missing to fit the terminal from the flexible column, as far as its smallest width allows. */
function shrink<Row>(measured: readonly Measured<Row>[], terminal: number): readonly Measured<Row>[] {
  const missing = Math.max(0, sum(measured.map(({ width }) => width)) - terminal);
  return measured.map((each) => ({ ...each, width: Math.max(smallest(each), each.width - missing) }));
}

function smallest<Row>({ column, width }: Measured<Row>): number {
  return column.flexible ? (column.minWidth ?? textWidth(toPrintableLine(column.header))) : width;
}

/** Returns the width of columns side by side. */
function sum(widths: readonly number[]): number {
  return widths.reduce((total, each) => total + each, GAP.length * (widths.length - 1));
}

function align<Row>(
  cell: string,
  { column, width }: Measured<Row>,
  style: TextStyle = (text) => text,
): string {
  const text = style(truncate(cell, width));
  return column.align === "right" ? padStart(text, width) : padEnd(text, width);
}
