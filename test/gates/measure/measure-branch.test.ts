import { execFile } from "node:child_process";
import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines, measure, workIn } from "../../support/branch-measure.ts";
import { casesWithPrograms } from "../../support/cases.ts";
import { git, gitEnv, makeRepo } from "../../support/git-repo.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("counts", () => {
  it("nothing where nothing has changed", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    const base = await git(root, "rev-parse", "main");
    expect(await measure(root)).toEqual({ lines: 0, added: 0, removed: 0, base });
  });

  it("what is committed, staged, changed and new", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    const base = await git(root, "rev-parse", "main");
    await writeFiles(root, { "committed.txt": lines(3) });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "second");
    await writeFiles(root, { "staged.txt": lines(5) });
    await git(root, "add", "-A");
    await writeFiles(root, { "a.txt": "b\n", "new/deep.txt": lines(7), "new/no end.txt": "x\ny" });
    rmSync(join(root, "src/b.txt"));
    expect(await measure(root)).toEqual({ lines: 20, added: 18, removed: 2, base });
  });

  it("only what differs from the default branch when it has gone on", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    const base = await git(root, "rev-parse", "main");
    await writeFiles(root, { "mine.txt": lines(4) });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "mine");
    await git(root, "switch", "-q", "main");
    await writeFiles(root, { "theirs.txt": lines(50) });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "theirs");
    await git(root, "switch", "-q", "work");
    expect(await measure(root)).toEqual({ lines: 4, added: 4, removed: 0, base });
  });

  it("neither binary nor ignored files, nor a repository inside, and a link as one line", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await writeFiles(root, {
      ".git/info/exclude": "*.log\n",
      "big.log": lines(100),
      "binary.bin": `\0${lines(100)}`,
      "empty.txt": "",
      "staged.bin": `\0${lines(100)}`,
      ".x.json.carryon-lock": lines(100),
    });
    await git(root, "add", "staged.bin");
    symlinkSync("a.txt", join(root, "link"));
    await makeRepo(join(root, "inner"), ["first"]);
    await writeFiles(root, { "inner/file.txt": lines(100) });
    await promisify(execFile)("mkfifo", [join(root, "pipe")]);
    expect(await measure(root)).toMatchObject({ lines: 1, added: 1, removed: 0 });
  });

  it("a moved file as removed and added, whatever the settings say", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await git(root, "config", "diff.renames", "copies");
    await git(root, "config", "diff.orderFile", "missing");
    await git(root, "mv", "a.txt", "moved.txt");
    expect(await measure(root)).toMatchObject({ lines: 2, added: 1, removed: 1 });
  });

  it("lock files of package managers as any other file, and names of any bytes", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await writeFiles(root, { "package-lock.json": lines(900), "two\nlines\tand a tab": lines(2) });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), lines(3));
    expect(await measure(root)).toMatchObject({ lines: 905 });
    await git(root, "add", "-A");
    expect(await measure(root)).toMatchObject({ lines: 905 });
  });

  it("at least as much as it reads of new files", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await writeFiles(root, { "1.txt": lines(10), "2.txt": lines(10), "3.txt": lines(10) });
    const reason = "There are more new files than are read; the figure is at least so high.";
    expect(await measure(root, { limits: { files: 2, bytes: 1000 } })).toMatchObject({ lines: 20, reason });
    expect(await measure(root, { limits: { files: 9, bytes: 30 } })).toMatchObject({ lines: 10, reason });
    expect(await measure(root, { limits: { files: 3, bytes: 60 } })).not.toHaveProperty("reason");
  });

  it("a submodule as the line that names its commit", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await makeRepo(dir.join("library"), ["first"]);
    await git(root, "submodule", "--quiet", "add", "../library", "library");
    await git(root, "commit", "-qm", "library");
    await git(root, "branch", "-f", "main");
    await writeFiles(root, { "library/new.txt": lines(10) });
    expect(await measure(root)).toMatchObject({ lines: 0 });
    await git(join(root, "library"), "commit", "--quiet", "--allow-empty", "-m", "second");
    expect(await measure(root)).toMatchObject({ lines: 2, added: 1, removed: 1 });
  });

  it("in a sparse checkout only what is there", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await git(root, "sparse-checkout", "set", "--no-cone", "/a.txt");
    expect(existsSync(join(root, "src/b.txt"))).toBe(false);
    await writeFiles(root, { "a.txt": "b\n" });
    expect(await measure(root)).toMatchObject({ lines: 2 });
  });

  it("in a worktree and from a folder with odd variables of git", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "worktree", "add", "--quiet", "-b", "work", "../tree");
    await writeFiles(dir.join("tree"), { "a.txt": "b\n" });
    const env = {
      ...gitEnv,
      GIT_DIR: join(root, ".git"),
      GIT_INDEX_FILE: "/dev/null",
      GIT_EXTERNAL_DIFF: "false",
    };
    expect(await measure(dir.join("tree"), { env })).toMatchObject({ lines: 2 });
  });

  it("what git counts, for any changes", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    const content = fc.array(fc.constantFrom("a", "b", "\n", "\n", "\r\n", "\0"), { maxLength: 12 });
    const files = fc.dictionary(fc.constantFrom("a.txt", "src/b.txt", "new.txt", "n/o.txt"), content, {
      minKeys: 1,
    });
    await fc.assert(
      fc.asyncProperty(files, async (changes) => {
        await writeFiles(
          root,
          Object.fromEntries(Object.entries(changes).map(([name, parts]) => [name, parts.join("")])),
        );
        const found = await measure(root);
        await git(root, "add", "-A");
        const counted = (await git(root, "diff", "--cached", "--numstat", "main"))
          .split("\n")
          .map((line) => line.split("\t"));
        const [added, removed] = [0, 1].map((at) =>
          counted.reduce((sum, row) => sum + (Number(row[at]) || 0), 0),
        );
        await git(root, "reset", "-q");
        expect(found).toMatchObject({ added, removed });
      }),
      { numRuns: casesWithPrograms(100) },
    );
  });
});

it("starts none of the programs that a repository names", async () => {
  await using dir = await tempDir();
  const root = await workIn(dir.join("repo"));
  const program = `touch ${dir.join("ran")};`;
  for (const name of ["core.fsmonitor", "diff.external", "diff.x.command", "diff.x.textconv", "core.pager"])
    await git(root, "config", name, program);
  await writeFiles(root, {
    ".git/info/attributes": "* diff=x\n",
    "a.txt": "b\n",
    ".git/hooks/post-index-change": program,
  });
  chmodSync(join(root, ".git/hooks/post-index-change"), 0o755);
  expect(await measure(root)).toMatchObject({ lines: 2 });
  expect(existsSync(dir.join("ran"))).toBe(false);
});
