import { expect, it } from "vitest";
import { git, makeRepo } from "../../support/git-repo.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { placeOf, shell, writesOf } from "../../support/tree-writes.ts";

/** Makes a repository with a submodule that has a commit after the one that is checked out. */
async function withSubmodule(path: string): Promise<string> {
  const library = await repoIn(`${path}/library`);
  await shell(
    library,
    "echo c > c.txt; git add -A; git commit -qm c; echo 2 > a.txt; git rm -q c.txt; git commit -qam second; git tag two; git reset -q --hard HEAD~1",
  );
  const root = await repoIn(`${path}/repo`);
  await shell(root, "git submodule --quiet add ../library sub; git commit -qm sub; sleep 0.03");
  return root;
}

const commands: readonly (readonly [does: string, command: string, writes: readonly string[]])[] = [
  ["reads it", "cat sub/a.txt; git submodule status; git -C sub log", []],
  ["writes in it", "echo x >> sub/a.txt; echo y > sub/y", ["sub/a.txt", "sub/y"]],
  ["writes and commits in it", "cd sub; echo x >> a.txt; git commit -qam x", ["sub/a.txt"]],
  [
    "writes, commits and stages it",
    "cd sub; echo x >> a.txt; git commit -qam x; cd ..; git add sub",
    ["sub/a.txt"],
  ],
  [
    "writes, commits and commits it",
    "cd sub; echo x >> a.txt; git commit -qam x; cd ..; git commit -qam sub",
    ["sub/a.txt"],
  ],
  ["checks out another commit", "git -C sub checkout -q two", ["sub/a.txt", "sub/c.txt"]],
  [
    "has git check it out",
    "git -C sub checkout -q two; git commit -qam two; git submodule -q update",
    ["sub/a.txt", "sub/c.txt"],
  ],
  [
    "names another commit of it only",
    "git update-index --cacheinfo 160000,$(git -C sub rev-parse two),sub",
    [],
  ],
  [
    "adds another one",
    "git submodule --quiet add ../library more",
    [".gitmodules", "more/a.txt", "more/c.txt", "more/src/b.txt"],
  ],
  ["removes it", "rm -r sub", ["sub"]],
  ["removes it for good", "git rm -q sub; git commit -qm x", [".gitmodules", "sub"]],
  [
    "puts a file in its place for good",
    "git rm -q sub; echo x > sub; git add -A; git commit -qm x",
    [".gitmodules", "sub"],
  ],
  ["puts a file in its place", "rm -r sub; echo x > sub", ["sub"]],
];

it.each(commands)("tells of a submodule what a command writes that %s", async (_, command, writes) => {
  await using dir = await tempDir();
  const root = await withSubmodule(dir.path);
  expect(await writesOf(placeOf(root), command)).toEqual(writes);
});

it("tells of a submodule that has changed before only what is written since", async () => {
  await using dir = await tempDir();
  const root = await withSubmodule(dir.path);
  await shell(root, "cd sub; git checkout -q two; echo x > src/b.txt; echo new > new");
  const place = placeOf(root);
  expect(await writesOf(place, "git add sub; git commit -qm sub; git -C sub commit -qam x")).toEqual([]);
  expect(await writesOf(place, "echo more >> sub/new")).toEqual(["sub/new"]);
  expect(await writesOf(place, "git -C sub checkout -q HEAD~1")).toEqual(["sub/src/b.txt"]);
});

it("tells what is written in a submodule of a submodule", async () => {
  await using dir = await tempDir();
  await withSubmodule(dir.path);
  const top = await repoIn(dir.join("top"));
  await shell(
    top,
    "git submodule --quiet add ../repo mid; git submodule --quiet update --init --recursive; git commit -qm mid; sleep 0.03",
  );
  expect(await writesOf(placeOf(top), "echo x >> mid/sub/a.txt")).toEqual(["mid/sub/a.txt"]);
});

it("tells what is written in a repository that is not tracked, and in one that is cloned", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await repoIn(dir.join("repo/inner"));
  await shell(root, "sleep 0.03");
  const place = placeOf(root);
  expect(await writesOf(place, "git -C inner tag x")).toEqual([]);
  expect(await writesOf(place, "echo x >> inner/a.txt")).toEqual(["inner/a.txt"]);
  expect(await writesOf(place, "git -C inner commit -qam x")).toEqual([]);
  expect(await writesOf(place, "git clone -q inner other")).toEqual(["other/a.txt", "other/src/b.txt"]);
  expect(await writesOf(place, "rm -rf inner")).toEqual(["inner"]);
});

it("leaves other work trees of the same repository to their own gates", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await git(root, "worktree", "add", "-q", "-b", "side", "wt");
  expect(await writesOf(placeOf(root), "echo x >> wt/a.txt; git -C wt commit -qam x")).toEqual([]);
});

it("says what it cannot look into, and still what it can", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  for (let number = 0; number < 21; number += 1) await makeRepo(`${root}/inner-${number}`, ["first"]);
  expect(await writesOf(placeOf(root), "echo x >> a.txt")).toEqual([
    "a.txt",
    "(There are too many repositories inside of this one to look into all of them.)",
  ]);
});

it("says that a repository inside is broken, and takes no other for it", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await repoIn(dir.join("repo/inner"));
  const [, ...rest] = await writesOf(placeOf(root), "echo x >> a.txt; echo rubbish > inner/.git/index");
  expect(rest).toEqual([expect.stringMatching(/^\(Git cannot tell what has changed: /)]);
});

it("does not take the repository around for one inside that is none any more", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await repoIn(dir.join("repo/inner"));
  await shell(root, "sleep 0.03");
  expect(await writesOf(placeOf(root), "rm inner/.git/HEAD")).toEqual([
    expect.stringMatching(/^\(Git cannot tell what has changed: fatal: not a git repository/),
  ]);
});

it("knows nothing of what has no name in UTF-8 and is a repository", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await shell(
    root,
    'name=$(printf \'\\377\'); mkdir "$name"; git -C "$name" init -q; git -C "$name" commit -q --allow-empty -m x',
  );
  await writeFiles(root, { "a.txt": "x\n" });
  expect(await writesOf(placeOf(root), "echo y > a.txt")).toEqual(["a.txt", "(\\xff cannot be entered.)"]);
});
