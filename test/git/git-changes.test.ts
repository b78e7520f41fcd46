import { rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readChangedFiles } from "../../src/git/git-changes.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("readChangedFiles", () => {
  it("names what was committed, changed, removed, renamed or made since a commit", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    for (const name of ["gone", "same", "changed", "old"]) await writeFile(dir.join(name), name);
    await writeFile(dir.join(".gitignore"), "ignored\n");
    await git(dir.path, "add", ".");
    await git(dir.path, "commit", "--quiet", "--message", "first");
    const head = await git(dir.path, "rev-parse", "HEAD");
    await writeFile(dir.join("committed"), "");
    await git(dir.path, "mv", "old", "new");
    await git(dir.path, "add", ".");
    await git(dir.path, "commit", "--quiet", "--message", "second");
    await rm(dir.join("gone"));
    for (const name of ["changed", "é\n`", "ignored"]) await writeFile(dir.join(name), "x");
    const own = ["changed", "gone", "é\n`"];
    expect(await readChangedFiles(dir.path, head)).toEqual(
      ["changed", "committed", "gone", "new", "old", "é\n`"].sort(),
    );
    expect(await readChangedFiles(dir.path, undefined)).toEqual(own);
    expect(await readChangedFiles(dir.path, "0".repeat(40))).toEqual(own);
  });

  it("names all files before the first commit", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    for (const name of ["a", "b"]) await writeFile(dir.join(name), "");
    await git(dir.path, "add", "a");
    expect(await readChangedFiles(dir.path, undefined)).toEqual(["a", "b"]);
    await rm(dir.join("a"));
    expect(await readChangedFiles(dir.path, undefined)).toEqual(["a", "b"]);
  });

  it("names of what is staged only what differs from the commit in the work tree", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    for (const name of ["back", "out", "same", "twice"]) await writeFile(dir.join(name), "1");
    await git(dir.path, "add", ".");
    await git(dir.path, "commit", "--quiet", "--message", "first");
    const names = async () => {
      const changed = await readChangedFiles(dir.path, undefined);
      const others = await git(dir.path, "ls-files", "--others");
      const differing = await git(dir.path, "diff", "--name-only", "HEAD");
      expect(changed).toEqual([...new Set(`${differing}\n${others}`.trim().split("\n"))].toSorted());
      return changed;
    };
    for (const name of ["added", "only-staged", "meant"]) await writeFile(dir.join(name), "1");
    await git(dir.path, "add", "added", "only-staged");
    await git(dir.path, "add", "--intent-to-add", "meant");
    await git(dir.path, "rm", "--quiet", "--cached", "out");
    await rm(dir.join("only-staged"));
    expect(await names()).toEqual(["added", "meant", "out"]);
    for (const name of ["back", "twice"]) await writeFile(dir.join(name), "22");
    await git(dir.path, "add", "back", "twice");
    await writeFile(dir.join("back"), "1");
    await writeFile(dir.join("twice"), "333");
    expect(await names()).toEqual(["added", "meant", "out", "twice"]);
  });
});
