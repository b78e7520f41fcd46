import { describe, expect, it } from "vitest";
import { countCode } from "../../scripts/count-code.ts";
import { instrument, measureWalk } from "../../scripts/trace-command.ts";

describe("the lines of code of a source", () => {
  it.each([
    { case: "blank lines and comments are none", text: "\n// a\n/* b\n c */\nconst d = 1; // e\n", lines: 1 },
    {
      case: "a comment before a function is none",
      text: "/**\n * A.\n */\nfunction f(): void {\n}\n",
      lines: 2,
    },
    { case: "every line of a template is one", text: "const text = `a\n\n// b\n`;\n", lines: 4 },
  ])("$case", ({ text, lines }) => {
    expect(countCode(text)).toBe(lines);
  });
});

describe("the walk of a command", () => {
  it("counts changes of folder in the order of the calls, without lib", () => {
    const calls = ["cli/a.ts", "lib/b.ts", "cli/a.ts", "work/c.ts", "work/d.ts", "cli/a.ts"];
    expect(measureWalk(calls)).toEqual({
      files: ["cli/a.ts", "lib/b.ts", "work/c.ts", "work/d.ts"],
      fileChanges: 5,
      folderChanges: 2,
    });
  });

  it("is told by every function that has a block, and by no other", () => {
    const called = 'globalThis.__carryonCalled?.("a.ts");';
    expect(instrument("function f() { return () => 1; }\nconst g = () => { f(); };\n", "a.ts")).toBe(
      `function f() {${called} return () => 1; }\nconst g = () => {${called} f(); };\n`,
    );
  });
});
