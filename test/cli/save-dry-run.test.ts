import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inConflict, tryGit } from "../support/save-repo.ts";
import { hashTree } from "../support/tree-hash.ts";
import { openWork, type Work } from "../support/work-project.ts";

/** Runs a command, and sees that it has written nothing, neither in the repository nor at home. */
async function callWithoutTrace(work: Work, args: readonly string[]) {
  const before = await hashTree(work.folder);
  const said = await work.call(args);
  expect(await hashTree(work.folder)).toEqual(before);
  return said;
}

/** Changes, deletes and adds files, one of which is left out. */
async function change(work: Work): Promise<void> {
  await work.write({ "a.txt": "changed\n", "new.txt": "new\n", ".env": "A=1\n" });
  await rm(join(work.root, "src/b.txt"));
}

describe("carryon save --dry-run", () => {
  it("says what would be committed, left out and pushed, and writes nothing", async () => {
    await using work = await openWork();
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
    await change(work);
    expect(await callWithoutTrace(work, ["save", "--sync", "--dry-run"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Nothing is saved. This is what would be done:
      Branch   feature at <commit>, 3 changes would be committed
      Commit   a.txt
               src/b.txt (deleted)
               new.txt
      Left out .env (an environment file that no commit has yet)
      Push     to origin/feature, which the branch would follow from then on
      ",
      }
    `);
    const { stdout } = await callWithoutTrace(work, ["save", "--sync", "--dry-run", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      ...{ dry_run: true, branch: "feature", head: "<commit>" },
      commit: {
        ...{ outcome: "would-commit", operation: null, conflicts: [] },
        files: [
          { path: "a.txt", deleted: false },
          { path: "src/b.txt", deleted: true },
          { path: "new.txt", deleted: false },
        ],
      },
      left_out: [{ path: ".env", reason: "environment", detail: null }],
      push: {
        ...{ outcome: "would-push", remote: "origin", branch: "feature" },
        ...{ default_branch: false, sets_upstream: true },
      },
    });
  });

  it("says what a save then does", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "before"]);
    await change(work);
    await work.git("add", "new.txt");
    await work.git("rm", "-q", "--cached", "a.txt");
    const foreseen = JSON.parse((await callWithoutTrace(work, ["save", "--dry-run", "--json"])).stdout);
    const saved = await work.json("save");
    expect(foreseen.left_out).toEqual(saved.left_out);
    const listed = await work.git("diff", "--name-only", "HEAD~1", "HEAD");
    const files = foreseen.commit.files.map(({ path }: { readonly path: string }) => path);
    expect(files.sort()).toEqual(listed.split("\n").sort());
    expect((await work.call(["save", "--dry-run"])).stdout).toContain("nothing to commit");
  });

  it.each([
    {
      case: "the default branch",
      make: async (work: Work) => work.addRemote(),
      args: ["--sync"],
      said: "Push     to origin/main; that is the default branch, and needs --yes or your yes\n",
    },
    {
      case: "the default branch and --yes",
      make: async (work: Work) => work.addRemote(),
      args: ["--full", "--yes"],
      said: "Push     to origin/main\nChecks   those that you have approved would be run\n",
    },
    { case: "no remote", args: ["--sync"], said: "Push     none: it is not known to which remote\n" },
    { case: "no commit that is wanted", args: ["--no-commit"], said: "at <commit>, no commit is wanted\n" },
    {
      case: "a merge",
      make: async (work: Work) => {
        await inConflict(work.root);
        await tryGit(work.root, "merge", "other");
      },
      args: ["--sync"],
      said: "main at <commit>, no commit: a merge is in progress\nConflict a.txt\n",
    },
    {
      case: "a rebase",
      make: async (work: Work) => {
        await inConflict(work.root);
        await tryGit(work.root, "rebase", "other");
      },
      args: ["--sync"],
      said: "Push     none: no branch is checked out\n",
    },
    {
      case: "no repository",
      make: (work: Work) => rm(join(work.root, ".git"), { recursive: true }),
      args: ["--sync"],
      said: "Branch   none: this is no repository, and only the state would be written\n",
    },
  ])("knows $case", async ({ make = async () => undefined, args, said }) => {
    await using work = await openWork();
    await make(work);
    const { code, stdout } = await callWithoutTrace(work, ["save", "--dry-run", ...args]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(said)]);
  });

  it("names both places of a file that is moved", async () => {
    await using work = await openWork();
    await work.write({ "one.txt": "same\n", "two.txt": "same\n", "old.txt": "1\n2\n3\n" });
    await work.git("add", "-A");
    await work.git("commit", "-qm", "more");
    await work.git("mv", "a.txt", "moved.txt");
    for (const name of ["one.txt", "two.txt", "old.txt"]) await rm(join(work.root, name));
    await work.write({ "copy.txt": "same\n", "new.txt": "1\n2\n3\n4\n" });
    const { stdout } = await callWithoutTrace(work, ["save", "--dry-run"]);
    expect(stdout.split("\n").slice(1)).toEqual([
      "Branch   main at <commit>, 7 changes would be committed",
      "Commit   a.txt (deleted)",
      "         moved.txt",
      "         old.txt (deleted)",
      "         one.txt (deleted)",
      "         two.txt (deleted)",
      "         copy.txt",
      "         new.txt",
      "",
    ]);
    expect((await work.call(["save"])).stdout).toContain(", 5 files committed, 2 of them deleted, local\n");
  });

  it("names some of many files, and all in JSON", async () => {
    await using work = await openWork();
    await work.write(Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`f${at}`, "x\n"])));
    const { stdout } = await work.call(["save", "--dry-run"]);
    expect(stdout.split("\n").at(-2)?.trim()).toBe("and 5 more files; --json names all");
    expect((await work.json("save", "--dry-run")).commit.files.length).toBe(25);
  });

  it("begins no other task", async () => {
    await using work = await openWork();
    expect(await work.call(["save", "--dry-run", "--new", "two"])).toMatchObject({ code: 2 });
  });
});
