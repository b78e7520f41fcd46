import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeOutcome, describeTrouble } from "../../src/work/describe-commit.ts";
import { git } from "../support/git-repo.ts";
import { hook, repoIn, save, tell, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A repository with ten files more than it has anyway. */
async function withTen(folder: string): Promise<string> {
  const root = await repoIn(folder);
  const names = [..."0123456789"].map((digit) => [`many/${digit}.txt`, `${digit}\n`]);
  await writeFiles(root, Object.fromEntries(names));
  await git(root, "add", "-A");
  await git(root, "commit", "-qm", "many");
  return root;
}

const warning =
  "This commit deletes 10 of 12 files. If you did not want that, `git revert HEAD` brings them back with another commit.";

describe("the count of what a save has committed", () => {
  it("has what the hooks added, and says how much was deleted", async () => {
    await using dir = await tempDir();
    const root = await withTen(dir.path);
    await hook(root, "pre-commit", "echo x > made; git add made");
    await writeFiles(root, { "a.txt": "changed\n" });
    await rm(join(root, "many/0.txt"));
    const saved = await save(root);
    expect(tell(saved)).toMatchObject({ type: "committed", files: 3, deleted: 1 });
    const at = saved.head?.slice(0, 12);
    expect(describeOutcome(saved)).toBe(`at ${at}, 3 files committed, 1 of them deleted`);
    await hook(root, "pre-commit", "");
    await rm(join(root, "many/1.txt"));
    expect(describeOutcome(await save(root))).toMatch(/, 1 file committed, deleted$/);
  });

  it("leads to a warning when most files are deleted", async () => {
    await using dir = await tempDir();
    const root = await withTen(dir.path);
    await rm(join(root, "many"), { recursive: true });
    const saved = await save(root);
    expect(saved.outcome).toMatchObject({ files: 10, deleted: 10, deletedOf: 12 });
    expect(describeOutcome(saved)).toMatch(/, 10 files committed, all of them deleted$/);
    expect(describeTrouble(saved)).toEqual([warning]);
  });

  it("leads to a warning in a clone whose files were never checked out", async () => {
    await using dir = await tempDir();
    const root = await withTen(join(dir.path, "origin"));
    const clone = join(dir.path, "clone");
    await git(dir.path, "clone", "-q", "--no-checkout", root, clone);
    const saved = await save(clone);
    expect(describeTrouble(saved)).toEqual([warning.replace("10 of", "12 of")]);
  });

  it("takes a folder that was moved for no deletion, nor half of the files for most", async () => {
    await using dir = await tempDir();
    const root = await withTen(dir.path);
    await mkdir(join(root, "other"));
    await rename(join(root, "many"), join(root, "other/many"));
    const saved = await save(root);
    expect(tell(saved)).toMatchObject({ files: 10, deleted: 0 });
    for (const digit of "012345") await rm(join(root, `other/many/${digit}.txt`));
    const half = await save(root);
    expect(half.outcome).toMatchObject({ files: 6, deleted: 6 });
    expect([describeTrouble(saved), describeTrouble(half)]).toEqual([[], []]);
  });
});
