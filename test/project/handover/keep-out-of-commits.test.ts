import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepOutOfCommits } from "../../../src/project/handover/keep-out-of-commits.ts";
import { readGitFacts } from "../../../src/work/git-facts.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

const heading = "# Carryon: what it keeps here is no part of the repository, unless you want it to be.";
const sddDir = ".claude/sdd";

/** Does what happens before documents are written, and then writes one. */
async function keep(root: string): Promise<void> {
  await keepOutOfCommits(await readGitFacts(root), { root, sddDir });
  const folder = join(root, sddDir, "handover");
  await mkdir(folder, { recursive: true });
  for (const name of ["decisions.md", ".handover.carryon-lock"]) await writeFile(join(folder, name), "");
}

const status = (root: string) => git(root, "status", "--porcelain", "--untracked-files=all");

describe("documents that are new", () => {
  it("are not seen by git, and what was excluded before still is", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const exclude = dir.join(".git", "info", "exclude");
    await writeFile(exclude, "*.mine\r\n*.log");
    await writeFile(dir.join("a.mine"), "");
    await keep(dir.path);
    const after = `*.mine\r\n*.log\n${heading}\n.*.carryon-lock\n/.claude/sdd/handover/\n`;
    expect(await readFile(exclude, "utf8")).toBe(after);
    expect(await status(dir.path)).toBe("");
    await keep(dir.path);
    expect(await readFile(exclude, "utf8")).toBe(after);
  });

  it("are known in a list with CRLF", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const exclude = dir.join(".git", "info", "exclude");
    const list = `${heading}\r\n.*.carryon-lock\r\n/.claude/sdd/handover/\r\n`;
    await writeFile(exclude, list);
    await keep(dir.path);
    expect(await readFile(exclude, "utf8")).toBe(list);
    expect(await status(dir.path)).toBe("");
  });

  it("are not seen in a work tree, whose list is that of its repository", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.join("repo"), ["first"]);
    await git(dir.join("repo"), "worktree", "add", "--quiet", dir.join("tree"));
    await keep(dir.join("tree"));
    expect(await status(dir.join("tree"))).toBe("");
    expect(await readFile(dir.join("repo", ".git", "info", "exclude"), "utf8")).toContain(
      `${heading}\n.*.carryon-lock\n/.claude/sdd/handover/\n`,
    );
  });

  it("are excluded where the repository has no list, also in a folder with a strange name", async () => {
    await using dir = await tempDir();
    await git(dir.path, "init", "--quiet", "--template=", ".");
    const place = { root: dir.path, sddDir: "a [b]*" };
    await keepOutOfCommits(await readGitFacts(dir.path), place);
    await mkdir(dir.join("a [b]*", "handover"), { recursive: true });
    await mkdir(dir.join("a b", "handover"), { recursive: true });
    for (const name of ["a [b]*", "a b"]) await writeFile(dir.join(name, "handover", "session.md"), "");
    expect(await status(dir.path)).toBe('?? "a b/handover/session.md"');
  });

  it("need no git", async () => {
    await using dir = await tempDir();
    await keep(dir.path);
    await expect(stat(dir.join(".git"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("documents that are there", () => {
  it("stay in commits, and only locks are kept out", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    await mkdir(dir.join(sddDir, "handover"), { recursive: true });
    await writeFile(dir.join(sddDir, "handover", "session.md"), "committed\n");
    await git(dir.path, "add", ".");
    await git(dir.path, "commit", "--quiet", "--message", "documents");
    await writeFile(dir.join(".git", "info", "exclude"), "");
    await keep(dir.path);
    expect(await readFile(dir.join(".git", "info", "exclude"), "utf8")).toBe(`${heading}\n.*.carryon-lock\n`);
    expect(await status(dir.path)).toBe("?? .claude/sdd/handover/decisions.md");
  });
});
