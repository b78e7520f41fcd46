import { posix, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSddDir } from "../../src/workspace/parse-sdd-dir.ts";

describe("the folder of the documents", () => {
  it.each([
    [".sdd", ".sdd"],
    ["docs/sdd", "docs/sdd"],
    ["./docs//sdd/./", "docs/sdd"],
    ["a [b]*/引き継ぎ", "a [b]*/引き継ぎ"],
    ["..docs/.github/.gitignore", "..docs/.github/.gitignore"],
    ["docs/~", "docs/~"],
  ])("may be %j", (text, path) => {
    expect(parseSddDir(text)).toEqual({ type: "folder", path });
  });

  it.each([
    ["", "it names no folder"],
    [".", "it names no folder"],
    ["././", "it names no folder"],
    ["/", "it does not begin at the top of the project"],
    ["/docs", "it does not begin at the top of the project"],
    ["C:/docs", "it does not begin at the top of the project"],
    ["./c:docs", "it does not begin at the top of the project"],
    ["~", "it does not begin at the top of the project"],
    ["~/docs", "it does not begin at the top of the project"],
    ["..", "it leads out of the project"],
    ["../docs", "it leads out of the project"],
    ["docs/../sdd", "it leads out of the project"],
    ["docs\\sdd", "it has a backslash"],
    ["\\docs", "it has a backslash"],
    ["docs\n*", "it has a control character"],
    ["docs\0", "it has a control character"],
    [".git", "it is in the folder of git"],
    ["docs/.git/sdd", "it is in the folder of git"],
    [".GIT/info", "it is in the folder of git"],
    [".git. .", "it is in the folder of git"],
    ["Git~1", "it is in the folder of git"],
    [".g\u200cit", "it is in the folder of git"],
  ])("may not be %j", (text, reason) => {
    expect(parseSddDir(text)).toEqual({ type: "refused", reason });
  });

  it("is inside the project and on one line, whatever was written", () => {
    const word = fc.constantFrom("..", ".", "", "a", ".git", "~", "C:", "\\", "\n", " ", "é");
    fc.assert(
      fc.property(
        fc.array(word).map((words) => words.join("/")),
        (text) => {
          const dir = parseSddDir(text);
          if (dir.type === "refused") return;
          expect(posix.resolve("/top", dir.path)).toBe(`/top/${dir.path}`);
          expect(win32.resolve("C:\\top", dir.path)).toBe(`C:\\top\\${dir.path.replaceAll("/", "\\")}`);
          expect(dir.path).toMatch(/^[^\n]+$/);
          expect(dir.path.split("/")).not.toContain(".git");
          expect(parseSddDir(dir.path)).toEqual(dir);
        },
      ),
    );
  });
});
