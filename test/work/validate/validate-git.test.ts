import { rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { runGit } from "../../../src/git/run/run-git.ts";
import { git, gitEnv, makeRepo } from "../../support/git-repo.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { codesOf, saveState, validate } from "../../support/saved-state.ts";
import { tempDir } from "../../support/temp-dir.ts";

const commit = (root: string, message: string) => git(root, "commit", "-q", "--allow-empty", "-m", message);
const shortHead = async (root: string) => (await git(root, "rev-parse", "HEAD")).slice(0, 7);

const allValid = {
  code: "ALL_VALID",
  message: "Everything is as it was when the work was saved.",
  action: "Go on with the next task.",
};

describe("validateState, right after a save", () => {
  // Seed 1: 10.1
  it("finds everything valid", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { "a.txt": "changed\n", "new 한.txt": "new\n" });
    await rm(dir.join("repo", "src", "b.txt"));
    const { state, leftOut } = await saveState(root);
    expect(await validate(root, state, leftOut)).toEqual([allValid]);
  });

  it("finds everything valid in a worktree, also while the main one is elsewhere", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "worktree", "add", "-q", "-b", "side", dir.join("side"));
    await writeFiles(dir.join("side"), { "a.txt": "changed\n" });
    const { state } = await saveState(dir.join("side"));
    await writeFiles(root, { "a.txt": "dirty\n" });
    expect(await validate(dir.join("side"), state)).toEqual([allValid]);
    expect(await codesOf(validate(root, state))).toEqual([
      ...["BRANCH_MISMATCH", "COMMIT_MISMATCH", "UNCOMMITTED_CHANGES", "FILE_CHANGED"],
    ]);
  });

  it("finds everything valid in a submodule, and around one whose files have changed", async () => {
    await using dir = await tempDir();
    const inner = await repoIn(dir.join("inner"));
    const root = await repoIn(dir.join("repo"));
    await git(root, "submodule", "--quiet", "add", inner, "lib");
    await git(root, "commit", "-qm", "submodule");
    const lib = dir.join("repo", "lib");
    await writeFiles(lib, { "a.txt": "changed\n" });
    const outer = await saveState(root);
    expect(await validate(root, outer.state, outer.leftOut)).toEqual([allValid]);
    const { state } = await saveState(lib);
    expect(await validate(lib, state)).toEqual([allValid]);
    expect(await codesOf(validate(root, outer.state, []))).toEqual(["UNCOMMITTED_CHANGES"]);
  });

  it("finds everything valid on the same commit, detached", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "switch", "-q", "--detach");
    await writeFiles(root, { "a.txt": "changed\n" });
    const { state } = await saveState(root);
    expect(state.branch).toBeNull();
    expect(await validate(root, state)).toEqual([allValid]);
  });

  it("finds everything valid before the first commit", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.join("repo"), []);
    const { state } = await saveState(dir.join("repo"));
    expect([state.branch, state.commit]).toEqual(["main", null]);
    expect(await validate(dir.join("repo"), state)).toEqual([allValid]);
  });

  it("asks nothing of git where the state was saved outside of it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    expect(await validate(root, { branch: null, commit: null })).toEqual([allValid]);
  });
});

describe("BRANCH_MISMATCH", () => {
  // Seed 1: 10.2
  it("names the branch to switch to", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "branch", "feature/it's");
    const state = { branch: "feature/it's", commit: await shortHead(root) };
    expect(await validate(root, state)).toEqual([
      {
        code: "BRANCH_MISMATCH",
        message: "This is the branch main, but the work was saved on feature/it's.",
        action: "Switch to it with `git switch 'feature/it'\\''s'`, or go on here and save again.",
      },
    ]);
  });

  it("says when HEAD is detached, or was", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const head = await shortHead(root);
    expect(await validate(root, { branch: null, commit: head })).toEqual([
      {
        code: "BRANCH_MISMATCH",
        message: "This is the branch main, but the work was saved on a detached HEAD.",
        action: `Go back with \`git switch --detach ${head}\`, or go on here and save again.`,
      },
    ]);
    await git(root, "switch", "-q", "--detach");
    expect(await validate(root, { branch: "main", commit: head })).toEqual([
      {
        code: "BRANCH_MISMATCH",
        message: `HEAD is detached at ${head}, but the work was saved on main.`,
        action: "Switch to it with `git switch main`, or go on here and save again.",
      },
    ]);
  });

  it.each(["-x", "--help", "@{u}", "main~1", "../HEAD", "a\0b", "a\nb", ""])(
    "makes no command of %j, which no branch can be called",
    async (branch) => {
      await using dir = await tempDir();
      const root = await repoIn(dir.join("repo"));
      await git(root, "update-ref", "refs/heads/-x", "HEAD");
      expect(await validate(root, { branch, commit: await shortHead(root) })).toEqual([
        {
          code: "BRANCH_MISMATCH",
          message: `This is the branch main, but the work was saved on ${branch}.`,
          action: "There is no such branch here: fetch it, or go on here and save again.",
        },
      ]);
    },
  );
});

