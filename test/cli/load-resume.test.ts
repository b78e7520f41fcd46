import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { ran } from "../support/recorded-work.ts";
import { inConflict, statusOf, tryGit } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const failed = "Exit code 1\n      Tests  1 failed | 3 passed (4)\n";
/** Has a test fail that was recorded, and saves. */
async function failTest(work: Work): Promise<void> {
  await work.call(["save", "-m", "The form", "--todo", "tests"]);
  const at = new Date(Date.now() - 1000);
  await work.record("one", ran(at, { input: { command: "npm test" }, output: failed, failed: true }));
  await work.call(["save"]);
}
const allowRecovery = (work: Work, ...words: readonly string[]) =>
  work.call(["recovery", "allow", "test_failure", "--yes", "--", ...words]);
const resume = ["load", "--resume"];
const attempts = async (work: Work) => (await work.state()).blocker?.recovery_attempted;

describe("carryon load --resume with a blocker", () => {
  // Seed 1: 8.1, 8.2, 12.1
  it("runs the approved recovery, clears the blocker, and says what comes next", async () => {
    await using work = await openWork();
    await failTest(work);
    await allowRecovery(work, "sh", "-c", "echo ran >> ../ran");
    expect(await work.call(resume)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Ran \`sh -c 'echo ran >> ../ran'\` (attempt 1 of 3): it ended with code 0, and the blocker is cleared.
      Work     tests
      Saved    just now, quick
      Branch   main at <commit>
      Progress ░░░░░░░░░░░░░░░░░░░░ 0/1 tasks (0%)
      Now      ALL_VALID: Everything is as it was when the work was saved.
      Next     tests

      Go on with: tests
      ",
      }
    `);
    expect(await readFile(join(work.folder, "ran"), "utf8")).toBe("ran\n");
    expect((await work.state()).blocker).toBe(null);
    // It stays cleared.
    expect((await work.call(["save"])).stdout).toContain("Blocker  none\n");
  });

  it("says of the change that it is blocked no more", async () => {
    await using work = await openWork();
    await work.write({
      "openspec/changes/add-login/proposal.md": "# Login\n",
      "openspec/changes/add-login/tasks.md": "- [x] form\n- [ ] tests\n",
    });
    await failTest(work);
    expect((await work.state()).openspec_status).toBe("BLOCKED");
    await allowRecovery(work, "true");
    await work.call(resume);
    expect(await work.state()).toMatchObject({ blocker: null, openspec_status: "IN_PROGRESS" });
  });

  it("clears nothing unless the approved check passes", async () => {
    await using work = await openWork();
    await failTest(work);
    await allowRecovery(work, "true");
    const check = "echo 'looking\n  for it'; test -f ../fixed";
    await work.call(["check", "allow", "test", "--yes", "--", "sh", "-c", check]);
    const { stdout, stderr } = await work.call(resume);
    expect(stdout).toContain(
      "Ran `true` (attempt 1 of 3): the check does not pass, and the blocker stays.\n",
    );
    expect(stderr).toBe("  looking\n    for it\n");
    await work.write({ "../fixed": "" });
    expect((await work.call(resume)).stdout).toContain(
      "(attempt 2 of 3): the check passes, and the blocker is cleared.",
    );
    expect((await work.state()).blocker).toBe(null);
  });

  // Seed 1: 8.2
  it("counts its attempts across processes, and stops after the last", async () => {
    await using work = await openWork();
    await failTest(work);
    await allowRecovery(work, "sh", "-c", "echo ran >> ../ran; exit 1");
    for (const attempt of [1, 2]) {
      await work.call(resume);
      expect(await attempts(work)).toBe(attempt);
    }
    expect((await work.carryon.run(resume, { cwd: work.root })).code).toBe(0);
    expect(await attempts(work)).toBe(3);
    // A save that finds the same again counts on.
    await work.call(["save"]);
    expect(await attempts(work)).toBe(3);
    const { code, stdout } = await work.call(resume);
    expect(stdout).toContain("Recovery was tried 3 times without success, and is not tried again");
    expect([code, await attempts(work)]).toEqual([0, 3]);
    expect(await readFile(join(work.folder, "ran"), "utf8")).toBe("ran\nran\nran\n");
    await allowRecovery(work, "true");
    expect((await work.call(resume)).stdout).toContain("Ran `true` (attempt 1 of 3)");
    expect((await work.state()).blocker).toBe(null);
  });

  // Seed 1: 8.4
  it("names the agents of the project where an agent runs it, and asks nothing", async () => {
    await using work = await openWork();
    await failTest(work);
    const without = await work.call(resume, { CLAUDECODE: "1" });
    expect(without.stdout).toContain("The blocker needs a person: Run the failing test alone");
    await work.write({ ".claude/agents/tester.md": "test\n", ".claude/agents/code-editor.md": "edit\n" });
    const { code, stdout, stderr } = await work.call(resume, { CLAUDECODE: "1" });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")[0]).toMatchInlineSnapshot(
      `"Call the agent \`tester\`, then \`code-editor\` to clear the test_failure blocker. When it is gone, run \`carryon blocker resolve\`; otherwise go on with nothing else, and say what is left."`,
    );
    expect(await attempts(work)).toBe(1);
    const env = { PATH: process.env.PATH, ...work.env, CLAUDECODE: "1" };
    expect((await work.answer(resume, {}, { env })).asked).toBe("");
  });

  it("says how to approve a command where no agent runs it", async () => {
    await using work = await openWork();
    await failTest(work);
    const { code, stdout } = await work.call(resume);
    expect([code, stdout.split("\n")[0]]).toMatchInlineSnapshot(`
      [
        0,
        "The blocker stays: Approve a command that clears it with \`carryon recovery allow test_failure -- COMMAND\`",
      ]
    `);
    expect(await attempts(work)).toBe(0);
  });

  // Seed 1: 12.3
  it("runs nothing for a blocker that a person has put down", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    await work.call(["blocker", "add", "test_failure", "flaky", "--resolution", "Ask Ada"]);
    await allowRecovery(work, "sh", "-c", "echo ran >> ../ran");
    expect((await work.call(resume)).stdout.split("\n")[0]).toContain("Ask Ada");
    await expect(readFile(join(work.folder, "ran"))).rejects.toThrow("ENOENT");
    expect(await attempts(work)).toBe(0);
  });

  it("runs nothing that the repository says", async () => {
    await using work = await openWork();
    await failTest(work);
    const state = await work.state();
    const blocker = {
      ...state.blocker,
      recovery: ["touch", "../ran"],
      recovery_agent: "sh -c 'touch ../ran'",
    };
    await work.write({ ".claude/session-state.json": JSON.stringify({ ...state, blocker }) });
    await work.write({ ".claude/config.yaml": "recovery: { test_failure: [touch, ../ran] }\n" });
    const { stdout } = await work.call(resume, { CLAUDECODE: "1" });
    expect(stdout).not.toContain("touch");
    await expect(readFile(join(work.folder, "ran"))).rejects.toThrow("ENOENT");
  });

  it("does not run a command that was altered since it was approved", async () => {
    await using work = await openWork();
    await failTest(work);
    await allowRecovery(work, "true");
    const path = "../home/approvals.json";
    const text = await readFile(join(work.root, path), "utf8");
    await work.write({ [path]: text.replace('"true"', '"touch", "../ran"') });
    expect((await work.call(resume)).stdout).toContain("is not the one that was approved");
    await expect(readFile(join(work.folder, "ran"))).rejects.toThrow("ENOENT");
  });
});

