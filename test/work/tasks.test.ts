import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Task, toTasks } from "../../src/work/tasks.ts";

const states = { " ": "open", ">": "current", x: "done" } as const;

/** `x ` is a list of one that is done and one that is open, with the texts 1 and 2. */
function list(marks: string): readonly Task[] {
  return Array.from(marks, (mark, index) => ({
    text: String(index + 1),
    state: states[mark as keyof typeof states],
  }));
}

describe("toTasks", () => {
  it.each([
    { case: "nothing", marks: "", completed: [], pending: [], next: undefined, skipped: [] },
    { case: "nothing done", marks: "  ", completed: [], pending: ["1", "2"], next: "1", skipped: [] },
    { case: "all done", marks: "xx", completed: ["1", "2"], pending: [], next: undefined, skipped: [] },
    {
      case: "a gap before the last that is done",
      marks: "x x  ",
      ...{ completed: ["1", "3"], pending: ["2", "4", "5"], next: "4", skipped: ["2"] },
    },
    {
      case: "only gaps",
      marks: "x  x",
      ...{ completed: ["1", "4"], pending: ["2", "3"], next: "2", skipped: [] },
    },
    {
      case: "a current one",
      marks: " x x > ",
      ...{ completed: ["2", "4"], pending: ["1", "3", "5", "6", "7"], next: "6", skipped: ["1", "3"] },
    },
    {
      case: "a current one before what is done",
      marks: " >x ",
      ...{ completed: ["3"], pending: ["1", "2", "4"], next: "2", skipped: ["1"] },
    },
  ])("tells what is next after $case", ({ marks, completed, pending, next, skipped }) => {
    expect(toTasks(list(marks))).toEqual({ completed, pending, next, skipped });
  });

  // Seed 1: 5.2
  it("agrees with a plain reading of the rule, for any boxes", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (boxes) => {
        const marks = boxes.map((isDone) => (isDone ? "x" : " ")).join("");
        // Without the spaces at its end, the list ends with the last that is done.
        const behind = marks.trimEnd().length;
        const gaps = Array.from(marks.slice(0, behind).matchAll(/ /g), ({ index }) => String(index + 1));
        const isBeyond = behind < marks.length;
        expect(toTasks(list(marks))).toEqual({
          completed: Array.from(marks.matchAll(/x/g), ({ index }) => String(index + 1)),
          pending: Array.from(marks.matchAll(/ /g), ({ index }) => String(index + 1)),
          next: isBeyond ? String(behind + 1) : gaps[0],
          skipped: isBeyond ? gaps : [],
        });
      }),
    );
  });
});
