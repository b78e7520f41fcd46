import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lines, measure, workIn } from "../../support/branch-measure.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { inConflict, repoIn, tryGit, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("compares", () => {
  /** Makes a clone on the branch work, and returns its root. */
  async function cloneIn(path: string, ...args: readonly string[]): Promise<string> {
    await repoIn(join(path, "origin"));
    await git(join(path, "origin"), "branch", "-m", "trunk");
    await git(path, "clone", "--quiet", ...args, `file://${path}/origin`, "clone");
    return join(path, "clone");
  }

  it("with the default branch of the remote", async () => {
    await using dir = await tempDir();
    const root = await cloneIn(dir.path);
    await git(root, "switch", "-qc", "work");
    // A branch of a usual name counts only where the remote says nothing.
    await git(root, "branch", "main");
    await writeFiles(root, { "a.txt": "b\n" });
    await git(root, "commit", "-qam", "second");
    await git(root, "branch", "-f", "main");
    const base = await git(root, "rev-parse", "origin/trunk");
    expect(await measure(root)).toEqual({ lines: 2, added: 1, removed: 1, base });
  });

  it.each(["main", "master"])("with a local %s where there is no remote", async (name) => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await git(root, "branch", "-m", "main", name);
    await writeFiles(root, { "a.txt": "b\n" });
    expect(await measure(root)).toMatchObject({ lines: 2 });
  });

  it("with the remote's main before the local one where the remote does not say", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    await writeFiles(root, { "a.txt": "b\n" });
    await git(root, "commit", "-qam", "second");
    await git(root, "update-ref", "refs/remotes/origin/main", "HEAD");
    const base = await git(root, "rev-parse", "HEAD");
    expect(await measure(root)).toEqual({ lines: 0, added: 0, removed: 0, base });
  });

  it("the default branch with its upstream", async () => {
    await using dir = await tempDir();
    const root = await cloneIn(dir.path);
    await writeFiles(root, { "a.txt": "b\n" });
    await git(root, "commit", "-qam", "second");
    await writeFiles(root, { "new.txt": lines(3) });
    const base = await git(root, "rev-parse", "origin/trunk");
    expect(await measure(root, { branch: "trunk" })).toEqual({ lines: 5, added: 4, removed: 1, base });
  });

  it("nothing on a default branch without an upstream, or with one that is not there yet", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { "a.txt": "b\n" });
    const reason = "main is the default branch and has no upstream to compare with.";
    const none = { lines: 0, added: 0, removed: 0, base: null, reason };
    expect(await measure(root, { branch: "main" })).toEqual(none);
    await git(root, "config", "branch.main.remote", "origin");
    await git(root, "config", "branch.main.merge", "refs/heads/main");
    await git(root, "config", "remote.origin.url", "../nowhere");
    await git(root, "config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
    expect(await measure(root, { branch: "main" })).toEqual(none);
  });

  it("nothing in a shallow clone that does not reach back", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("origin"));
    await git(root, "switch", "-qc", "work");
    await git(root, "commit", "--quiet", "--allow-empty", "-m", "second");
    await git(root, "switch", "-q", "main");
    await git(root, "commit", "--quiet", "--allow-empty", "-m", "third");
    await git(dir.path, "clone", "--quiet", "--depth=1", "--no-single-branch", `file://${root}`, "clone");
    await git(dir.join("clone"), "switch", "-q", "work");
    expect(await measure(dir.join("clone"))).toEqual({
      unknown:
        "The clone is shallow: it does not reach back to where the branch left refs/remotes/origin/main.",
    });
  });
});

describe("says why it does not know:", () => {
  type Case = readonly [
    why: string,
    make: (root: string) => Promise<unknown>,
    unknown: unknown,
    branch: string | null,
  ];
  const cases: readonly Case[] = [
    ["no commits", (root) => makeRepo(root, []), "The branch main has no commit yet.", "main"],
    ["a detached HEAD", workIn, "HEAD is detached: there is no branch to measure.", null],
    ["another branch", workIn, "The branch main is not the one that is checked out.", "main"],
    [
      "no default branch",
      async (root) => git(await workIn(root), "branch", "-qD", "main"),
      "There is no default branch: neither origin/HEAD nor main nor master.",
      "work",
    ],
    [
      "a branch with a beginning of its own",
      async (root) => {
        await git(await workIn(root), "checkout", "-q", "--orphan", "other");
        await git(root, "commit", "-qm", "other");
      },
      "The branch and refs/heads/main have no common beginning.",
      "other",
    ],
    [
      "a bare repository",
      (root) => git(join(root, ".."), "init", "--quiet", "--bare", "--initial-branch=work", root),
      "There is no work tree here.",
      "work",
    ],
    [
      "a merge",
      async (root) => {
        await inConflict(await repoIn(root));
        await tryGit(root, "merge", "other");
      },
      "A merge is under way: what it brings cannot be told from the branch's own work.",
      "main",
    ],
    [
      "a rebase",
      async (root) => {
        await inConflict(await repoIn(root));
        await tryGit(root, "rebase", "other");
      },
      "A rebase is under way: what it brings cannot be told from the branch's own work.",
      "main",
    ],
    [
      "no repository",
      async (root) => mkdirSync(root),
      expect.stringMatching(/^Git cannot read this repository: /),
      "work",
    ],
    ["no folder", async () => undefined, expect.stringMatching(/^Git could not be started: /), "work"],
    [
      "lost objects",
      async (root) => {
        await workIn(root);
        await writeFiles(root, { "a.txt": "b\n" });
        const blob = await git(root, "rev-parse", "HEAD:a.txt");
        rmSync(join(root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
      },
      expect.stringMatching(/^Git cannot compare the work tree: /),
      "work",
    ],
    [
      "a lost merge base",
      async (root) => {
        await workIn(root);
        rmSync(join(root, ".git/objects"), { recursive: true });
        mkdirSync(join(root, ".git/objects"));
      },
      expect.stringMatching(/^Git cannot /),
      "work",
    ],
    [
      "a broken index",
      async (root) => writeFiles(await workIn(root), { ".git/index": "rubbish" }),
      expect.stringMatching(/^Git cannot /),
      "work",
    ],
  ];
  it.each(cases)("%s", async (_, make, unknown, branch) => {
    await using dir = await tempDir();
    await make(dir.join("repo"));
    expect(await measure(dir.join("repo"), { branch })).toEqual({ unknown });
  });

  it("no git", async () => {
    await using dir = await tempDir();
    const root = await workIn(dir.join("repo"));
    expect(await measure(root, { env: { PATH: dir.path } })).toEqual({
      unknown: expect.stringMatching(/^Git could not be started: /),
    });
  });
});