describe("COMMIT_MISMATCH", () => {
  // Seed 1: 10.3
  it("counts how far HEAD is ahead, behind or on its own way", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const first = await shortHead(root);
    for (const message of ["second", "third"]) await commit(root, message);
    const third = await shortHead(root);
    const ahead = await validate(root, { branch: "main", commit: first });
    await git(root, "reset", "-q", "--hard", first);
    const behind = await validate(root, { branch: "main", commit: third });
    await commit(root, "other");
    const other = await shortHead(root);
    const diverged = await validate(root, { branch: "main", commit: third });
    expect([ahead, behind, diverged].flat()).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: `HEAD (${third}) is 2 commits ahead of the saved commit ${first}.`,
        action: `Look at what came since with \`git log ${first}..HEAD\`, then save again.`,
      },
      {
        code: "COMMIT_MISMATCH",
        message: `HEAD (${first}) is 2 commits behind the saved commit ${third}.`,
        action: `Look at what is missing with \`git log HEAD..${third}\`, and get it, or go on here and save again.`,
      },
      {
        code: "COMMIT_MISMATCH",
        message: `HEAD (${other}) and the saved commit ${third} have diverged: 1 commit ahead, 2 behind.`,
        action: `Look at both sides with \`git log --left-right ${third}...HEAD\` before you go on.`,
      },
    ]);
  });

  it("is content with any length of the hash", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const head = await git(root, "rev-parse", "HEAD");
    for (const length of [4, 12, 40])
      expect(await validate(root, { branch: "main", commit: head.slice(0, length) })).toEqual([allValid]);
  });

  it("says when the commit is not here, and why in a shallow clone", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const first = await shortHead(root);
    await commit(root, "second");
    await git(dir.path, "clone", "-q", "--depth=1", `file://${root}`, "shallow");
    expect(await validate(dir.join("shallow"), { branch: "main", commit: first })).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: `The work was saved at ${first}, which is unknown in this repository: it is a shallow clone.`,
        action: "Get the rest with `git fetch --unshallow`, or save again.",
      },
    ]);
    expect(await validate(root, { branch: "main", commit: "0123abc" })).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: "The work was saved at 0123abc, which is unknown in this repository.",
        action: "Fetch it with `git fetch`, or go on here and save again.",
      },
    ]);
  });

  it("says when nothing is committed here, or nothing was then", async () => {
    await using dir = await tempDir();
    const root = dir.join("repo");
    await makeRepo(root, []);
    const none = await validate(root, { branch: "main", commit: "0123abc" });
    await commit(root, "first");
    const some = await validate(root, { branch: "main", commit: null });
    expect([...none, ...some]).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: "Nothing is committed here, but the work was saved at 0123abc.",
        action: "Fetch that commit, or go on here and save again.",
      },
      {
        code: "COMMIT_MISMATCH",
        message: "HEAD is ahead: the work was saved before the first commit, and 1 commit came since.",
        action: "Look at what came since with `git log`, then save again.",
      },
    ]);
  });

  it("says when several commits begin like the saved one", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const tree = await git(root, "rev-parse", "HEAD^{tree}");
    // Of a thousand hashes, some begin with the same four digits.
    const messages = Array.from({ length: 1000 }, (_, number) => String(number));
    await runGit({ cwd: root, env: gitEnv, input: toObjects(tree, messages) }, ["fast-import", "--quiet"]);
    const names = (await git(root, "rev-list", "--all"))
      .split("\n")
      .map((hash) => hash.slice(0, 4))
      .sort();
    const double = names.find((name, index) => name === names[index + 1]) ?? "";
    expect(await validate(root, { branch: "main", commit: double })).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: `Several commits begin with ${double}.`,
        action: "Check which one it was, then save again.",
      },
    ]);
  });

  it("takes no branch or tag for a commit, though its name is like one", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await commit(root, "second");
    await git(root, "branch", "abcd1234");
    await git(root, "tag", "beef");
    for (const name of ["abcd1234", "beef"])
      expect(await validate(root, { branch: "main", commit: name })).toEqual([
        {
          code: "COMMIT_MISMATCH",
          message: `The work was saved at ${name}, which is unknown in this repository.`,
          action: "Fetch it with `git fetch`, or go on here and save again.",
        },
      ]);
  });

  it.each([
    "-x",
    "--help",
    "--output=x",
    "@{u}",
    "HEAD",
    "main",
    "HEAD~1",
    "",
    "abc",
    "ABCDEF0",
    "a\0b",
    "f".repeat(65),
  ])("never asks git for %j", async (name) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await commit(root, "second");
    expect(await validate(root, { branch: "main", commit: name })).toEqual([
      {
        code: "COMMIT_MISMATCH",
        message: "The work was saved at a commit with an invalid name, which is unknown in this repository.",
        action: "Fetch it with `git fetch`, or go on here and save again.",
      },
    ]);
    expect(await git(root, "status", "--porcelain")).toBe("");
  });
});

/** The stream of commits, one after the other, that all have the same tree. */
function toObjects(tree: string, messages: readonly string[]): string {
  const commits = messages.map(
    (message) =>
      `commit refs/heads/many\ncommitter A <a@example.invalid> 1700000000 +0000\ndata ${message.length}\n${message}\nM 040000 ${tree} \n`,
  );
  return `${commits.join("\n")}\n`;
}
