import { toPrintableLine } from "../lib/printable.ts";
import { padEnd, padStart, textWidth, truncate } from "../lib/terminal-text.ts";
import type { TextStyle } from "./style.ts";

const GAP = "  ";

export interface Column<Row> {
  readonly header: string;
  /** Returns the recorded text of a cell; the table makes it printable. */
  readonly cell: (row: Row) => string;
  readonly align?: "left" | "right";
  /** By default as wide as the header. */
  readonly minWidth?: number;
  /** Set on the one column that gives way when the terminal is narrow. */
  readonly flexible?: boolean;
}

export interface TableOptions {
  /** Columns of the terminal; `undefined` in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  /** How the header line is styled. */
  readonly style: TextStyle;
}

/** Renders rows as aligned columns below a header line. No line is wider than the terminal or ends with a space or newline. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width = Number.POSITIVE_INFINITY, style }: TableOptions,
): string {
  // A cell is cut before it is measured, so that an endless title costs no more than a line.
  const toCell = (text: string) => truncate(toPrintableLine(text), width);
  const header = columns.map((column) => toCell(column.header));
  const body = rows.map((row) => columns.map((column) => toCell(column.cell(row))));
  const widths = shrink(columns, measure(columns, [header, ...body]), width);
  const render = (cells: readonly string[]) =>
    truncate(
      cells
        .map((cell, index) => align(cell, columns[index], widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
      width,
    );
  return [style(render(header)), ...body.map(render)].join("\n");
}

/** Returns the width that each column would have if there were room for all. */
function measure<Row>(columns: readonly Column<Row>[], lines: readonly (readonly string[])[]): number[] {
  return columns.map(({ minWidth = 0 }, index) =>
    lines.reduce((widest, cells) => Math.max(widest, textWidth(cells[index] ?? "")), minWidth),
  );
}

/** Takes what is missing to fit the terminal from the flexible column, as far as its smallest width allows. */
function shrink<Row>(columns: readonly Column<Row>[], natural: readonly number[], width: number): number[] {
  const total = natural.reduce((sum, each) => sum + each, GAP.length * (columns.length - 1));
  const missing = Math.max(0, total - width);
  return columns.map(({ header, minWidth, flexible }, index) => {
    const wanted = natural[index] ?? 0;
    return flexible ? Math.max(minWidth ?? textWidth(toPrintableLine(header)), wanted - missing) : wanted;
  });
}

function align<Row>(cell: string, column: Column<Row> | undefined, width: number): string {
  const text = truncate(cell, width);
  return column?.align === "right" ? padStart(text, width) : padEnd(text, width);
}
