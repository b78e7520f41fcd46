import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  drawFrame,
  emptyFrame,
  type Frame,
  unknownFrame,
} from "../../../src/cli/chat/terminal/live-screen.ts";
import { PaperTerminal } from "../../support/paper-terminal.ts";

const rows = 8;

const anyLine = fc.stringMatching(/^[a-z]{0,6}$/);

const anyFrame: fc.Arbitrary<Frame> = fc
  .tuple(fc.array(anyLine, { minLength: 1, maxLength: rows }), fc.nat(), fc.nat(6), fc.boolean())
  .map(([lines, row, column, isShown]) => ({
    lines,
    cursor: isShown ? { row: row % lines.length, column } : undefined,
  }));

const anyStep = fc.record({ printed: fc.array(anyLine, { maxLength: 12 }), frame: anyFrame });

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

describe("drawFrame", () => {
  it("leaves everything that was printed above the last frame, whatever was drawn before", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), (steps) => {
        const terminal = new PaperTerminal(rows);
        let frame: Frame = emptyFrame;
        for (const step of steps) {
          terminal.write(drawFrame(frame, step.printed, step.frame));
          frame = step.frame;
        }
        const printed = steps.flatMap((step) => step.printed);
        expect(terminal.paper).toEqual(withoutBlankEnd([...printed, ...frame.lines]));
        const cursor = frame.cursor && {
          row: printed.length + frame.cursor.row,
          column: frame.cursor.column,
        };
        expect(terminal.cursor).toEqual(cursor);
      }),
    );
  });

  it("writes only what has changed", () => {
    const before = { lines: ["one", "two", "three"], cursor: { row: 1, column: 0 } };
    const after = { ...before, lines: ["one", "2", "three"] };
    expect(drawFrame(before, [], before)).toBe("\r\u001B[?25h");
    expect(drawFrame(before, [], after)).not.toContain("one");
  });

  it("draws over rows of which only the number is known", () => {
    const terminal = new PaperTerminal(rows);
    terminal.write("kept\r\nold\r\nold\r\nold\r\nold\u001B[1A");
    const frame = { lines: ["new"], cursor: { row: 0, column: 3 } };
    terminal.write(drawFrame(unknownFrame(2, 1), ["said"], frame));
    expect(terminal.paper).toEqual(["kept", "said", "new"]);
  });
});
