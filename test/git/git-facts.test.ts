import { existsSync } from "node:fs";
import { chmod, mkdir, realpath, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import {
  askCommit,
  askGitFacts,
  normaliseRemote,
  readRemote,
  readRootCommits,
} from "../../src/git/git-facts.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

it("says where the work tree is, and on which branch", async () => {
  await using dir = await tempDir();
  const root = dir.join("repo");
  await makeRepo(root, ["first"]);
  await mkdir(dir.join("repo", "deep", "down"), { recursive: true });
  const real = await realpath(root);
  const facts = { root: real, commonFolder: `${real}/.git`, branch: "main", isShallow: false };
  expect(await askGitFacts(dir.join("repo", "deep", "down"))).toEqual(facts);
  await git(root, "checkout", "--quiet", "--detach");
  expect(await askGitFacts(root)).toEqual({ ...facts, branch: null });
});

it("knows a folder whose name has line ends, and none where a file has taken its place", async () => {
  await using dir = await tempDir();
  const root = dir.join("new\nline\n");
  await makeRepo(root, ["first"]);
  const real = await realpath(root);
  expect(await askGitFacts(root)).toEqual({
    ...{ root: real, commonFolder: `${real}/.git`, branch: "main", isShallow: false },
  });
  await writeFile(dir.join("file"), "");
  expect(await askGitFacts(dir.join("file"))).toBeUndefined();
});

it("knows the shared folder of a worktree", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), ["first"]);
  await git(dir.join("repo"), "worktree", "add", "--quiet", "-b", "feature/x", dir.join("tree"));
  expect(await askGitFacts(dir.join("tree"))).toEqual({
    root: await realpath(dir.join("tree")),
    commonFolder: await realpath(dir.join("repo", ".git")),
    branch: "feature/x",
    isShallow: false,
  });
});

it("has no facts outside a repository, and none where git refuses", async () => {
  await using dir = await tempDir();
  expect(await askGitFacts(dir.path)).toBeUndefined();
  await writeFile(dir.join(".git"), "gitdir: /nowhere\n");
  expect(await askGitFacts(dir.path)).toBeUndefined();
});

it("finds the first commits, or none before the first", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), []);
  expect(await readRootCommits(dir.join("repo"))).toEqual([]);
  await makeRepo(dir.join("repo"), ["first", "second"]);
  const root = await git(dir.join("repo"), "rev-parse", "HEAD~1");
  expect(await readRootCommits(dir.join("repo"))).toEqual([root]);
  expect([
    await askCommit(dir.join("repo"), root),
    await askCommit(dir.join("repo"), "0".repeat(40)),
  ]).toEqual([true, false]);
});

it("runs nothing that a repository brings along", async () => {
  await using dir = await tempDir();
  const root = dir.join("repo");
  await makeRepo(root, ["first"]);
  await mkdir(dir.join("repo", "hooks"));
  const trap = `#!/bin/sh\ntouch ${dir.join("sprung")}\n`;
  for (const name of ["trap", "hooks/post-checkout", "hooks/fsmonitor-watchman"]) {
    await writeFile(dir.join("repo", name), trap);
    await chmod(dir.join("repo", name), 0o755);
  }
  await git(root, "config", "core.fsmonitor", dir.join("repo", "trap"));
  await git(root, "config", "core.hooksPath", dir.join("repo", "hooks"));
  await git(root, "config", "remote.origin.url", "ext::sh -c touch% sprung");
  expect((await askGitFacts(root))?.branch).toBe("main");
  expect(await readRootCommits(root)).toHaveLength(1);
  expect(await readRemote(root)).toBeUndefined();
  expect(existsSync(dir.join("sprung"))).toBe(false);
});

it.each([
  ["git@example.com:me/it.git", "example.com/me/it"],
  ["https://example.com/me/it", "example.com/me/it"],
  ["https://me:secret@Example.com:8443/me/it.git/", "example.com/me/it"],
  ["ssh://git@example.com:22/me/it.git", "example.com/me/it"],
  ["example.com:/me/it", "example.com/me/it"],
  ["git+ssh://example.com/me/it", "example.com/me/it"],
  ["/srv/git/it.git", undefined],
  ["../it", undefined],
  ["", undefined],
])("reads the remote %j as %j", (address, place) => {
  expect(normaliseRemote(address)).toBe(place);
});
