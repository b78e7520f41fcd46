import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Column, renderTable } from "../../src/cli/render-table.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import { anyCharacter } from "../support/any-character.ts";

interface Row {
  readonly id: string;
  readonly entries: number;
  readonly title: string;
  readonly age: string;
}

const columns: readonly Column<Row>[] = [
  { header: "ID", cell: (row) => row.id },
  { header: "ENTRIES", cell: (row) => String(row.entries), align: "right" },
  { header: "TITLE", cell: (row) => row.title, minWidth: 8, flexible: true },
  { header: "UPDATED", cell: (row) => row.age },
];
const rows: readonly Row[] = [
  { id: "k3f9", entries: 7, title: "Fix the login page", age: "just now" },
  { id: "session-2", entries: 1200, title: "日本語の長い題名です", age: "3 days ago" },
];
const plain = (text: string) => text;
const linesOf = (...lines: string[]) => lines.join("\n");

describe("renderTable", () => {
  it("aligns the columns below their headers", () => {
    expect(renderTable(columns, rows, { width: 80, style: plain })).toBe(
      linesOf(
        "ID         ENTRIES  TITLE                 UPDATED",
        "k3f9             7  Fix the login page    just now",
        "session-2     1200  日本語の長い題名です  3 days ago",
      ),
    );
  });

  it("cuts the flexible column to fit the terminal", () => {
    expect(renderTable(columns, rows, { width: 42, style: plain })).toBe(
      linesOf(
        "ID         ENTRIES  TITLE       UPDATED",
        "k3f9             7  Fix the l…  just now",
        "session-2     1200  日本語の…   3 days ago",
      ),
    );
  });

  it("cuts the end of the lines when the flexible column is as small as it may be", () => {
    expect(renderTable(columns, rows, { width: 34, style: plain })).toBe(
      linesOf(
        "ID         ENTRIES  TITLE     UPD…",
        "k3f9             7  Fix the…  jus…",
        "session-2     1200  日本語…   3 d…",
      ),
    );
  });

  it("leaves out columns in their order until the flexible one has room", () => {
    const leaving = columns.map((column, index) => ({
      ...column,
      ...(column.flexible || index === 0 ? {} : { leaves: 9 - index }),
    }));
    const widths = [34, 24, 18].map(
      (width) => renderTable(leaving, rows, { width, style: plain }).split("\n")[0],
    );
    expect(widths).toEqual(["ID         ENTRIES  TITLE", "ID         TITLE", "ID         TITLE"]);
  });

  it("cuts nothing in a pipe", () => {
    const title = "x".repeat(500);
    const table = renderTable(columns.slice(2, 3), [{ id: "", entries: 0, title, age: "" }], {
      width: undefined,
      style: plain,
    });
    expect(table).toBe(linesOf("TITLE", title));
  });

  it("makes cells and headers printable, on one line", () => {
    const title = "a\u001B[2Jb\nc\u202E";
    const table = renderTable([{ header: "T\u0007", cell: (cell: string) => cell }], [title], {
      width: 80,
      style: plain,
    });
    expect(table).toBe(linesOf("T^G", "a^[[2Jb c<U+202E>"));
  });

  it("styles the header line only", () => {
    expect(renderTable(columns.slice(0, 2), rows, { width: 80, style: (text) => `<${text}>` })).toBe(
      linesOf("<ID         ENTRIES>", "k3f9             7", "session-2     1200"),
    );
  });

  it("keeps a column at its smallest width when its cells are shorter", () => {
    const narrow: readonly Column<string>[] = [
      { header: "A", cell: (cell) => cell, minWidth: 6 },
      { header: "B", cell: (cell) => cell },
    ];
    expect(renderTable(narrow, ["x"], { width: 80, style: plain })).toBe(linesOf("A       B", "x       x"));
  });

  it("never makes the flexible column smaller than its header", () => {
    const flexible: readonly Column<string>[] = [
      { header: "TITLE", cell: (cell) => cell, flexible: true },
      { header: "AGE", cell: () => "x" },
    ];
    expect(renderTable(flexible, ["a long title"], { width: 9, style: plain })).toBe(
      linesOf("TITLE  A…", "a lo…  x"),
    );
  });

  it("is the header alone without rows", () => {
    expect(renderTable(columns, [], { width: 80, style: plain })).toBe("ID  ENTRIES  TITLE     UPDATED");
  });

  it("has one line a row, none wider than the terminal, for any cells", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 40 });
    const row = fc.record({ id: text, entries: fc.nat(), title: text, age: text });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 1, max: 100 }), (anyRows, width) => {
        const lines = renderTable(columns, anyRows, { width, style: plain }).split("\n");
        expect(lines.length).toBe(anyRows.length + 1);
        expect(lines.filter((line) => textWidth(line) > width || line.endsWith(" "))).toEqual([]);
      }),
    );
  });
});
