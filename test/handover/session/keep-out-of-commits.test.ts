import { chmod, mkdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGitFacts } from "../../../src/git/git-facts.ts";
import { keepOutOfCommits } from "../../../src/handover/documents-in-commits.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

const heading = "# Carryon: what it keeps here is no part of the repository, unless you want it to be.";
const sddDir = ".claude/sdd";

/** Does what happens before documents are written, and then writes one; returns the warning. */
async function keep(root: string): Promise<string | undefined> {
  const warning = await keepOutOfCommits(await readGitFacts(root), { root, sddDir });
  const folder = join(root, sddDir, "handover");
  await mkdir(folder, { recursive: true });
  for (const name of ["decisions.md", ".handover.carryon-lock"]) await writeFile(join(folder, name), "");
  return warning;
}

const status = (root: string) => git(root, "status", "--porcelain", "--untracked-files=all");

describe("documents that are new", () => {
  it("are not seen by git, and what was excluded before still is", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const exclude = dir.join(".git", "info", "exclude");
    await writeFile(exclude, Buffer.from("*.mine\r\n/caf\xe9\r\n*.log", "latin1"));
    await chmod(exclude, 0o640);
    for (const name of ["a.mine", "a.log"]) await writeFile(dir.join(name), "");
    expect(await keep(dir.path)).toBeUndefined();
    const added = ["", heading, ".*.carryon-lock", "/.claude/sdd/handover/", ""].join("\r\n");
    const after = `*.mine\r\n/caf\xe9\r\n*.log${added}`;
    expect(await readFile(exclude, "latin1")).toBe(after);
    expect((await stat(exclude)).mode & 0o777).toBe(0o640);
    expect(await status(dir.path)).toBe("");
    expect(await keep(dir.path)).toBeUndefined();
    expect(await readFile(exclude, "latin1")).toBe(after);
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

  it.each([
    {
      case: "a work tree",
      prepare: async (folder: string) => {
        await makeRepo(join(folder, "repo"), ["first"]);
        await git(join(folder, "repo"), "worktree", "add", "--quiet", join(folder, "tree"));
        return "repo/.git";
      },
    },
    {
      case: "a work tree of a bare repository",
      prepare: async (folder: string) => {
        await makeRepo(join(folder, "repo"), ["first"]);
        await git(folder, "clone", "--quiet", "--bare", "repo", "tree/.bare");
        await git(join(folder, "tree", ".bare"), "worktree", "add", "--quiet", join(folder, "tree", "main"));
        return "tree/.bare";
      },
      tree: "tree/main",
    },
    {
      case: "a repository whose folder of git is elsewhere",
      prepare: async (folder: string) => {
        await git(folder, "init", "--quiet", "--separate-git-dir", join(folder, "away"), "tree");
        return "away";
      },
    },
    {
      case: "a repository whose folder of git is a link",
      prepare: async (folder: string) => {
        await makeRepo(join(folder, "tree"), ["first"]);
        await rename(join(folder, "tree", ".git"), join(folder, "away"));
        await symlink(join(folder, "away"), join(folder, "tree", ".git"));
        return "away";
      },
    },
    {
      case: "a submodule",
      prepare: async (folder: string) => {
        for (const name of ["repo", "top"]) await makeRepo(join(folder, name), ["first"]);
        await git(join(folder, "top"), "submodule", "--quiet", "add", join(folder, "repo"), "tree");
        return "top/.git/modules/tree";
      },
      tree: "top/tree",
    },
  ])("are not seen in $case, whose list is that of its repository", async ({ prepare, tree = "tree" }) => {
    await using dir = await tempDir();
    const folder = await prepare(dir.path);
    expect(await keep(dir.join(tree))).toBeUndefined();
    expect(await status(dir.join(tree))).toBe("");
    expect(await readFile(dir.join(folder, "info", "exclude"), "utf8")).toContain(
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

describe("documents that git cannot be told of", () => {
  const warning = (reason: string, line = "/.claude/sdd/handover/") =>
    `Git may show .claude/sdd/handover unless you add \`${line}\` to .gitignore: ${reason}`;

  it.each([
    {
      case: "the list is a link",
      prepare: async (info: string) => {
        await rename(join(info, "exclude"), join(info, "mine"));
        await symlink("mine", join(info, "exclude"));
      },
      reason: "<info>/exclude is a symbolic link and is not written through.",
    },
    {
      case: "the list is read-only",
      prepare: (info: string) => chmod(join(info, "exclude"), 0o444),
      reason: "<info>/exclude may not be written.",
    },
    {
      case: "its folder is read-only",
      prepare: (info: string) => chmod(info, 0o555),
      reason: "<info>/exclude may not be written.",
    },
    {
      case: "its folder is a file",
      prepare: async (info: string) => {
        await rm(info, { recursive: true });
        await writeFile(info, "");
      },
      reason: "<info> is not a folder.",
    },
    {
      case: "its lock cannot be taken",
      prepare: async (info: string) => mkdir(join(info, ".exclude.carryon-lock")),
      reason: "<info>/.exclude.carryon-lock is not a regular file.",
    },
  ])("are warned of while git shows them, because $case", async ({ prepare, reason }) => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const info = dir.join(".git", "info");
    await prepare(info);
    const said = warning(reason.replace("<info>", info));
    // They are there the second time, and shown as before.
    expect([await keep(dir.path), await keep(dir.path)]).toEqual([said, said]);
    expect(await status(dir.path)).toContain("?? .claude/sdd/handover/decisions.md");
    await writeFile(dir.join(".gitignore"), "/.claude/sdd/handover/\n");
    expect(await keep(dir.path)).toBeUndefined();
    expect(await status(dir.path)).toBe("?? .gitignore");
  });

  it("need no warning where somebody has put the lines behind the link", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const info = dir.join(".git", "info");
    await rm(join(info, "exclude"));
    await symlink("mine", join(info, "exclude"));
    expect(await keep(dir.path)).toBe(
      warning(`${info}/exclude is a symbolic link and is not written through.`),
    );
    await writeFile(join(info, "mine"), ".*.carryon-lock\n/.claude/sdd/handover/\n");
    expect(await keep(dir.path)).toBeUndefined();
    expect(await readlink(join(info, "exclude"))).toBe("mine");
  });

  it("are warned of for their locks alone when they are in commits", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    await mkdir(dir.join(sddDir, "handover"), { recursive: true });
    await writeFile(dir.join(sddDir, "handover", "session.md"), "committed\n");
    await git(dir.path, "add", ".");
    await chmod(dir.join(".git", "info", "exclude"), 0o444);
    const reason = `${dir.join(".git", "info", "exclude")} may not be written.`;
    expect(await keep(dir.path)).toBe(warning(reason, ".*.carryon-lock"));
    await writeFile(dir.join(".gitignore"), ".*.carryon-lock\n");
    expect(await keep(dir.path)).toBeUndefined();
  });
});
