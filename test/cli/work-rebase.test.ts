import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { inConflict, tryGit } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

/** Opens a repository in the middle of a rebase of main that has come to a conflict. */
async function openRebase(...options: readonly string[]) {
  const work = await openWork();
  await inConflict(work.root);
  await tryGit(work.root, "rebase", ...options, "other");
  return work;
}

const codesOf = async (work: Work) =>
  (await work.json("load")).validation.map(({ code }: { readonly code: string }) => code);

describe("in the middle of a rebase", () => {
  it.each([{ backend: "--merge" }, { backend: "--apply" }])(
    "the state has the branch that it comes back to, with $backend",
    async ({ backend }) => {
      await using work = await openRebase(backend);
      await work.call(["save", "-m", "The form"]);
      expect(await work.state()).toMatchObject({ git_branch: "main", git_pushed: false });
      expect(await codesOf(work)).toEqual(["UNCOMMITTED_CHANGES", "BLOCKER_EXISTS"]);
      await work.git("rebase", "--abort");
      expect(await codesOf(work)).not.toContain("BRANCH_MISMATCH");
    },
  );

  it("no branch is known where none was checked out", async () => {
    await using work = await openWork();
    await inConflict(work.root);
    await work.git("checkout", "-q", "--detach");
    await tryGit(work.root, "rebase", "other");
    await work.call(["save"]);
    expect((await work.state()).git_branch).toBe(null);
    expect(await codesOf(work)).not.toContain("BRANCH_MISMATCH");
  });

  it("nothing is pushed of the branch, which is where it was before", async () => {
    await using work = await openWork();
    await work.addRemote();
    await inConflict(work.root);
    await tryGit(work.root, "rebase", "other");
    const before = await git(work.folder, "--git-dir=remote.git", "for-each-ref");
    const { code, stderr } = await work.call(["save", "--sync", "--yes"]);
    expect([code, stderr.includes("Finish or abort the rebase, then push")]).toEqual([75, true]);
    expect(await git(work.folder, "--git-dir=remote.git", "for-each-ref")).toBe(before);
  });

  it("a load that finds another branch saved says to finish it, and offers no switch", async () => {
    await using work = await openWork();
    await inConflict(work.root);
    await work.git("checkout", "-qb", "saved");
    await work.call(["save", "--todo", "form"]);
    await work.git("checkout", "-q", "main");
    await tryGit(work.root, "rebase", "other");
    const { validation } = await work.json("load");
    expect(validation[0]).toEqual({
      code: "BRANCH_MISMATCH",
      message: "The branch main is being rebased, but the work was saved on saved.",
      action: "Finish or abort the rebase first, and load again.",
    });
    const { asked } = await work.answer(["load"], {});
    expect(asked).toMatchInlineSnapshot(`
      "What now?
        Resolve the blocker first
        Commit the changes
        Stash the changes
        Continue here, and update the state
        Continue with: form
        A new task"
    `);
    expect((await work.call(["load", "--resume"])).stdout).toContain("a rebase has to be finished first");
    await work.git("rebase", "--abort");
    expect((await work.answer(["load"], {})).asked).toContain("Switch to saved");
  });
});
