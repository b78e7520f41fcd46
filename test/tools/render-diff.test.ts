import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderDiff } from "../../src/tools/text/render-diff.ts";
import { makeFiles } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`);

/** Applies a diff as `patch` does, strictly: every line that stays or goes must be there. */
function apply(before: string, diff: string): string {
  const old = before.split(/(?<=\n)/).filter((line) => line !== "");
  const after: string[] = [];
  let at = 0;
  const rows = diff.replaceAll("\n\\ No newline at end of file\n", "¶").split(/(?<=[\n¶])/);
  for (const row of rows.filter((each) => each !== "")) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n$/.exec(row);
    if (header !== null) {
      const start = header[2] === "0" ? Number(header[1]) : Number(header[1]) - 1;
      after.push(...old.slice(at, start));
      at = start;
      continue;
    }
    const text = row.slice(1).replace("¶", "");
    if (row[0] !== "+") expect(old[at++]).toBe(text);
    if (row[0] !== "-") after.push(text);
  }
  return [...after, ...old.slice(at)].join("");
}

describe("a diff", () => {
  it("is empty for equal texts", () => {
    expect(renderDiff("a\nb", "a\nb")).toBe("");
  });

  it("shows three lines around each change, and joins changes that are near", () => {
    const young = numbers(30).map((line) => (["5\n", "8\n", "25\n"].includes(line) ? `x${line}` : line));
    expect(renderDiff(numbers(30).join(""), young.join(""))).toBe(
      [
        "@@ -2,10 +2,10 @@\n 2\n 3\n 4\n-5\n+x5\n 6\n 7\n-8\n+x8\n 9\n 10\n 11\n",
        "@@ -22,7 +22,7 @@\n 22\n 23\n 24\n-25\n+x25\n 26\n 27\n 28\n",
      ].join(""),
    );
  });

  it.each([
    { case: "a new text", before: "", after: "a\n", diff: "@@ -0,0 +1 @@\n+a\n" },
    { case: "a removed text", before: "a\nb\n", after: "", diff: "@@ -1,2 +0,0 @@\n-a\n-b\n" },
    {
      case: "a last line without an end",
      before: "a\nb",
      after: "a\nb\n",
      diff: "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
    },
  ])("shows $case", ({ before, after, diff }) => {
    expect(renderDiff(before, after)).toBe(diff);
  });

  it("leads from the one text to the other, for any texts", () => {
    const line = fc.constantFrom("a", "b", "c", "", "@@ -1 +1 @@", "-a");
    const text = fc
      .array(line, { maxLength: 30 })
      .chain((lines) =>
        fc.constantFrom("", "\n").map((end) => lines.join("\n") + (lines.length > 0 ? end : "")),
      );
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(apply(before, renderDiff(before, after))).toBe(after);
      }),
    );
  });

  it("is what git makes of the same texts, where there is one way to change them", async () => {
    await using dir = await tempDir();
    const old = numbers(40);
    const young = [...old.slice(0, 7), "new\n", ...old.slice(9, 30), ...old.slice(31)];
    await makeFiles(dir.path, { old: old.join(""), young: young.join("") });
    const { stdout } = await promisify(execFile)(
      "git",
      ["-c", "core.pager=cat", "diff", "--no-index", "--no-color", "old", "young"],
      { cwd: dir.path },
    ).catch((error: { readonly stdout: string }) => error);
    // Git names the line before a hunk behind its header.
    const theirs = stdout.replace(/^(?:diff|index|---|\+\+\+).*\n/gm, "").replace(/^(@@ .* @@).*$/gm, "$1");
    expect(renderDiff(old.join(""), young.join(""))).toBe(theirs);
  });

  it("shows texts that differ everywhere without comparing each line with each", () => {
    const [before, after] = ["a", "b"].map((sign) =>
      numbers(5000)
        .map((line) => sign + line)
        .join(""),
    ) as [string, string];
    expect(apply(before, renderDiff(before, after))).toBe(after);
  });
});
