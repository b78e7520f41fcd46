import { mkdir, rename, rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { findProject, locatePlace, recogniseProject } from "../../src/project/recognise-project.ts";
import { newSession } from "../support/entries.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

async function openScene() {
  const [test, dir] = [await openSqliteTestLog(), await tempDir()];
  return {
    ...{ test, dir },
    recognise: async (path: string) => recogniseProject(test.projects, await locatePlace(dir.join(path))),
    find: async (path: string) => findProject(test.projects, await locatePlace(dir.join(path))),
    [Symbol.asyncDispose]: async () => {
      await test[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

it("is the same after a move, in a clone, in a worktree and in a folder of it", async () => {
  await using scene = await openScene();
  const { dir } = scene;
  await makeRepo(dir.join("repo"), ["first"]);
  const project = await scene.recognise("repo");
  expect(project).toEqual({ id: `root:${await git(dir.join("repo"), "rev-parse", "HEAD")}`, name: "repo" });
  await git(dir.path, "clone", "--quiet", dir.join("repo"), dir.join("clone"));
  await git(dir.join("repo"), "worktree", "add", "--quiet", dir.join("tree"));
  await mkdir(dir.join("repo", "src"));
  for (const path of ["clone", "tree", "repo/src"]) expect(await scene.recognise(path)).toEqual(project);
  await git(dir.join("repo"), "worktree", "remove", dir.join("tree"));
  await rename(dir.join("repo"), dir.join("moved"));
  expect(await scene.find("moved")).toEqual(project);
});

it("keeps its sessions when the first commit is made", async () => {
  await using scene = await openScene();
  await makeRepo(scene.dir.join("repo"), []);
  const early = await scene.recognise("repo");
  expect(early.id).toMatch(/^folder:/);
  await scene.test.log.open(newSession("one", early.id));
  await makeRepo(scene.dir.join("repo"), ["first"]);
  const project = await scene.recognise("repo");
  expect(project.id).toMatch(/^root:/);
  expect((await scene.test.log.list({ project: project.id })).sessions.map((session) => session.id)).toEqual([
    "one",
  ]);
});

it("is known by its remote in a shallow clone", async () => {
  await using scene = await openScene();
  const { dir } = scene;
  await makeRepo(dir.join("repo"), ["first", "second", "third"]);
  await git(dir.join("repo"), "config", "remote.origin.url", "git@example.com:me/it.git");
  const project = await scene.recognise("repo");
  await git(dir.path, "clone", "--quiet", "--depth=1", `file://${dir.join("repo")}`, dir.join("shallow"));
  await git(dir.join("shallow"), "config", "remote.origin.url", "https://me:secret@example.com/me/it");
  expect(await scene.find("shallow")).toEqual(project);
});

it("is another one when another repository takes the folder", async () => {
  await using scene = await openScene();
  await makeRepo(scene.dir.join("repo"), ["one"]);
  const first = await scene.recognise("repo");
  await rm(scene.dir.join("repo"), { recursive: true });
  await makeRepo(scene.dir.join("repo"), ["another"]);
  const second = await scene.recognise("repo");
  expect(second.id).not.toBe(first.id);
  expect((await scene.test.projects.list()).map((project) => project.id)).toContain(first.id);
});

it("is the folder itself outside git", async () => {
  await using scene = await openScene();
  await mkdir(scene.dir.join("plain"));
  expect(await scene.find("plain")).toBeUndefined();
  const project = await scene.recognise("plain");
  expect(project.id).toMatch(/^path:\/.*\/plain$/);
  expect(await scene.find("plain")).toEqual(project);
});
