import { readdir, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type KeptTree, keepTree } from "../../../src/work/keep-tree.ts";
import { git } from "../../support/git-repo.ts";
import { keep, openFor, readTree, roundsSession, tellKept } from "../../support/round-trees.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("the files of a later round", () => {
  it("are whole when the objects of earlier rounds have been collected as garbage", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n", "src/new.txt": "new\n" });
    await keep(root, 1);
    await git(root, "update-ref", "-d", `refs/carryon/rounds/${roundsSession}/1`);
    await git(root, "prune", "--expire=now");
    await writeFiles(root, { "src/b.txt": "other\n" });
    const files = { "a.txt": "changed", "src/b.txt": "other", "src/new.txt": "new" };
    expect(await tellKept(root, 2)).toEqual({ files, leftOut: [] });
  });

  it("are whole in each round of one process", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const repository = await openFor(root);
    let after: KeptTree | undefined;
    for (const round of [1, 2, 3, 4]) {
      await writeFiles(root, { "a.txt": `${round}\n`, [`new/${round}.txt`]: "new\n" });
      // What was kept goes on; what the user adds meanwhile begins anew.
      if (round === 3) await git(root, "add", "-A");
      after = await keepTree(repository, { session: roundsSession, round, at: new Date(), after });
      const commit = after.type === "kept" ? after.commit : "";
      const made = Array.from({ length: round }, (_, index) => [`new/${index + 1}.txt`, "new"]);
      const files = { "a.txt": `${round}`, "src/b.txt": "b", ...Object.fromEntries(made) };
      expect(await readTree(root, commit)).toEqual(files);
    }
    await git(root, "fsck", "--no-dangling");
  });
});

describe("a repository that was removed", () => {
  it("keeps no files, and nothing of it is made again", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const repository = await openFor(root);
    await rm(root, { recursive: true });
    const round = { session: roundsSession, round: 1, at: new Date() };
    expect(await keepTree(repository, round)).toEqual({ type: "not-kept", reason: "the repository is gone" });
    expect(await readdir(dir.path)).toEqual([]);
  });
});
