import { mkdir, rename, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("search", () => {
  it("gives the lines that have a pattern, with path and number", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, {
      "a.ts": "one\ntwo 1\n",
      "src/b.ts": "two 22\r\nTWO\r\n",
      "src/deep/c": "two x",
    });
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "^two \\d+$" })).toEqual(
      done("a.ts:2: two 1\nsrc/b.ts:1: two 22\n"),
    );
    expect(await run("search", { pattern: "(?i)two$" })).toEqual(done("src/b.ts:2: TWO\n"));
    expect(await run("search", { pattern: "three" })).toEqual(
      done("[None of 3 files has a line with it.]\n"),
    );
  });

  it.each([
    {
      case: "a folder",
      given: { path: "src" },
      output: "src/b.ts:1: x\nsrc/b.test.ts:1: x\nsrc/in/c.md:1: x\n",
    },
    { case: "a file", given: { path: "src/b.ts" }, output: "src/b.ts:1: x\n" },
    {
      case: "files with an ending",
      given: { glob: "*.ts" },
      output: "a.ts:1: x\nsrc/b.test.ts:1: x\nsrc/b.ts:1: x\n",
    },
    { case: "files by their path", given: { glob: "src/**/*.md" }, output: "src/in/c.md:1: x\n" },
    {
      case: "files by their path from a folder",
      given: { path: "src", glob: "in/*" },
      output: "src/in/c.md:1: x\n",
    },
    { case: "all other files", given: { path: "src", glob: "!src/**/*.ts" }, output: "src/in/c.md:1: x\n" },
    { case: "no files", given: { glob: "*.rs" }, output: "[None of 0 files has a line with it.]\n" },
  ])("looks through $case", async ({ given, output }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "a.ts": "x", "src/b.ts": "x", "src/b.test.ts": "x", "src/in/c.md": "x" });
    const { run } = await openTools(dir.path);
    const { output: found, failed } = await run("search", { pattern: "x", ...given });
    expect({ output: sorted(found), failed }).toEqual(done(sorted(output)));
  });

  it("leaves out what git ignores, unless it is named", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await makeFiles(dir.path, {
      ".gitignore": "build\n*.log\n",
      "build/a.js": "x",
      "build/deep/b.js": "x",
      "c.log": "x",
      "known.log": "x",
      "new.ts": "x",
    });
    await git(dir.path, "add", "--force", "known.log", ".gitignore");
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "x" })).toEqual(done("known.log:1: x\nnew.ts:1: x\n"));
    expect(await run("search", { pattern: "x", path: "build" })).toEqual(
      done("build/a.js:1: x\nbuild/deep/b.js:1: x\n"),
    );
    expect(await run("search", { pattern: "x", path: "c.log" })).toEqual(done("c.log:1: x\n"));
  });

  it("looks into repositories within the repository, by their own rules", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await makeRepo(dir.join("inner"), ["one"]);
    await makeRepo(dir.join("module"), ["one"]);
    await makeFiles(dir.path, {
      "inner/.gitignore": "a\n",
      "inner/a": "x",
      "inner/b.ts": "x",
      "module/c.ts": "x",
    });
    await git(dir.path, "add", "module");
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "x", glob: "*.ts" })).toEqual(
      done("module/c.ts:1: x\ninner/b.ts:1: x\n"),
    );
  });

  it("leaves out what is installed and git's own files where there is no repository", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, {
      "node_modules/a/i.js": "x",
      "in/.git/HEAD": "x",
      "in/b": "x",
      ".hidden": "x",
    });
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "x" })).toEqual(done(".hidden:1: x\nin/b:1: x\n"));
  });

  it("follows no links, also where git lists what is behind one now", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "work/src/a": "x", "work/b": "x", "out/a": "secret x", "out/b": "secret x" });
    await makeRepo(dir.join("work"), []);
    await symlink(dir.join("out/b"), dir.join("work/link"));
    await git(dir.join("work"), "add", ".");
    await rename(dir.join("work/src"), dir.join("moved"));
    await symlink(dir.join("out"), dir.join("work/src"));
    const { run } = await openTools(dir.join("work"));
    expect(await run("search", { pattern: "x" })).toEqual(done("b:1: x\n"));
    const { output, failed } = await run("search", { pattern: "x", path: "src" });
    expect({ output: output.slice(0, 33), failed }).toEqual(refused("src leads out of the work folder "));
  });

  it("passes over binary files, and counts those that are too large", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { bin: "x\0", large: "x\n".repeat(1000), small: "x" });
    const { run } = await openTools(dir.path, { limits: { fileBytes: 1000 } });
    expect(await run("search", { pattern: "x" })).toEqual(
      done("small:1: x\n[1 file was too large to be searched.]\n"),
    );
  });

  it("gives as many lines as there is room for, and counts all", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "xx\n".repeat(100), b: "xx\n" });
    const { run } = await openTools(dir.path, { limits: { outputCharacters: 430 } });
    expect(await run("search", { pattern: "x" })).toEqual(
      done(
        "a:1: xx\na:2: xx\na:3: xx\n[… and 98 more; 101 lines of 2 files in all. Search for less, or in a folder.]\n",
      ),
    );
  });

  it("shows of a long line what is around the place", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: `${"-".repeat(1000)}here${"+".repeat(1000)}` });
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "here" })).toEqual(
      done(`a:1: …${"-".repeat(100)}here${"+".repeat(196)}…\n`),
    );
  });

  it.each([
    {
      case: "no regular expression",
      given: { pattern: "foo(" },
      says: /^The pattern is no regular expression of RE2, .* put \\ before each\.$/s,
    },
    {
      case: "a lookahead",
      given: { pattern: "a(?=b)" },
      says: /^The pattern is no regular expression of RE2/,
    },
    {
      case: "a pattern that is too long",
      given: { pattern: "x".repeat(3000) },
      says: /^A pattern may have 1000/,
    },
    {
      case: "one that repeats too much",
      given: { pattern: "(?:[a-z]{30}){30}x{1000}y{1000}" },
      says: /^The pattern repeats too much\. /,
    },
    { case: "no glob", given: { pattern: "x", glob: "[z-a]" }, says: /^\[z-a\] is no glob\./ },
    { case: "a glob that is open", given: { pattern: "x", glob: "{a,b" }, says: /^\{a,b is no glob\./ },
    {
      case: "a path that is not there",
      given: { pattern: "x", path: "sr" },
      says: /^sr is not there\. Perhaps you mean src\.$/,
    },
    {
      case: "a pattern that is empty",
      given: { pattern: "" },
      says: /^The input of search is not right: "pattern" must not be empty\./,
    },
  ])("says what is the matter with $case", async ({ given, says }) => {
    await using dir = await tempDir();
    await mkdir(dir.join("src"));
    const { run } = await openTools(dir.path);
    expect(await run("search", given)).toEqual(refused(expect.stringMatching(says) as unknown as string));
  });

  it("ends with what it has found when its time is over", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "x" });
    const { run } = await openTools(dir.path, { limits: { commandMs: 0 } });
    expect(await run("search", { pattern: "x" })).toEqual(
      done(
        "[None of 0 files has a line with it.]\n[Stopped after 0 s: not all files were searched. Search in a folder, or with a glob.]\n",
      ),
    );
  });

  it("is not slowed down by a pattern that others go back for", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: `${"a".repeat(50_000)}\n`.repeat(20) });
    const { run } = await openTools(dir.path);
    expect(await run("search", { pattern: "(a+)+$b|(a|aa)+c" })).toEqual(
      done("[None of 1 files has a line with it.]\n"),
    );
  });

  it("throws the reason of an abort while it searches", async () => {
    await using dir = await tempDir();
    await makeFiles(
      dir.path,
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at}/a`, "x\n".repeat(9999)])),
    );
    const { run } = await openTools(dir.path);
    const stop = new AbortController();
    const reason = new Error("stopped");
    const running = run("search", { pattern: "y" }, stop.signal);
    setImmediate(() => stop.abort(reason));
    await expect(running).rejects.toBe(reason);
  });
});

const sorted = (lines: string) => lines.split("\n").sort().join("\n");
