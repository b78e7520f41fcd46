import { chmod, mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forgetTrees, listTrees } from "../../src/work/list-trees.ts";
import { restoreTree, restoreWorktree } from "../../src/work/restore-tree.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { keep, openFor, readTree, readUntouchables, roundsSession } from "../support/round-trees.ts";
import { readHoldings, repoIn, statusOf, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const run = (cwd: string) => ({ cwd, env: gitEnv });

/** Keeps a round and returns its commit. */
async function keepRound(root: string, round: number): Promise<string> {
  const kept = await keep(root, round);
  if (kept.type !== "kept") throw new Error(kept.reason);
  return kept.commit;
}

/** Does away with everything that is not committed. */
async function clean(root: string): Promise<void> {
  await git(root, "reset", "--quiet", "--hard");
  await git(root, "clean", "-qfd");
}

describe("a restore into a clean work tree", () => {
  it("brings changes, new files, deletions, modes and links back", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n", "new/x.sh": "x\n" });
    await chmod(join(root, "new/x.sh"), 0o755);
    await rm(join(root, "src/b.txt"));
    await symlink("a.txt", join(root, "link"));
    const commit = await keepRound(root, 1);
    const then = await readHoldings(root);
    await clean(root);
    const before = await readUntouchables(root);
    const head = await git(root, "rev-parse", "HEAD");
    expect(await restoreTree(await openFor(root), commit)).toEqual({
      ...{ root, files: 4, headThen: head, head },
    });
    expect((await readHoldings(root)).files).toEqual(then.files);
    expect(await readUntouchables(root)).toEqual(before);
    expect(await statusOf(root)).toEqual(["M a.txt", "D src/b.txt", "?? link", "?? new/x.sh"]);
  });

  it("goes on where it was interrupted, and does nothing where all is as it was", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n", "new.txt": "new\n" });
    await rm(join(root, "src/b.txt"));
    const commit = await keepRound(root, 1);
    expect(await restoreTree(await openFor(root), commit)).toMatchObject({ files: 0 });
    await git(root, "checkout", "--", "src/b.txt");
    await rm(join(root, "new.txt"));
    expect(await restoreTree(await openFor(root), commit)).toMatchObject({ files: 2 });
    expect(await statusOf(root)).toEqual(["M a.txt", "D src/b.txt", "?? new.txt"]);
  });

  it("goes from one round to another only after the work since is committed", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "one\n", "x.txt": "x\n" });
    const one = await keepRound(root, 1);
    await writeFiles(root, { "a.txt": "two\n" });
    await rm(join(root, "x.txt"));
    await expect(restoreTree(await openFor(root), one)).rejects.toThrow("this would overwrite a.txt.");
    await git(root, "commit", "-qam", "two");
    expect(await restoreTree(await openFor(root), one)).toMatchObject({ files: 2 });
    expect(await statusOf(root)).toEqual(["M a.txt", "?? x.txt"]);
  });

  it("goes from the newest round of a session to any, and loses nothing that the others have", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "one\n", "x.txt": "x\n" });
    const one = await keepRound(root, 1);
    await rm(join(root, "x.txt"));
    await rm(join(root, "src/b.txt"));
    await writeFiles(root, { "a.txt": "two\n", "x.txt/y.txt": "y\n" });
    const two = await keepRound(root, 2);
    expect(await restoreTree(await openFor(root), one)).toMatchObject({ files: 4 });
    expect(await statusOf(root)).toEqual(["M a.txt", "?? x.txt"]);
    await git(root, "update-ref", "refs/carryon/rounds/another/1", one);
    expect(await restoreTree(await openFor(root), two)).toMatchObject({ files: 4 });
    expect(await statusOf(root)).toEqual(["M a.txt", "D src/b.txt", "?? x.txt/y.txt"]);
  });

  it("is refused by what the newest round has otherwise, or has not: a change, a new file, one that was left out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "one\n", "late.txt": "late\n" });
    const one = await keepRound(root, 1);
    await writeFiles(root, { "a.txt": "two\n", "b.txt": "b\n" });
    await rm(join(root, "late.txt"));
    await keepRound(root, 2);
    await writeFiles(root, { "b.txt": "mine\n" });
    await expect(restoreTree(await openFor(root), one)).rejects.toThrow("this would remove b.txt.");
    await writeFiles(root, { "b.txt": "b\n", "late.txt": `key = "ghp_${"a1B2".repeat(9)}"\n` });
    const before = await readHoldings(root);
    await expect(restoreTree(await openFor(root), one)).rejects.toThrow("this would overwrite late.txt.");
    expect(await readHoldings(root)).toEqual(before);
  });

  it.each([
    { case: "a change", files: { "a.txt": "mine\n" }, would: "overwrite a.txt" },
    {
      case: "a new file in the place of one of the round",
      files: { "new.txt": "mine\n" },
      would: "overwrite new.txt",
    },
    {
      case: "an ignored file in such a place",
      files: { "dist/x.js": "mine\n" },
      would: "overwrite dist/x.js",
    },
    { case: "a file where a folder is to be", files: { dist: "mine\n" }, would: "overwrite dist" },
    {
      case: "a folder where a file is to be",
      files: { "new.txt/mine": "mine\n" },
      would: "remove new.txt/mine",
    },
  ])("is refused, before anything is written, by $case", async ({ files, would }) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n", "new.txt": "new\n", "dist/x.js": "x\n" });
    const commit = await keepRound(root, 1);
    await clean(root);
    await writeFiles(root, { ".git/info/exclude": "dist\n", ...files });
    const before = await readHoldings(root);
    await expect(restoreTree(await openFor(root), commit)).rejects.toMatchObject({
      code: "tree-not-clean",
      message: `The files were not restored: this would ${would}.`,
    });
    expect(await readHoldings(root)).toEqual(before);
  });

  it("is refused by a link to a folder in the way of a folder, and writes nothing behind it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { "dist/x.js": "x\n" });
    const commit = await keepRound(root, 1);
    await clean(root);
    await mkdir(dir.join("elsewhere"));
    await writeFiles(root, { ".git/info/exclude": "dist\n" });
    await symlink(dir.join("elsewhere"), join(root, "dist"));
    await expect(restoreTree(await openFor(root), commit)).rejects.toMatchObject({ code: "tree-not-clean" });
  });

  it("leaves alone what no round has: ignored files, secrets and what was left out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, {
      ".git/info/exclude": "*.log\n",
      "x.log": "x\n",
      ".env": "A=1\n",
      "a.txt": "1\n",
    });
    const commit = await keepRound(root, 1);
    await git(root, "checkout", "--", "a.txt");
    await restoreTree(await openFor(root), commit);
    expect(await statusOf(root)).toEqual(["M a.txt", "?? .env"]);
    expect(await readFile(join(root, "x.log"), "utf8")).toBe("x\n");
  });
});

