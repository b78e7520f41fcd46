import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toGitPath } from "../../src/git/git-path.ts";
import { readChanges } from "../../src/git/read-changes.ts";
import { openRepository } from "../../src/git/repository.ts";
import { finishInterrupted, makeSaveFolder, noteSave } from "../../src/git/unfinished-save.ts";
import { git, gitEnv } from "../support/git-repo.ts";
import { repoIn, save, statusOf, tell, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a save whose commit comes after its end", () => {
  it("is not taken for files that somebody took out of the index", async () => {
    await using dir = await tempDir();
    const root = await repoIn(join(dir.path, "repo"));
    const repository = await openRepository(root, gitEnv, { mayAsk: false });
    await writeFiles(root, { "c.txt": "c\n" });
    const parent = await git(root, "rev-parse", "HEAD");
    const paths = [{ path: toGitPath("c.txt"), entry: undefined }];
    await makeSaveFolder(repository);
    await noteSave(repository, { parent, message: "late", tree: "", paths });
    const note = await finishInterrupted(repository);
    // What the user has as the index does not hear of the commit.
    await cp(join(root, ".git/index"), join(dir.path, "index"));
    await git(root, "add", "c.txt");
    await git(root, "commit", "-qm", "late");
    await cp(join(dir.path, "index"), join(root, ".git/index"));
    const { changes, behind } = await readChanges(repository, note);
    expect(changes.map(({ path, isTakenOut }) => [path, isTakenOut])).toEqual([["c.txt", false]]);
    expect(behind.map(({ path }) => path)).toEqual(["c.txt"]);
    expect(tell(await save(root))).toMatchObject({ type: "unchanged", leftOut: [] });
    expect(await statusOf(root)).toEqual([]);
  });
});
