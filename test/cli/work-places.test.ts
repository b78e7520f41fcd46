import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { statusOf } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

describe("work in an unusual place", () => {
  it("is saved in a repository without a commit, and makes its first", async () => {
    await using work = await openWork();
    const fresh = join(work.folder, "fresh");
    await makeRepo(fresh, []);
    expect((await work.call(["save"], {}, fresh)).stdout).toMatchInlineSnapshot(`
      "Saved    <folder>/fresh/.claude/session-state.json
      Work     work in progress
      Branch   main no commit yet, nothing to commit, local
      Progress no tasks are known
      Blocker  none
      "
    `);
    expect((await work.call(["load"], {}, fresh)).code).toBe(0);
    await work.write({ "../fresh/a.txt": "a\n" });
    expect((await work.call(["save", "-m", "The form"], {}, fresh)).stdout).toContain("1 file committed");
    expect(await git(fresh, "log", "--format=%s")).toBe("WIP: The form - checkpoint");
    expect((await work.call(["load", "--resume"], {}, fresh)).stdout).toContain("ALL_VALID");
  });

  it("is saved on a detached HEAD, with a word on how to keep it", async () => {
    await using work = await openWork();
    await work.git("checkout", "-q", "--detach");
    await work.write({ "new.txt": "new\n" });
    const { code, stdout, stderr } = await work.call(["save"]);
    expect([code, stdout.includes("Branch   (detached) at <commit>, 1 file committed"), stderr]).toEqual([
      0,
      true,
      "The commit is on no branch: `git branch NAME` keeps it when you switch to another one.\n",
    ]);
    expect((await work.state()).git_branch).toBe(null);
    expect((await work.call(["load", "--resume"])).stdout).toContain("ALL_VALID");
  });

  it("is refused in a bare repository, and in the folder of git", async () => {
    await using work = await openWork();
    await git(work.folder, "init", "-q", "--bare", "bare.git");
    for (const cwd of [join(work.folder, "bare.git"), join(work.root, ".git")]) {
      for (const args of [["save"], ["blocker", "add", "other", "x"]])
        expect(await work.call(args, {}, cwd)).toEqual({
          ...{ code: 2, stdout: "" },
          stderr:
            "carryon: This folder belongs to git, and has no work to save.\n  Go to a work tree of the repository.\n",
        });
      expect((await work.call(["load"], {}, cwd)).code).toBe(2);
      expect(await readdir(cwd)).not.toContain(".claude");
    }
  });

  it("is that of the submodule or the work tree that one is in", async () => {
    await using work = await openWork();
    await makeRepo(join(work.folder, "library"), ["library"]);
    await work.git("submodule", "--quiet", "add", "../library", "lib");
    await work.git("commit", "-qm", "with a submodule");
    const [inside, tree] = [join(work.root, "lib"), join(work.folder, "tree")];
    await work.git("worktree", "add", "-q", "-b", "side", tree);
    await work.write({ "lib/new.txt": "new\n", "../tree/other.txt": "other\n", "here.txt": "here\n" });
    expect((await work.call(["save", "-m", "Inside"], {}, inside)).stdout).toContain("1 file committed");
    expect((await work.call(["save", "-m", "Beside"], {}, tree)).stdout).toContain("Branch   side at");
    expect((await work.call(["save", "-m", "Here"])).stdout).toContain("2 files committed");
    const names = [inside, tree, work.root].map(async (root) => {
      const { stdout } = await work.call(["load", "--json"], {}, root);
      const { state, validation } = JSON.parse(stdout);
      return [state.working_on, state.git_branch, validation[0].code, ...(await statusOf(root))];
    });
    expect(await Promise.all(names)).toEqual([
      ["Inside", "main", "ALL_VALID"],
      ["Beside", "side", "ALL_VALID"],
      ["Here", "main", "ALL_VALID"],
    ]);
  });

  it("is that of the whole project from a folder below", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    const below = join(work.root, "src");
    expect((await work.call(["save", "-m", "Below"], {}, below)).stdout).toContain(
      "Saved    <folder>/work/.claude/session-state.json\n",
    );
    expect(await statusOf(work.root)).toEqual([]);
    await mkdir(join(below, "deep"));
    expect((await work.call(["load"], {}, join(below, "deep"))).stdout).toContain("Work     Below\n");
  });
});

