import { chmod, readFile, stat } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { done, makeFiles, openTools, refused, stateOf } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("edit", () => {
  it.each([
    { case: "a word", text: "a b c\n", edit: { old: "b", new: "B" }, after: "a B c\n" },
    { case: "lines", text: "1\n2\n3\n", edit: { old: "1\n2\n", new: "x\n" }, after: "x\n3\n" },
    { case: "what is removed", text: "1\n2\n", edit: { old: "2\n", new: "" }, after: "1\n" },
    {
      case: "what looks like a pattern",
      text: "a.b axb",
      edit: { old: "a.b", new: "$& $1" },
      after: "$& $1 axb",
    },
    {
      case: "lines of a file with wide ends",
      text: "1\r\n2\r\n3\r\n",
      edit: { old: "1\n2", new: "x\ny" },
      after: "x\r\ny\r\n3\r\n",
    },
    {
      case: "wide ends that are given",
      text: "1\r\n2\r\n",
      edit: { old: "1\r\n2", new: "3" },
      after: "3\r\n",
    },
    { case: "a line end before a line", text: "1\r\n2", edit: { old: "\n2", new: "" }, after: "1" },
    {
      case: "mixed ends, as they are given",
      text: "1\n2\r\n3\r\n",
      edit: { old: "2\n3", new: "x\ny" },
      after: "1\nx\r\ny\r\n",
    },
    { case: "behind the mark of UTF-8", text: "\ufeffa\n", edit: { old: "a", new: "b" }, after: "\ufeffb\n" },
  ])("replaces $case", async ({ text, edit, after }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { f: text });
    const { run } = await openTools(dir.path);
    expect(await run("edit", { path: "f", ...edit })).toEqual(done("Edited f."));
    expect(await readFile(dir.join("f"), "utf8")).toBe(after);
  });

  it("replaces every place where it is told to, and keeps the permissions", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { f: "a a\na" });
    await chmod(dir.join("f"), 0o755);
    const { run } = await openTools(dir.path);
    expect(await run("edit", { path: "f", old: "a", new: "aa", all: true })).toEqual(
      done("Edited f in 3 places."),
    );
    expect(await readFile(dir.join("f"), "utf8")).toBe("aa aa\naa");
    expect((await stat(dir.join("f"))).mode & 0o777).toBe(0o755);
  });

  const places = "The old text stands in f";
  const advice = "Give more of what is around the one that you mean, or set all to change every one.";
  it.each([
    {
      case: "several places",
      text: "x\ny\nx\n",
      old: "x",
      says: `${places} 2 times, in lines 1, 3. ${advice}`,
    },
    {
      case: "more places than it names",
      text: "x\n".repeat(12),
      old: "x",
      says: `${places} 12 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and others. ${advice}`,
    },
    {
      case: "other white space",
      text: "a\n\tif (x)  {\n",
      old: "    if (x) {\n",
      says: "The old text is not in f. Line 2 is the same but for white space:\n\tif (x)  {",
    },
    {
      case: "a typing error",
      text: "import a\nconst total = sum(prices);\n",
      old: "const totals = sum(price);",
      says: "The old text is not in f. Line 2 is nearest to its first line:\nconst total = sum(prices);",
    },
    {
      case: "nothing like it",
      text: "abc\n",
      old: "12345",
      says: "The old text is not in f, nor anything like it. Read the file again.",
    },
    {
      case: "only line ends",
      text: "abc",
      old: "\n\n",
      says: "The old text is not in f, nor anything like it. Read the file again.",
    },
    {
      case: "no change",
      text: "x",
      old: "y",
      new: "y",
      says: "old and new are the same: there is nothing to change.",
    },
    {
      case: "a file that is not UTF-8",
      text: Buffer.from([0x78, 0xe9]),
      old: "x",
      says: "f is not UTF-8, and an edit would damage it. Change it with the tool bash.",
    },
    {
      case: "a binary file",
      text: "x\0",
      old: "x",
      says: "f is a binary file of 2 B, and cannot be edited.",
    },
  ])(
    "says what is the matter with $case, and changes nothing",
    async ({ text, old, says, new: young = "new" }) => {
      await using dir = await tempDir();
      await makeFiles(dir.path, { f: text });
      const before = await stateOf(dir.join("f"));
      const { run, preview } = await openTools(dir.path);
      const input = { path: "f", old, new: young };
      expect(await run("edit", input)).toEqual(refused(says));
      expect(await preview("edit", input)).toBe(`[This would fail: ${says}]\n`);
      expect(await stateOf(dir.join("f"))).toEqual(before);
    },
  );

  it("refuses what is read-only, git's own, or not there", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { f: "x", ".git/config": "x" });
    await chmod(dir.join("f"), 0o400);
    const { run } = await openTools(dir.path);
    const says = async (path: string) => (await run("edit", { path, old: "x", new: "y" })).output;
    expect(await says("f")).toBe(
      "f is read-only. If it is meant to be changed, change its permissions first.",
    );
    expect(await says(".git/config")).toMatch(/^\.git\/config belongs to git, and is not written\./);
    expect(await says("ff")).toBe("ff is not there. Perhaps you mean f.");
  });

  it("shows the lines that would change", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { f: "1\n2\n3\n4\n5\n6\n7\n8\n9\n" });
    const { preview } = await openTools(dir.path);
    expect(await preview("edit", { path: "f", old: "5", new: "five" })).toBe(
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  it("gives the file back when an edit is undone by the opposite edit", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    const word = fc.stringMatching(/^[a-c \u00e4\u{1f600}$&]{1,3}$/u);
    const lines = (end: string) => fc.array(word, { minLength: 1, maxLength: 6 }).map((all) => all.join(end));
    const any = fc
      .constantFrom("\n", "\r\n")
      .chain((end) =>
        fc.record({ before: lines(end), old: lines(end), after: lines(end), young: lines(end) }),
      );
    await fc.assert(
      fc.asyncProperty(any, fc.boolean(), async ({ before, old, after, young }, isNarrow) => {
        // The marks keep the place unique, which is what an edit asks for.
        const file = `${before}<${old}>${after}`;
        await makeFiles(dir.path, { f: file });
        const told = (text: string) =>
          isNarrow && file.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
        fc.pre(old !== young);
        const edit = { path: "f", old: told(`<${old}>`), new: told(`<${young}>`) };
        expect(await run("edit", edit)).toEqual(done("Edited f."));
        expect(await readFile(dir.join("f"), "utf8")).toBe(`${before}<${young}>${after}`);
        // Where no wide end is left, the file cannot say that it had some.
        fc.pre(!isNarrow || /\r\n/.test(before + after) || !old.includes("\r\n"));
        expect(await run("edit", { path: "f", old: edit.new, new: edit.old })).toEqual(done("Edited f."));
        expect(await readFile(dir.join("f"), "utf8")).toBe(file);
      }),
    );
  });
});
