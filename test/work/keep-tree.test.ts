import { chmod, mkdir, readdir, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepTree } from "../../src/work/keep-tree.ts";
import { openTrees } from "../../src/work/open-trees.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { keep, openFor, readUntouchables, roundsSession, tellKept } from "../support/round-trees.ts";
import { inConflict, repoIn, tryGit, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("the files of a round", () => {
  it("are kept with changes, new files and deletions, and without what git ignores", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, {
      ".gitignore": "*.log\n",
      "a.txt": "changed\n",
      "new/é.txt": "new\n",
      "x.log": "x",
    });
    await rm(join(root, "src/b.txt"));
    expect(await tellKept(root, 1)).toEqual({
      files: { ".gitignore": "*.log", "a.txt": "changed", "new/é.txt": "new" },
      leftOut: [],
    });
  });

  it("are kept under a ref of the session and the round, on the commit that is checked out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n" });
    const kept = await keep(root, 7);
    const ref = `refs/carryon/rounds/${roundsSession}/7`;
    expect(kept).toMatchObject({ type: "kept", commit: await git(root, "rev-parse", ref) });
    expect(await git(root, "rev-parse", `${ref}^`)).toBe(await git(root, "rev-parse", "HEAD"));
    expect(await git(root, "log", "-1", "--format=%an %at %B", ref)).toBe(
      `Carryon 1794892500 Files after round 7 of ${roundsSession}, on branch main`,
    );
  });

  // Seed 3: 9.2
  it("leave index, HEAD, branches, stash, reflogs and configuration as they are to the byte", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "config", "core.logAllRefUpdates", "always");
    await writeFiles(root, { "a.txt": "stashed\n" });
    await git(root, "stash");
    await writeFiles(root, { "a.txt": "staged\n", "staged.txt": "staged\n", "untracked.txt": "x\n" });
    await git(root, "add", "a.txt", "staged.txt");
    await writeFiles(root, { "a.txt": "changed after that\n" });
    const before = await readUntouchables(root);
    for (const round of [1, 2, 3]) {
      await writeFiles(root, { [`round-${round}.txt`]: "x\n" });
      await keep(root, round);
    }
    expect(await readUntouchables(root)).toEqual(before);
    expect((await git(root, "show", `refs/carryon/rounds/${roundsSession}/3:a.txt`)).trim()).toBe(
      "changed after that",
    );
  });

  it("go on from round to round, whatever happens to the files", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "one.txt": "1\n", "two.txt": "2\n" });
    await tellKept(root, 1);
    await writeFiles(root, { "two.txt": "3\n" });
    await rm(join(root, "one.txt"));
    await rm(join(root, "src"), { recursive: true });
    await symlink("a.txt", join(root, "src"));
    expect(await tellKept(root, 2)).toEqual({
      files: { "a.txt": "a", src: "a.txt", "two.txt": "3" },
      leftOut: [],
    });
    await rm(join(root, "src"));
    await git(root, "checkout", "--", "src");
    expect(await tellKept(root, 3)).toEqual({
      files: { "a.txt": "a", "src/b.txt": "b", "two.txt": "3" },
      leftOut: [],
    });
  });

  it("notice a change that leaves size and time as they were in the moment of a round", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "1\n" });
    await tellKept(root, 1);
    await writeFiles(root, { "a.txt": "2\n" });
    expect(await tellKept(root, 2)).toMatchObject({ files: { "a.txt": "2" } });
  });

  it("hold a file that is ignored from the moment on at which the user adds it all the same", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { ".gitignore": "*.log\n", "x.log": "x\n" });
    expect(await tellKept(root, 1)).toMatchObject({ files: { ".gitignore": "*.log" } });
    await git(root, "add", "--force", "x.log");
    expect(await tellKept(root, 2)).toEqual({
      files: { ".gitignore": "*.log", "a.txt": "a", "src/b.txt": "b", "x.log": "x" },
      leftOut: [],
    });
  });

  it("hold what was taken out of the index, since the work tree has it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "rm", "--quiet", "--cached", "a.txt");
    expect(await tellKept(root, 1)).toEqual({ files: { "a.txt": "a", "src/b.txt": "b" }, leftOut: [] });
  });

  it("hold a file in conflict with its marks, and leave the merge as it is", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await inConflict(root);
    expect(await tryGit(root, "merge", "other")).toBe(1);
    const before = await readUntouchables(root);
    const kept = await tellKept(root, 1);
    expect(kept).toEqual({
      files: {
        "a.txt": "<<<<<<< HEAD\nours again\n=======\ntheirs\n>>>>>>> other",
        "src/b.txt": "b",
      },
      leftOut: [],
    });
    expect(await readUntouchables(root)).toEqual(before);
  });

  it("leave out secrets, environments, large files and other repositories, and name them in each round", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    await writeFiles(root, {
      ".env": "A=1\n",
      id_rsa: "x\n",
      "a.txt": `token = "${token}"\n`,
      "big.bin": "",
    });
    await truncate(join(root, "big.bin"), 5 * 1024 * 1024 + 1);
    await git(root, "add", ".env");
    await makeRepo(join(root, "vendor/lib"), ["theirs"]);
    const told = {
      files: { "a.txt": "a", "src/b.txt": "b" },
      leftOut: [
        ".env: environment",
        "a.txt: secret-content",
        "big.bin: too-big",
        "id_rsa: secret-name",
        "vendor/lib/: repository",
      ],
    };
    expect(await tellKept(root, 1)).toEqual(told);
    await git(root, "reset", "--quiet");
    expect(await tellKept(root, 2)).toEqual(told);
    expect(await tellKept(root, 3)).toEqual(told);
  });

  it("hold a file again once nothing of a secret is in it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    await writeFiles(root, { "a.txt": `token = "${token}"\n` });
    expect(await tellKept(root, 1)).toMatchObject({ files: { "a.txt": "a" } });
    await writeFiles(root, { "a.txt": "token = read()\n" });
    expect(await tellKept(root, 2)).toEqual({
      files: { "a.txt": "token = read()", "src/b.txt": "b" },
      leftOut: [],
    });
  });

  it("are kept before the first commit of a repository", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await writeFiles(dir.path, { "a.txt": "a\n" });
    expect(await tellKept(dir.path, 1)).toEqual({ files: { "a.txt": "a" }, leftOut: [] });
  });

  it("are kept when the index of the round before is damaged", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await keep(root, 1);
    const folder = join(root, ".git/carryon");
    const [kept = ""] = (await readdir(folder)).filter((name) => name.startsWith("rounds-"));
    await writeFile(join(folder, kept), "no index");
    await writeFiles(root, { "a.txt": "changed\n" });
    expect(await tellKept(root, 2)).toEqual({ files: { "a.txt": "changed", "src/b.txt": "b" }, leftOut: [] });
    expect(await readdir(folder)).toEqual([kept]);
  });

  it("leave one index behind, however often the user's changes", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    for (const round of [1, 2, 3]) {
      await writeFiles(root, { [`${round}.txt`]: "x\n" });
      await git(root, "add", "-A");
      await keep(root, round);
    }
    expect((await readdir(join(root, ".git/carryon"))).length).toBe(1);
  });

  it("look at a file once that was only touched", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await keep(root, 1);
    await utimes(join(root, "a.txt"), new Date(1e12), new Date(1e12));
    await keep(root, 2);
    const folder = join(root, ".git/carryon");
    const [kept = ""] = await readdir(folder);
    const isFresh = `!GIT_INDEX_FILE=${join(folder, kept)} git diff-files --quiet`;
    expect(await tryGit(root, "-c", `alias.is-fresh=${isFresh}`, "is-fresh")).toBe(0);
  });

  it("hold the mode of a file, and no pipe", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await mkdir(join(root, "pipe-folder"));
    await tryGit(root, "-c", "alias.x=!mkfifo pipe-folder/pipe", "x");
    await chmod(join(root, "a.txt"), 0o755);
    await keep(root, 1);
    const listed = await git(root, "ls-tree", "-r", `refs/carryon/rounds/${roundsSession}/1`);
    expect(listed.replaceAll(/ \S+ \S+\t/g, " ")).toBe("100755 a.txt\n100644 src/b.txt");
  });

  it("are not kept when so much has changed that a .gitignore must be missing", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "node_modules/a": "12345", "node_modules/b": "67890", "node_modules/c": "" });
    const repository = await openFor(root);
    const round = { session: roundsSession, round: 1, at: new Date(0) };
    const keepWithin = (files: number, bytes: number) =>
      keepTree(repository, { ...round, limits: { files, bytes } });
    expect(await keepWithin(2, 100)).toEqual({
      type: "not-kept",
      reason: "3 changed files of 10 B are too many; is a .gitignore missing?",
    });
    expect(await keepWithin(10, 9)).toMatchObject({ type: "not-kept" });
    expect(await keepWithin(3, 10)).toMatchObject({ type: "kept" });
  });

  it("are not kept in a repository that git cannot read, which is said", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFile(join(root, ".git/index"), "no index");
    const kept = await keep(root, 1);
    expect(kept.type === "not-kept" && kept.reason.replace(/ \S*\.carryon-tmp:/, "")).toBe(
      "Git cannot tell what has changed: fatal: index file smaller than expected",
    );
  });
});

describe("a folder", () => {
  it("outside of a repository keeps no files", async () => {
    await using dir = await tempDir();
    expect(await openTrees(dir.path, gitEnv)).toEqual({
      type: "none",
      reason: "the folder is in no git repository",
    });
  });

  it("that its repository ignores keeps no files", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { ".gitignore": "out/\n", "out/a.txt": "a\n", "src/c.txt": "c\n" });
    expect(await openTrees(join(root, "out"), gitEnv)).toMatchObject({ type: "none" });
    expect(await openTrees(join(root, "src"), gitEnv)).toMatchObject({ type: "git" });
  });
});