describe("carryon load --resume in git", () => {
  const saveOnFeature = async (work: Work) => {
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
    await work.call(["save", "--sync", "--todo", "tests"]);
    await work.git("branch", "-q", "-u", "origin/feature");
    await work.git("checkout", "-q", "main");
  };
  const pushFromElsewhere = async (work: Work) => {
    await git(work.folder, "clone", "-q", "-b", "feature", "remote.git", "other");
    await git(join(work.folder, "other"), "commit", "-q", "--allow-empty", "-m", "theirs");
    await git(join(work.folder, "other"), "push", "-q");
    await work.git("fetch", "-q");
  };
  const branchOf = (work: Work) => work.git("symbolic-ref", "--short", "HEAD");

  // Seed 1: 8.3, 12.5
  it("goes back to the branch, and forward to its upstream", async () => {
    await using work = await openWork();
    await saveOnFeature(work);
    await pushFromElsewhere(work);
    expect(await work.call(resume)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Switched to feature, and went forward by 1 to its upstream.
      Work     tests
      Saved    just now, sync
      Branch   feature at <commit>
      Progress ░░░░░░░░░░░░░░░░░░░░ 0/1 tasks (0%)
      Now      COMMIT_MISMATCH: HEAD (<commit>) is 1 commit ahead of the saved commit <commit>.
               Look at what came since with \`git log <commit>..HEAD\`, then save again.
      Next     tests

      Go on with: tests
      ",
      }
    `);
    expect([await branchOf(work), await work.git("log", "-1", "--format=%s")]).toEqual(["feature", "theirs"]);
  });

  it("leaves a work tree with changes alone", async () => {
    await using work = await openWork();
    await saveOnFeature(work);
    await work.write({ "a.txt": "changed\n", "new.txt": "new\n" });
    const { code, stdout } = await work.call(resume);
    expect([code, stdout.split("\n")[0], stdout.split("\n").at(-2)]).toEqual([
      0,
      "The work tree is left as it is: there are changes that are in no commit.",
      "This is the wrong branch, and the task waits. Commit or stash the changes with git, and run `carryon load --resume` again.",
    ]);
    expect([await branchOf(work), await statusOf(work.root)]).toEqual(["main", ["M a.txt", "?? new.txt"]]);
  });

  it("goes on with the task where only files differ", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "tests"]);
    await work.write({ "a.txt": "changed\n" });
    const { stdout } = await work.call(resume);
    expect(stdout).toContain("The work tree is left as it is: ");
    expect(stdout.split("\n").at(-2)).toBe("Go on with: tests");
  });

  it("switches to no commit that was on no branch, and says so", async () => {
    await using work = await openWork();
    await work.git("checkout", "-q", "--detach");
    await work.call(["save", "--todo", "tests"]);
    expect((await work.json("load", "--resume")).git).toBe(null);
    await work.git("checkout", "-q", "main");
    const { stdout } = await work.call(resume);
    expect([stdout.split("\n")[0], stdout.split("\n").at(-2)]).toEqual([
      "The work tree is left as it is: the work was saved on a detached HEAD.",
      "This is the wrong branch, and the task waits. Go back with `git switch --detach <commit>`, or go on here and save again.",
    ]);
    expect(await branchOf(work)).toBe("main");
  });

  it("does not overwrite a file that git ignores", async () => {
    await using work = await openWork();
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
    await work.write({ "local.cfg": "of the branch\n" });
    await work.call(["save"]);
    await work.git("checkout", "-q", "main");
    await work.write({ ".git/info/exclude": "local.cfg\n/.claude/\n", "local.cfg": "precious\n" });
    const { stdout } = await work.call(resume);
    expect(stdout).toContain("The work tree is left as it is: ");
    expect([await branchOf(work), await readFile(join(work.root, "local.cfg"), "utf8")]).toEqual([
      "main",
      "precious\n",
    ]);
  });

  it("does not merge where both have gone on", async () => {
    await using work = await openWork();
    await saveOnFeature(work);
    await pushFromElsewhere(work);
    await work.git("checkout", "-q", "feature");
    await work.git("commit", "-q", "--allow-empty", "-m", "ours");
    const head = await work.git("rev-parse", "HEAD");
    expect((await work.call(resume)).code).toBe(0);
    expect(await work.git("rev-parse", "HEAD")).toBe(head);
  });

  it("leaves a merge that is in progress alone", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    await inConflict(work.root);
    expect(await tryGit(work.root, "merge", "other")).toBe(1);
    const status = await statusOf(work.root);
    const { stdout } = await work.call(resume);
    expect(stdout).toContain("a merge has to be finished first.");
    expect(stdout).toContain("Finish or abort the merge: until then `carryon save` commits nothing.");
    expect(await statusOf(work.root)).toEqual(status);
  });

  it("says in JSON what it did", async () => {
    await using work = await openWork();
    await saveOnFeature(work);
    const { git: returned, recovery, validation } = await work.json("load", "--resume");
    expect({ returned, recovery, validation }).toMatchInlineSnapshot(`
      {
        "recovery": {
          "said": [],
          "type": "no-blocker",
        },
        "returned": {
          "branch": "feature",
          "forwarded": 0,
          "type": "switched",
        },
        "validation": [
          {
            "action": "Go on with the next task.",
            "code": "ALL_VALID",
            "message": "Everything is as it was when the work was saved.",
          },
        ],
      }
    `);
  });

  it.each([["--help"], ["-x"], ["@{u}"], ["@{-1}"], ["HEAD"], ["../../etc"], ["main:a.txt"], ["a b"], [""]])(
    "goes to no branch that is called %j",
    async (branch) => {
      await using work = await openWork();
      await work.git("checkout", "-q", "-b", "side");
      await work.git("checkout", "-q", "main");
      await work.call(["save"]);
      const state = { ...(await work.state()), git_branch: branch };
      await work.write({ ".claude/session-state.json": JSON.stringify(state) });
      const { code, stdout } = await work.call(resume);
      expect([code, stdout.split("\n")[0]]).toEqual([
        0,
        "The work tree is left as it is: there is no such branch here.",
      ]);
      expect(await branchOf(work)).toBe("main");
    },
  );
});
