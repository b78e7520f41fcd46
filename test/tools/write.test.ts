import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { done, makeFiles, openTools, refused, stateOf } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("write", () => {
  it("makes a file and the folders on the way, with the usual permissions", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    expect(await run("write", { path: "src/deep/a.ts", content: "one\ntwo\n" })).toEqual(
      done("Wrote src/deep/a.ts: 2 lines, a new file."),
    );
    await writeFile(dir.join("usual"), "");
    const [made, usual] = await Promise.all([stat(dir.join("src/deep/a.ts")), stat(dir.join("usual"))]);
    expect({ text: await readFile(dir.join("src/deep/a.ts"), "utf8"), mode: made.mode }).toEqual({
      text: "one\ntwo\n",
      mode: usual.mode,
    });
    expect(await readdir(dir.join("src/deep"))).toEqual(["a.ts"]);
  });

  it("replaces a file and keeps its permissions", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "run.sh": "old" });
    await chmod(dir.join("run.sh"), 0o750);
    const { run } = await openTools(dir.path);
    expect(await run("write", { path: "run.sh", content: "new" })).toEqual(
      done("Wrote run.sh: 1 line, in place of what was there."),
    );
    expect((await stat(dir.join("run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readFile(dir.join("run.sh"), "utf8")).toBe("new");
  });

  it("leaves a file alone that has the content already", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "same\r\n" });
    const before = await stateOf(dir.join("a"));
    const { run } = await openTools(dir.path);
    expect(await run("write", { path: "a", content: "same\n" })).toEqual(done("a already has this content."));
    expect(await stateOf(dir.join("a"))).toEqual(before);
  });

  it.each([
    { case: "wide line ends", before: "a\r\nb\r\n", content: "c\nd\n", after: "c\r\nd\r\n" },
    { case: "narrow line ends", before: "a\nb\n", content: "c\nd\n", after: "c\nd\n" },
    { case: "the mark of UTF-8", before: "\ufeffa\n", content: "c\n", after: "\ufeffc\n" },
    {
      case: "what is given, where it has wide ends itself",
      before: "a\r\n",
      content: "c\r\nd\n",
      after: "c\r\nd\n",
    },
    { case: "what is given, where line ends were mixed", before: "a\r\nb\n", content: "c\n", after: "c\n" },
  ])("keeps $case", async ({ before, content, after }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: before });
    const { run } = await openTools(dir.path);
    await run("write", { path: "a", content });
    expect(await readFile(dir.join("a"), "utf8")).toBe(after);
  });

  it("writes through a link inside of the folder, which stays a link", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "real/a": "old" });
    await symlink("real/a", dir.join("link"));
    await symlink("real/new", dir.join("dangling"));
    const { run } = await openTools(dir.path);
    expect(await run("write", { path: "link", content: "1" })).toEqual(
      done("Wrote real/a: 1 line, in place of what was there."),
    );
    expect(await run("write", { path: "dangling", content: "2" })).toEqual(
      done("Wrote real/new: 1 line, a new file."),
    );
    expect(await readFile(dir.join("link"), "utf8")).toBe("1");
    expect(await readFile(dir.join("dangling"), "utf8")).toBe("2");
  });

  it.each([
    { path: "src", says: "src is a folder. Use the tool list to see what is in it." },
    { path: "new/", says: "new/ names a folder: give the path of a file." },
    { path: ".", says: ". is a folder. Use the tool list to see what is in it." },
    { path: "a/b", says: "Something on the way is no folder, or was replaced in the meantime. Look again." },
    {
      path: "read-only",
      says: "read-only is read-only. If it is meant to be changed, change its permissions first.",
    },
    {
      path: ".git/hooks/post-checkout",
      says: ".git/hooks/post-checkout belongs to git, and is not written. Use git commands with the tool bash.",
    },
    {
      path: "sub/.GIT/config",
      says: "sub/.GIT/config belongs to git, and is not written. Use git commands with the tool bash.",
    },
    {
      path: "sub/.g\u200cit",
      says: "sub/.g\u200cit belongs to git, and is not written. Use git commands with the tool bash.",
    },
    {
      path: "link/config",
      says: ".git/config belongs to git, and is not written. Use git commands with the tool bash.",
    },
    { path: "x".repeat(300), says: "The path is too long for the system." },
  ])("refuses to write $path", async ({ path, says }) => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "src/x": "", a: "", "read-only": "" });
    await chmod(dir.join("read-only"), 0o444);
    await mkdir(dir.join(".git"));
    await symlink(".git", dir.join("link"));
    const { run } = await openTools(dir.path);
    expect(await run("write", { path, content: "x" })).toEqual(refused(says));
  });

  it("refuses to write more than a file may have", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path, { limits: { fileBytes: 1000 } });
    expect(await run("write", { path: "a", content: "ä".repeat(600) })).toEqual(
      refused("A file may have 1.0 kB, and this is 1.2 kB."),
    );
  });

  it("writes names that look like git's and are not", async () => {
    await using dir = await tempDir();
    const { run } = await openTools(dir.path);
    for (const path of [".gitignore", ".github/a.yml", "git", "a.git/b"])
      expect(await run("write", { path, content: "" })).toEqual(done(`Wrote ${path}: 0 lines, a new file.`));
  });

  it("shows all of a new file", async () => {
    await using dir = await tempDir();
    const { preview } = await openTools(dir.path);
    const lines = Array.from({ length: 10_000 }, (_, at) => `${at + 1}\n`);
    const shown = lines.map((line) => `+${line}`).join("");
    expect(await preview("write", { path: "a", content: lines.join("") })).toBe(shown);
    expect(await readdir(dir.path)).toEqual([]);
  });

  it("shows what would change in a file that is there", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "one\r\ntwo\r\n", b: "\0" });
    const { preview } = await openTools(dir.path);
    expect(await preview("write", { path: "a", content: "one\n2\n" })).toBe(
      "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n",
    );
    expect(await preview("write", { path: "b", content: "text\n" })).toBe(
      "[in place of a file that is no text]\n+text\n",
    );
    expect(await preview("write", { path: ".git/a", content: "" })).toBe(
      "[This would fail: .git/a belongs to git, and is not written. Use git commands with the tool bash.]\n",
    );
    expect(await preview("write", { path: "a" })).toBe(
      '[This would fail: The input of write is not right: "content" is missing. Expected {"path": string, "content": string}.]\n',
    );
  });
});
