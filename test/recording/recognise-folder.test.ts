import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recogniseFolder } from "../../src/recording/recognise-folder.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

it("knows a work tree that the client has removed as part of its repository", async () => {
  await using dir = await tempDir();
  await using test = await openSqliteTestLog();
  await makeRepo(dir.join("repo"), ["first"]);
  const repo = await realpath(dir.join("repo"));
  const project = await recogniseFolder(test.projects, repo);
  const tree = join(repo, ".claude", "worktrees", "brave-fox");
  await git(repo, "worktree", "add", "--quiet", tree);
  expect(await recogniseFolder(test.projects, join(tree, "src"))).toEqual(project);
  await git(repo, "worktree", "remove", tree);
  for (const folder of [tree, join(tree, "src")])
    expect(await recogniseFolder(test.projects, folder)).toEqual(project);
});

it("knows a folder that is gone by its path, and as what it was before", async () => {
  await using dir = await tempDir();
  await using test = await openSqliteTestLog();
  await makeRepo(dir.join("repo"), ["first"]);
  await mkdir(dir.join("plain"));
  const paths = [await realpath(dir.join("repo")), await realpath(dir.join("plain"))];
  const before = [];
  for (const path of paths) before.push(await recogniseFolder(test.projects, path));
  for (const path of paths) await rm(path, { recursive: true });
  const after = [];
  for (const path of paths) after.push(await recogniseFolder(test.projects, path));
  expect(after).toEqual(before);
  const never = join(dir.path, "never", ".claude");
  expect(await recogniseFolder(test.projects, never)).toEqual({ id: `path:${never}`, name: ".claude" });
});
