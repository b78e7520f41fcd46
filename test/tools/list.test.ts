import { execFile } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { gitEnv, makeRepo } from "../support/git-repo.ts";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("list", () => {
  it("lists folders first, then files with their sizes, links and what is special", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "b.txt": "12345", "A.txt": "", "z/inner": "", "a\nb": "" });
    await mkdir(dir.join("empty"));
    await symlink("b.txt", dir.join("link"));
    await promisify(execFile)("mkfifo", [dir.join("pipe")]);
    const { run } = await openTools(dir.path);
    expect(await run("list", {})).toEqual(
      done('empty/\nz/\nA.txt  0 B\n"a\\nb"  0 B\nb.txt  5 B\nlink -> b.txt\npipe  named pipe\n'),
    );
    expect(await run("list", { path: "empty" })).toEqual(done("[empty has nothing to list.]\n"));
  });

  it("leaves out git's own folder and what git ignores, and counts it", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await makeFiles(dir.path, {
      ".gitignore": "node_modules\n*.log\n",
      "node_modules/one/index.js": "",
      "a.log": "",
      "src/b.log": "",
      "src/b.ts": "",
    });
    const { run } = await openTools(dir.path);
    expect(await run("list", { path: "." })).toEqual(
      done("src/\n.gitignore  19 B\n[Left out, because git ignores it: a.log, node_modules (2)]\n"),
    );
    expect(await run("list", { path: "src" })).toEqual(
      done("b.ts  0 B\n[Left out, because git ignores it: b.log (1)]\n"),
    );
  });

  it("lists an ignored folder that is named", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await makeFiles(dir.path, { ".gitignore": "build\n", "build/a.js": "", "build/sub/b.js": "" });
    const { run } = await openTools(dir.path);
    expect(await run("list", { path: "build" })).toEqual(done("sub/\na.js  0 B\n"));
  });

  it("asks the repository of the folder, whatever a hook of git says in the environment", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.join("repo"), []);
    await makeRepo(dir.join("other"), []);
    await makeFiles(dir.path, { "repo/.gitignore": "x\n", "repo/x": "", "other/.gitignore": "" });
    const env = { ...gitEnv, GIT_DIR: dir.join("other/.git"), GIT_WORK_TREE: dir.join("other") };
    const { run } = await openTools(dir.join("repo"), { env });
    expect(await run("list", {})).toEqual(
      done(".gitignore  2 B\n[Left out, because git ignores it: x (1)]\n"),
    );
  });

  it("lists as much as there is room for, and counts the rest", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`file-${at}`, ""])));
    const { run } = await openTools(dir.path, { limits: { outputCharacters: 400 } });
    expect(await run("list", {})).toEqual(
      done(
        "file-0  0 B\nfile-1  0 B\nfile-10  0 B\nfile-11  0 B\nfile-12  0 B\nfile-13  0 B\nfile-14  0 B\n[… and 93 more. Use search or bash to find what you need.]\n",
      ),
    );
  });

  it("says what is no folder, and what is not there", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { "src/a": "" });
    const { run } = await openTools(dir.path);
    expect(await run("list", { path: "src/a" })).toEqual(refused("src/a is no folder. Use the tool read."));
    expect(await run("list", { path: "sr" })).toEqual(refused("sr is not there. Perhaps you mean src."));
  });
});
