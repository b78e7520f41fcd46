import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const tasks = "- [x] form\n- [ ] skipped\n- [x] list\n- [ ] tests\n- [ ] docs\n";
const change = {
  "openspec/changes/add-login/proposal.md": "# Login\n",
  "openspec/changes/add-login/tasks.md": tasks,
};
const codesIn = async (work: Work) =>
  (await work.json("load")).validation.map(({ code }: { readonly code: string }) => code);

describe("carryon load", () => {
  it("goes on with what was being done where no tasks are known", async () => {
    await using work = await openWork();
    await work.call(["save", "--new", "The basket"]);
    const { stdout } = await work.call(["load"]);
    expect(stdout.split("\n").slice(-4)).toEqual(["Next     The basket", "", "Go on with: The basket", ""]);
    await work.call(["save", "--done", "all of it"]);
    expect((await work.call(["load"])).stdout.split("\n").at(-2)).toBe(
      "Ask what comes next: no task is left.",
    );
  });

  // Seed 1: 2.1, 5.1, 5.2, 12.4
  it("says what was being done, how far it is and what comes next", async () => {
    await using work = await openWork();
    await work.write(change);
    await work.call(["save"]);
    expect(await work.call(["load"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Work     tests
      Saved    just now, quick
      Branch   main at <commit>
      Progress ████████░░░░░░░░░░░░ 2/5 tasks (40%), add-login IN_PROGRESS
      Skipped  skipped
      Now      ALL_VALID: Everything is as it was when the work was saved.
      Next     tests

      Go on with: tests
      ",
      }
    `);
    expect(await work.state()).toMatchObject({
      ...{ openspec: "add-login", openspec_status: "IN_PROGRESS", working_on: "tests" },
      ...{ next_steps: ["tests", "docs"], task_progress: { completed: 2, total: 5, percentage: 40 } },
    });
    // Tasks are read as they are now.
    await work.write({ "openspec/changes/add-login/tasks.md": tasks.replace("[ ] tests", "[x] tests") });
    expect((await work.json("load")).next_task).toBe("docs");
  });

  it("has a form in JSON", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "b"]);
    const { state, ...rest } = await work.json("load");
    expect(state).toMatchObject({ version: 1, working_on: "b" });
    expect(rest).toMatchInlineSnapshot(`
      {
        "blocker": null,
        "integrity": {
          "errors": [],
          "ok": true,
          "warnings": [],
        },
        "later": null,
        "next_task": "b",
        "origin": "own",
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

  // Seed 1: 10.1, 10.3
  it.each([
    {
      code: "UNCOMMITTED_CHANGES",
      make: (work: Work) => work.write({ "new.txt": "new\n" }),
    },
    {
      code: "BRANCH_MISMATCH",
      make: (work: Work) => work.git("checkout", "-qb", "other"),
    },
    {
      code: "COMMIT_MISMATCH",
      make: (work: Work) => work.git("commit", "-q", "--allow-empty", "-m", "later"),
    },
    {
      code: "OPENSPEC_NOT_FOUND",
      make: async (work: Work) => {
        await rm(join(work.root, "openspec"), { recursive: true });
        await work.git("commit", "-qam", "gone");
      },
      more: ["COMMIT_MISMATCH", "FILE_MISSING"],
    },
    {
      code: "PROPOSAL_MISSING",
      make: async (work: Work) => {
        await work.git("rm", "-q", "openspec/changes/add-login/proposal.md");
        await work.git("commit", "-qm", "gone");
      },
      more: ["COMMIT_MISMATCH", "FILE_MISSING"],
    },
    {
      code: "FILE_CHANGED",
      make: async (work: Work) => {
        await work.write({ "a.txt": "changed again\n" });
        await work.git("commit", "-qam", "again");
      },
      more: ["COMMIT_MISMATCH"],
    },
    {
      code: "FILE_MISSING",
      make: async (work: Work) => {
        await work.git("rm", "-q", "a.txt");
        await work.git("commit", "-qm", "gone");
      },
      more: ["COMMIT_MISMATCH"],
    },
    {
      code: "BLOCKER_EXISTS",
      make: (work: Work) => work.call(["blocker", "add", "design_issue", "two owners"]),
    },
  ])("says $code", async ({ code, make, more = [] }) => {
    await using work = await openWork();
    await work.write({ ...change, "a.txt": "changed\n" });
    await work.call(["save"]);
    expect(await codesIn(work)).toEqual(["ALL_VALID"]);
    await make(work);
    expect((await codesIn(work)).toSorted()).toEqual([code, ...more].toSorted());
    const { code: exit, stdout } = await work.call(["load"]);
    expect([exit, stdout.includes(`${code}: `)]).toEqual([0, true]);
  });

  // Seed 1: 5.3, 5.4
  it("says several things at once, each with what to do, and the blocker first", async () => {
    await using work = await openWork();
    await work.write(change);
    await work.call(["save"]);
    await work.call(["blocker", "add", "design_issue", "two owners", "--resolution", "Ask Ada"]);
    await work.git("checkout", "-qb", "other");
    await work.write({ "new.txt": "new\n" });
    expect(await work.call(["load"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Blocker  design_issue (medium): two owners
               To do: Ask Ada
      Work     tests
      Saved    just now, quick
      Branch   main at <commit>
      Progress ████████░░░░░░░░░░░░ 2/5 tasks (40%), add-login BLOCKED
      Skipped  skipped
      Now      BRANCH_MISMATCH: This is the branch other, but the work was saved on main.
               Switch to it with \`git switch main\`, or go on here and save again.
               UNCOMMITTED_CHANGES: A file has changes that are not committed: new.txt.
               Commit them (\`carryon save\` does) or stash them before you switch to another branch.
               BLOCKER_EXISTS: The work is blocked (design_issue, medium): two owners.
               Ask Ada. Resolve it before anything else, then say \`carryon blocker resolve\`.
      Next     tests

      Resolve the blocker before anything else; then \`carryon blocker resolve\`.
      ",
      }
    `);
  });

  it("ignores the handover and what the last save left out", async () => {
    await using work = await openWork();
    await work.write({ ".env": "A=1\n" });
    await work.call(["save"]);
    await work.write({ ".claude/sdd/handover/session.md": "# Session Handover\n" });
    expect(await codesIn(work)).toEqual(["ALL_VALID"]);
    await work.write({ ".env": "A=2\n" });
    expect(await codesIn(work)).toEqual(["UNCOMMITTED_CHANGES", "FILE_CHANGED"]);
  });

  it("ends with 2 where nothing was saved, and says so in JSON too", async () => {
    await using work = await openWork();
    expect(await work.call(["load"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Nothing was saved here: there is no <folder>/work/.claude/session-state.json.
        Save the work with \`carryon save\`.
      ",
        "stdout": "",
      }
    `);
    const { code, stdout } = await work.call(["load", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchInlineSnapshot(`
      [
        2,
        {
          "blocker": null,
          "checkpoint": null,
          "integrity": {
            "errors": [
              {
                "field": "",
                "problem": "there is no state",
              },
            ],
            "ok": false,
          },
          "machine": null,
          "next_task": null,
          "state": null,
          "validation": [],
        },
      ]
    `);
  });

  // Seed 1: 11.1
  it("names each field that is broken, and offers the last checkpoint", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form"]);
    const broken = JSON.stringify({
      ...(await work.state()),
      mode: "fast",
      saved_at: "yesterday",
      blocker: {},
    });
    await work.write({ ".claude/session-state.json": broken });
    const { code, stdout, stderr } = await work.call(["load"]);
    const masked = stderr.replace(/checkpoint of [^(]*\(/, "checkpoint of <when> (");
    expect({ code, stdout, stderr: masked }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder>/work/.claude/session-state.json cannot be read as a state, and is left as it is: saved_at is not a time in ISO 8601; blocker.description is missing; blocker.detected_at is not a time in ISO 8601.
        The checkpoint of <when> (The form) is in the log: \`carryon load --restore\` takes it, and keeps the file aside.
      ",
        "stdout": "",
      }
    `);
    const json = await work.call(["load", "--json"]);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ...{ state: null, integrity: { ok: false }, checkpoint: { working_on: "The form" } },
    });
    const restored = await work.call(["load", "--restore"]);
    expect([restored.code, restored.stderr.startsWith("The file that was there is now ")]).toEqual([0, true]);
    expect(restored.stdout).toContain("Work     The form\n");
    const aside = restored.stderr.trim().slice("The file that was there is now <folder>/".length);
    expect(await git(work.folder, "hash-object", aside)).toBe(await hashOf(work, broken));
    expect((await work.call(["load", "--restore"])).code).toBe(2);
  });

  it("restores a state that was deleted, and takes none where there is none", async () => {
    await using work = await openWork();
    expect((await work.call(["load", "--restore"])).stderr).toContain(
      "There is no checkpoint of this folder",
    );
    await work.call(["save", "-m", "The form", "--todo", "b"]);
    const saved = await work.state();
    await rm(join(work.root, ".claude/session-state.json"));
    expect((await work.call(["load", "--restore"])).code).toBe(0);
    expect(await work.state()).toEqual(saved);
  });
});

async function hashOf(work: Work, text: string): Promise<string> {
  await work.write({ "../text": text });
  return git(work.folder, "hash-object", "text");
}
