import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, hook, inConflict, statusOf, tryGit } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

describe("carryon save", () => {
  // Seed 1: 1.1, 3.1, 6.1, 7.1
  it("commits what has changed, writes the state, and says so on one screen", async () => {
    await using work = await openWork();
    await work.write({
      "a.txt": "changed\n",
      "new.txt": "new\n",
      ".env": "A=1\n",
      "big.bin": "x".repeat(6 << 20),
    });
    expect(
      await work.call([
        "save",
        "-m",
        "The form",
        "--next",
        "Its tests",
        "--done",
        "a",
        "--todo",
        "b",
        "--todo",
        "c",
      ]),
    ).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     The form
      Branch   main at <commit>, 2 files committed, local
      Progress ███████░░░░░░░░░░░░░ 1/3 tasks (33%)
      Next     Its tests
      Blocker  none
      Left out .env (an environment file that no commit has yet)
               big.bin (it is over 5 MB, 6.3 MB)
      ",
      }
    `);
    expect(await work.git("log", "-1", "--format=%B")).toBe("WIP: The form - checkpoint");
    expect(await filesIn(work.root)).toEqual(["a.txt", "new.txt", "src/b.txt"]);
    expect(await statusOf(work.root)).toEqual(["?? .env", "?? big.bin"]);
    const { saved_at, git_commit, modified_files, ...rest } = await work.state();
    expect(rest).toMatchInlineSnapshot(`
      {
        "blocker": null,
        "completed_tasks": [
          "a",
        ],
        "git_branch": "main",
        "git_pushed": false,
        "mode": "quick",
        "next_steps": [
          "Its tests",
        ],
        "openspec": null,
        "openspec_status": null,
        "pending_tasks": [
          "b",
          "c",
        ],
        "session": null,
        "task_progress": {
          "completed": 1,
          "percentage": 33,
          "total": 3,
        },
        "version": 1,
        "working_on": "The form",
      }
    `);
    expect(await work.git("rev-parse", "HEAD")).toMatch(new RegExp(`^${git_commit}`));
    expect(modified_files.map(({ path, left_out }: Record<string, string>) => [path, left_out])).toEqual([
      [".env", "environment"],
      ["big.bin", "too-big"],
      ["a.txt", undefined],
      ["new.txt", undefined],
    ]);
    expect(Number.isNaN(Date.parse(saved_at))).toBe(false);
    expect((await stat(join(work.root, ".claude/session-state.json"))).mode & 0o777).toBe(0o600);
  });

  it("makes no commit where nothing has changed, and keeps what was said before", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form", "--todo", "b"]);
    const head = await work.git("rev-parse", "HEAD");
    expect(await work.call(["save"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     b
      Branch   main at <commit>, nothing to commit, local
      Progress ░░░░░░░░░░░░░░░░░░░░ 0/1 tasks (0%)
      Next     b
      Blocker  none
      ",
      }
    `);
    expect(await work.git("rev-parse", "HEAD")).toBe(head);
  });

  it("works on the last commit where nobody has said anything", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    expect(await work.state()).toMatchObject({ working_on: "first", next_steps: [] });
  });

  it("writes the state only, when no commit is wanted", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    expect((await work.call(["save", "--no-commit"])).stdout).toContain(
      "main at <commit>, no commit was wanted, local\n",
    );
    expect(await statusOf(work.root)).toEqual(["?? new.txt"]);
  });

  it("saves the state, says what the hook said and fails when a hook refuses the commit", async () => {
    await using work = await openWork();
    await hook(work.root, "pre-commit", "echo 'lint: no tabs' >&2; exit 1");
    await work.write({ "new.txt": "new\n" });
    expect(await work.call(["save", "-m", "The form"])).toMatchInlineSnapshot(`
      {
        "code": 75,
        "stderr": "A hook of this repository refused the commit. Nothing was committed:
        lint: no tabs
      carryon: The state of the work is saved, but nothing was committed.
        Mend what the hook objects to, and save again; \`carryon save --no-commit\` wants no commit.
      ",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     The form
      Branch   main at <commit>, no commit: a hook refused it, local
      Progress no tasks are known
      Blocker  none
      ",
      }
    `);
    expect(await statusOf(work.root)).toEqual(["?? new.txt"]);
    expect(await work.state()).toMatchObject({ working_on: "The form" });
  });

  it("makes no commit in the middle of a merge, and the conflict is the blocker until it is resolved", async () => {
    await using work = await openWork();
    await inConflict(work.root);
    expect(await tryGit(work.root, "merge", "other")).toBe(1);
    expect(await work.call(["save"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     again
      Branch   main at <commit>, no commit: a merge is in progress, local
      Progress no tasks are known
      Blocker  merge_conflict (critical): Changes are in conflict: a.txt
               To do: Resolve the conflicts in these files, stage them, and finish or abort what git is in the middle of.
               It came after: again
      ",
      }
    `);
    expect((await work.state()).blocker).toMatchObject({ type: "merge_conflict", severity: "critical" });
    await work.write({ "a.txt": "both\n" });
    await work.git("commit", "-qam", "merged");
    expect((await work.call(["save"])).stdout).toContain("Blocker  none\n");
    expect((await work.state()).blocker).toBe(null);
  });

  it("says where the content is that had only been staged", async () => {
    await using work = await openWork();
    await work.write({ "a.txt": "staged\n" });
    await work.git("add", "a.txt");
    await work.write({ "a.txt": "work tree\n" });
    expect((await work.call(["save"])).stderr).toBe(
      "What you had staged of files that you changed again is kept in refs/carryon/staged.\n",
    );
    expect(await work.git("show", "refs/carryon/staged:a.txt")).toBe("staged");
  });

  it("begins with another task, and keeps the old one in the log", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    const said = await work.call(["save", "-m", "The form", "--todo", "b", "--new", "The list"]);
    expect([said.code, said.stderr]).toEqual([0, "Begun: The list\n"]);
    expect(await work.state()).toMatchObject({ working_on: "The list", pending_tasks: [], next_steps: [] });
    expect(await work.git("log", "-1", "--format=%s")).toBe("WIP: The form - checkpoint");
  });

  it("saves without git where there is none", async () => {
    await using work = await openWork();
    const plain = join(work.folder, "plain");
    await work.write({ "../plain/a.txt": "a\n" });
    expect(await work.call(["save", "-m", "Notes", "--todo", "x"], {}, plain)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/plain/.claude/session-state.json
      Work     Notes
      Progress ░░░░░░░░░░░░░░░░░░░░ 0/1 tasks (0%)
      Next     x
      Blocker  none
      ",
      }
    `);
    expect(await work.call(["load"], {}, plain)).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Work     Notes
      Saved    just now, quick
      Progress ░░░░░░░░░░░░░░░░░░░░ 0/1 tasks (0%)
      Now      ALL_VALID: Nothing is known to have changed. Outside git, files are not compared.
      Next     x

      Go on with: x
      ",
      }
    `);
  });

  it("says what it did in JSON", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n", ".env": "A=1\n" });
    const { state, ...rest } = await work.json("save", "-m", "The form");
    expect(state).toMatchObject({ working_on: "The form", git_branch: "main" });
    expect(rest).toMatchInlineSnapshot(`
      {
        "aside": null,
        "checks": [],
        "commit": {
          "commit": "<commit>",
          "conflicts": [],
          "files": [
            "new.txt",
          ],
          "operation": null,
          "outcome": "committed",
          "said": null,
          "staged": null,
        },
        "left_out": [
          {
            "detail": null,
            "path": ".env",
            "reason": "environment",
          },
        ],
        "path": "<folder>/work/.claude/session-state.json",
        "push": null,
        "tasks": {
          "next": null,
          "skipped": [],
          "source": "none",
        },
        "warnings": [],
      }
    `);
  });

  it.each([
    { args: ["save", "--sync", "--full"], said: "cannot be used with" },
    { args: ["save", "-m"], said: "argument missing" },
    { args: ["save", "words"], said: "too many" },
  ])("refuses $args", async ({ args, said }) => {
    await using work = await openWork();
    const { code, stderr } = await work.call(args);
    expect([code, stderr.toLowerCase().includes(said)]).toEqual([2, true]);
  });
});