describe("a restore into a new work tree", () => {
  it("begins at the commit of that round and leaves the first work tree as it is", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const head = await git(root, "rev-parse", "HEAD");
    await writeFiles(root, { "a.txt": "changed\n", "new.txt": "new\n" });
    const commit = await keepRound(root, 1);
    await git(root, "commit", "-qam", "later");
    const before = [await readUntouchables(root), await readHoldings(root)];
    const path = dir.join("other place");
    expect(await restoreWorktree(await openFor(root), commit, path)).toEqual({
      ...{ root: path, files: 2, headThen: head, head },
    });
    expect(await statusOf(path)).toEqual(["M a.txt", "?? new.txt"]);
    expect(await git(path, "rev-parse", "HEAD")).toBe(head);
    expect([await readUntouchables(root), await readHoldings(root)]).toEqual(before);
  });

  it("has the files of a round before the first commit", async () => {
    await using dir = await tempDir();
    const root = dir.join("repo");
    await makeRepo(root, []);
    await writeFiles(root, { "a.txt": "a\n" });
    const commit = await keepRound(root, 1);
    const restored = await restoreWorktree(await openFor(root), commit, dir.join("other"));
    expect(restored).toEqual({ root: dir.join("other"), files: 1, headThen: commit, head: commit });
    expect(await readFile(dir.join("other/a.txt"), "utf8")).toBe("a\n");
  });

  it("is refused where something is already", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const commit = await keepRound(root, 1);
    await writeFiles(dir.path, { "other/mine.txt": "mine\n" });
    await expect(restoreWorktree(await openFor(root), commit, dir.join("other"))).rejects.toMatchObject({
      code: "not-restored",
      message: `The files were not restored: ${dir.join("other")} is there already.`,
      hint: "Name a folder that is not there yet.",
    });
    await mkdir(dir.join("empty"));
    expect(await restoreWorktree(await openFor(root), commit, dir.join("empty"))).toMatchObject({ files: 0 });
    expect(await readFile(dir.join("other/mine.txt"), "utf8")).toBe("mine\n");
  });
});

describe("the kept rounds of a repository", () => {
  it("are listed in order and forgotten", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const commits: string[] = [];
    for (const round of [1, 2, 10]) commits.push(await keepRound(root, round));
    await git(root, "update-ref", "refs/carryon/rounds/another/1", commits[0] ?? "");
    await git(root, "update-ref", "refs/carryon/staged", commits[0] ?? "");
    expect(await listTrees(run(root))).toEqual([
      { session: "another", round: 1, commit: commits[0] },
      ...[1, 2, 10].map((round, at) => ({ session: roundsSession, round, commit: commits[at] })),
    ]);
    const gone = (await listTrees(run(root))).filter(({ session }) => session === roundsSession);
    await forgetTrees(run(root), gone);
    await forgetTrees(run(root), []);
    expect(await git(root, "for-each-ref", "--format=%(refname)", "refs/carryon")).toBe(
      "refs/carryon/rounds/another/1\nrefs/carryon/staged",
    );
  });

  it("survive the collection of garbage", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "new.txt": "new\n" });
    const commit = await keepRound(root, 1);
    await clean(root);
    await git(root, "gc", "--quiet", "--prune=now");
    expect(await readTree(root, commit)).toEqual({ "a.txt": "a", "new.txt": "new", "src/b.txt": "b" });
  });
});
