import { mkdir, realpath, rename, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { findProject, locatePlace, recogniseProject } from "../../src/workspace/recognise-project.ts";
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

describe("a folder that becomes a repository", () => {
  it("keeps its sessions, at the first look and ever after", async () => {
    await using scene = await openScene();
    const { dir, test } = scene;
    await mkdir(dir.join("plain"));
    const plain = await scene.recognise("plain");
    await test.log.open(newSession("one", plain.id));
    await makeRepo(dir.join("plain"), []);
    expect(await scene.find("plain")).toEqual(plain);
    const early = await scene.recognise("plain");
    expect(early.id).toMatch(/^folder:/);
    await makeRepo(dir.join("plain"), ["first"]);
    const project = await scene.recognise("plain");
    await git(dir.path, "clone", "--quiet", dir.join("plain"), dir.join("clone"));
    expect(await scene.find("clone")).toEqual(project);
    expect((await test.log.list({ project: project.id })).sessions.map(({ id }) => id)).toEqual(["one"]);
    expect(await test.projects.known([plain.id])).toEqual(project);
  });

  it("keeps what was recorded in a folder of it, as soon as somebody is there", async () => {
    await using scene = await openScene();
    const { dir, test } = scene;
    await mkdir(dir.join("plain/api"), { recursive: true });
    const [plain, api] = [await scene.recognise("plain"), await scene.recognise("plain/api")];
    await test.log.open(newSession("above", plain.id));
    await test.log.open(newSession("below", api.id));
    await makeRepo(dir.join("plain"), ["first"]);
    const project = await scene.recognise("plain");
    expect(await scene.recognise("plain/api")).toEqual(project);
    const { sessions } = await test.log.list({ project: project.id });
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(["above", "below"]);
  });

  it("is joined to what was recorded in the repository before that was noticed", async () => {
    await using scene = await openScene();
    const { dir, test } = scene;
    await makeRepo(dir.join("plain"), ["first"]);
    const project = await scene.recognise("plain");
    const path = `path:${await realpath(dir.join("plain"))}`;
    const plain = await test.projects.recognise({ identities: [path], name: "plain" });
    await test.log.open(newSession("one", plain.id));
    expect(await scene.recognise("plain")).toEqual(project);
    expect((await test.log.list({ project: project.id })).sessions).toHaveLength(1);
  });

  it("is another project than the folder around it", async () => {
    await using scene = await openScene();
    const { dir } = scene;
    await mkdir(dir.join("plain/sub"), { recursive: true });
    const plain = await scene.recognise("plain");
    await makeRepo(dir.join("plain/sub"), ["first"]);
    const sub = await scene.recognise("plain/sub");
    expect(await scene.recognise("plain")).toEqual(plain);
    expect(sub.id).toMatch(/^root:/);
  });

  it("is another project than the one whose folder it was before that moved", async () => {
    await using scene = await openScene();
    const { dir, test } = scene;
    for (const path of ["old", "new"]) await mkdir(dir.join(path));
    const [was, is] = [`path:${await realpath(dir.join("old"))}`, `path:${await realpath(dir.join("new"))}`];
    const moved = await test.projects.recognise({ identities: [is, was], name: "new" });
    await makeRepo(dir.join("old"), ["first"]);
    expect((await scene.recognise("old")).id).toMatch(/^root:/);
    expect(await scene.recognise("new")).toEqual(moved);
  });

  it("is another project than a repository that was there before it", async () => {
    await using scene = await openScene();
    const { dir, test } = scene;
    await mkdir(dir.join("place"));
    await scene.recognise("place");
    await makeRepo(dir.join("place"), ["one"]);
    const first = await scene.recognise("place");
    await test.log.open(newSession("one", first.id));
    await rm(dir.join("place/.git"), { recursive: true });
    expect(await scene.recognise("place")).toEqual(first);
    await makeRepo(dir.join("place"), ["another"]);
    const second = await scene.recognise("place");
    expect(second.id).not.toBe(first.id);
    expect((await test.log.list({ project: first.id })).sessions.map(({ id }) => id)).toEqual(["one"]);
  });
});