const hostile = "\u001b[31m\u001b]0;title\u0007\u202e\u200b\rX";
/** What must never reach a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const harmful = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/;

describe("a state that somebody else wrote", () => {
  it("shows none of its control characters", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "x"]);
    const state = {
      ...(await work.state()),
      ...{
        git_branch: `b${hostile}`,
        git_commit: `c${hostile}`,
        openspec: `o${hostile}`,
        openspec_status: "DRAFT",
      },
      ...{ working_on: `w${hostile}`, next_steps: [`n${hostile}`], session: `s${hostile}` },
      ...{ completed_tasks: [`d${hostile}`], pending_tasks: [`p${hostile}`, `q${hostile}`] },
      task_progress: { completed: 1, total: 3, percentage: 33 },
      modified_files: [{ path: `f${hostile}`, sha256: `h${hostile}`, left_out: `r${hostile}` }],
      blocker: {
        ...{
          type: "test_failure",
          severity: "high",
          description: `d${hostile}`,
          error_pattern: `e${hostile}`,
        },
        ...{ resolution: `r${hostile}`, appeared_after: `a${hostile}`, recovery_agent: `g${hostile}` },
        ...{ detected_at: new Date().toISOString(), auto_detected: true },
      },
    };
    const text = JSON.stringify(state);
    const reset = () => work.write({ ".claude/session-state.json": text });
    for (const args of [["load"], ["status"], ["blocker"], ["load", "--resume"], ["save"], ["brief"]]) {
      await reset();
      for (const env of [{}, { CLAUDECODE: "1" }]) {
        const { stdout, stderr } = await work.call(args, env);
        expect([args, harmful.exec(stdout + stderr)?.[0]]).toEqual([args, undefined]);
      }
      await reset();
      const answered = await work.answer(args, {});
      const said = answered.asked + answered.stdout + answered.stderr;
      expect([args, harmful.exec(said)?.[0]]).toEqual([args, undefined]);
    }
  });

  it.each([
    ["--help"],
    ["-x"],
    ["HEAD"],
    ["HEAD~1"],
    ["@{u}"],
    ["main"],
    ["--output=../made"],
    ["../.."],
    [""],
  ])("names no commit by %j", async (commit) => {
    await using work = await openWork();
    await work.git("commit", "-q", "--allow-empty", "-m", "second");
    await work.call(["save"]);
    const state = { ...(await work.state()), git_commit: commit };
    await work.write({ ".claude/session-state.json": JSON.stringify(state) });
    const { validation } = await work.json("load");
    expect(validation.map(({ code }: { readonly code: string }) => code)).toEqual(["COMMIT_MISMATCH"]);
  });

  it.each([["../../outside.txt"], ["/etc/passwd"], ["a\0b"], [""], ["."], [".git/config"]])(
    "says nothing of a file outside of the project: %j",
    async (path) => {
      await using work = await openWork();
      await work.call(["save"]);
      await work.write({ "../outside.txt": "outside\n" });
      const modified_files = [{ path, sha256: "0".repeat(64) }];
      const state = { ...(await work.state()), modified_files };
      await work.write({ ".claude/session-state.json": JSON.stringify(state) });
      const { code, stdout } = await work.call(["load", "--json"]);
      expect([code, JSON.parse(stdout).validation.map((each: { code: string }) => each.code)]).toEqual([
        0,
        expect.not.arrayContaining(["FILE_CHANGED"]),
      ]);
    },
  );

  it.each([["../../../outside"], ["/etc"], ["-x"], ["a/b"], [".."], ["archive"]])(
    "reads no change of OpenSpec outside of openspec: %j",
    async (openspec) => {
      await using work = await openWork();
      await work.write({
        "../outside/tasks.md": "- [ ] evil\n",
        "openspec/changes/add-login/tasks.md": "- [ ] good\n",
      });
      await work.call(["save"]);
      const state = { ...(await work.state()), openspec };
      await work.write({ ".claude/session-state.json": JSON.stringify(state) });
      const { code, stdout } = await work.call(["load", "--json"]);
      expect([code, stdout.includes("evil")]).toEqual([0, false]);
      expect(JSON.parse(stdout).validation.map((each: { code: string }) => each.code)).toContain(
        "OPENSPEC_NOT_FOUND",
      );
    },
  );
});
