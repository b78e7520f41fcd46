import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

const text = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

describe("read", () => {
  it("gives the lines of a file with their numbers", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "src/a.ts": text(10) });
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "src/a.ts" })).toEqual(
      done(
        " 1\tline 1\n 2\tline 2\n 3\tline 3\n 4\tline 4\n 5\tline 5\n 6\tline 6\n 7\tline 7\n 8\tline 8\n 9\tline 9\n10\tline 10\n",
      ),
    );
  });

  it.each([
    { case: "from a line on", given: { from: 3 }, output: "3\tline 3\n4\tline 4\n" },
    { case: "up to a line", given: { to: 1 }, output: "1\tline 1\n[The file has 4 lines.]\n" },
    {
      case: "in a range",
      given: { from: 2, to: 3 },
      output: "2\tline 2\n3\tline 3\n[The file has 4 lines.]\n",
    },
    { case: "beyond the end", given: { from: 4, to: 9 }, output: "4\tline 4\n" },
    {
      case: "with null for what is not given",
      given: { from: null, to: null },
      output: "1\tline 1\n2\tline 2\n3\tline 3\n4\tline 4\n",
    },
  ])("gives lines $case", async ({ given, output }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: text(4) });
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "a", ...given })).toEqual(done(output));
  });

  it("gives a long file in pieces, each of which says how to go on", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: text(200) });
    const { run } = await openTools(dir.path, { limits: { outputCharacters: 1000 } });
    const pieces: string[] = [];
    for (let from = 1; from <= 200; ) {
      const { output } = await run("read", { path: "a", from });
      expect(output.length).toBeLessThanOrEqual(1000);
      const note = /^\[The file has 200 lines\. Read on with from: (\d+)\.\]\n/m.exec(output);
      pieces.push(output.replace(note?.[0] ?? "", "").replace(/^ *\d+\t/gm, ""));
      from = Number(note?.[1] ?? 201);
    }
    expect(pieces.join("")).toBe(text(200));
  });

  it("cuts a line that nobody wrote, and says how much of it is missing", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: `${"x".repeat(5000)}\nend` });
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "a" })).toEqual(
      done(`1\t${"x".repeat(2000)} [… 3000 more characters in this line]\n2\tend\n`),
    );
  });

  it.each([
    { case: "an empty file", bytes: "", outcome: done("[a is empty.]") },
    { case: "wide line ends", bytes: "one\r\ntwo\r\n", outcome: done("1\tone\n2\ttwo\n") },
    { case: "the mark of UTF-8", bytes: "\ufeffone\n", outcome: done("1\tone\n") },
    {
      case: "UTF-16",
      bytes: Buffer.from("\ufeffone\ntwo", "utf16le"),
      outcome: done(
        "1\t\ufeffone\n2\ttwo\n[The file is UTF-16, which edit does not change.]\n".replace("\ufeff", ""),
      ),
    },
    {
      case: "Latin-1",
      bytes: Buffer.from("caf\xe9\n", "latin1"),
      outcome: done(
        "1\tcaf\ufffd\n[The file is not UTF-8: bytes that are none are shown as \ufffd, and edit does not change it.]\n",
      ),
    },
    {
      case: "a picture",
      bytes: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
      outcome: refused("a is a PNG picture of 16 B, and has no lines."),
    },
    {
      case: "a PDF without NUL",
      bytes: "%PDF-1.7\n",
      outcome: refused("a is a PDF document of 9 B, and has no lines."),
    },
    { case: "other bytes", bytes: "a\0b", outcome: refused("a is a binary file of 3 B, and has no lines.") },
  ])("knows $case", async ({ bytes, outcome }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: bytes });
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "a" })).toEqual(outcome);
  });

  it.each([
    { path: "src/mian.ts", says: "src/mian.ts is not there. Perhaps you mean src/main.ts." },
    {
      path: "scr/main.ts",
      says: "scr/main.ts is not there: there is no scr in the work folder. Perhaps you mean src.",
    },
    {
      path: "src/lib/a/b",
      says: "src/lib/a/b is not there: there is no lib in src. Use the tool list to see what is.",
    },
    { path: "src", says: "src is a folder. Use the tool list to see what is in it." },
    { path: ".", says: ". is a folder. Use the tool list to see what is in it." },
    {
      path: "src/main.ts/x",
      says: "src/main.ts is no folder, and has nothing in it.",
    },
    {
      path: "big",
      says: "big has 2.0 kB, and at most 1.0 kB are taken. Look at a part of it with the tool bash: head, tail, sed or grep.",
    },
    { path: "pipe", says: "pipe is a named pipe, and no regular file." },
  ])("says of $path what is the matter", async ({ path, says }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "src/main.ts": "1", big: "x".repeat(2000) });
    await promisify(execFile)("mkfifo", [dir.join("pipe")]);
    const { run } = await openTools(dir.path, { limits: { fileBytes: 1000 } });
    expect(await run("read", { path })).toEqual(refused(says));
  });

  it("says how many lines there are when it is asked for others", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: text(3) });
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "a", from: 4 })).toEqual(
      refused("a has 3 lines, and none with the number 4."),
    );
    expect(await run("read", { path: "a", from: 3, to: 2 })).toEqual(
      refused("from (3) is greater than to (2)."),
    );
  });

  it("follows links inside of the folder, and shows where they led", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "real/a": "here\n" });
    await mkdir(dir.join("deep"));
    await symlink("../real", dir.join("deep/link"));
    const { run } = await openTools(dir.path);
    expect(await run("read", { path: "deep/link/a" })).toEqual(done("1\there\n"));
    expect(await run("read", { path: "deep/link/b", to: 1 })).toEqual(
      refused("real/b is not there. Use the tool list to see what is."),
    );
  });

  it("throws the reason of an abort", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "1" });
    const { run } = await openTools(dir.path);
    const reason = new Error("stopped");
    await expect(run("read", { path: "a" }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
