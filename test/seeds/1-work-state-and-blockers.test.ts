import { chmod, mkdir, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tryGit } from "../support/save-repo.ts";
import { blockerAfterSave, change, openSeedWork, report, run, tasks } from "../support/seed-work.ts";
import type { Work } from "../support/work-project.ts";

// The files of the document, and how they are read: 1-state-files.test.ts.

describe("Session State File", () => {
  // Seed 1: 1.1, 3.1, 6.1
  it("save: the state of the work stands in .claude/session-state.json, which no commit has", async () => {
    await using work = await openSeedWork();
    expect((await work.call(["save"])).code).toBe(0);
    expect(await work.state()).toMatchObject({
      ...{ mode: "quick", saved_at: expect.any(String), git_branch: "feature/user-auth" },
      ...{ git_commit: expect.stringMatching(/^[0-9a-f]{7,}$/), git_pushed: false },
      ...{ openspec: "user-auth", openspec_status: "IN_PROGRESS", working_on: "1.3 Logout" },
      ...{ next_steps: ["1.3 Logout", "1.4 Docs"], blocker: null },
      ...{ completed_tasks: ["1.1 Form", "1.2 Session"], pending_tasks: ["1.3 Logout", "1.4 Docs"] },
      task_progress: { completed: 2, total: 4, percentage: 50 },
    });
    expect(await work.git("ls-files", ".claude")).toBe("");
    expect(await work.git("status", "--porcelain")).toBe("");
  });

  // Seed 1: 3.3
  it("restore prompt: a new session is offered what was saved", async () => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    const asked = await work.answer(["load"], { choices: ["Continue with: 1.3 Logout"] });
    expect(asked.asked).toContain("Continue with: 1.3 Logout");
    const { stdout } = await work.call(["brief"]);
    expect(stdout).toContain("1.3 Logout");
  });
});

describe("Blocker Detection", () => {
  it.each([
    { agent: "cpp-builder", status: "FAILED", type: "build_error", severity: "critical" },
    { agent: "tester", status: "FAILED", type: "test_failure", severity: "high" },
    { agent: "architect", status: "DECISION_NEEDED", type: "decision_required", severity: "medium" },
    { agent: "code-reviewer", status: "BLOCKED", type: "review_blocked", severity: "medium" },
    { agent: "devops", status: "FAILED", type: "ci_failure", severity: "high" },
  ])("$agent ended $status: $type, until it is READY", async ({ agent, status, type, severity }) => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await report(work, agent, status, "What went wrong.");
    expect(await blockerAfterSave(work)).toMatchObject({
      ...{ type, severity, auto_detected: true, detected_at: expect.any(String) },
      message: expect.stringContaining("What went wrong."),
      ...{ recovery_attempted: 0, max_recovery_attempts: 3 },
    });
    await report(work, agent, "READY", "All is well.");
    expect(await blockerAfterSave(work)).toBe(null);
  });

  const missing =
    "CMake Error at Find.cmake:230 (message):\n  Could NOT find Qt6 (missing: Qt6_DIR)\n-- Configuring incomplete, errors occurred!\n";
  it.each([
    {
      command: "make",
      output: "a.c:3:1: error: expected ';'\nmake: *** [a.o] Error 1\n",
      type: "build_error",
    },
    {
      command: "msbuild app.sln",
      output: "a.cpp(3): error C2065: 'x'\nBuild FAILED.\n",
      type: "build_error",
    },
    {
      command: "msbuild app.sln",
      output: "a.obj : error LNK2019: unresolved\nBuild FAILED.\n",
      type: "build_error",
    },
    { command: "g++ a.cpp", output: "a.cpp:1:10: fatal error: b.h: No such file\n", type: "build_error" },
    { command: "cmake -S . -B build", output: missing, type: "build_error" },
    {
      command: "ctest --output-on-failure",
      output: "1/1 Test #1: a ...***Failed\n0% tests passed, 1 tests failed out of 1\n",
      type: "test_failure",
    },
  ])("$command is $type by `$output`, until it passes", async ({ command, output, type }) => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await run(work, command, output, true);
    expect(await blockerAfterSave(work)).toMatchObject({ type, appeared_after: expect.any(String) });
    await run(work, command);
    expect(await blockerAfterSave(work)).toBe(null);
  });

  // Seed 1: 9.4
  it("the seed's own line: ctest through grep shows the test that failed", async () => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    const line = 'ctest --output-on-failure 2>&1 | grep -E "(FAILED|Error)"';
    await run(work, line, "1 - sums (Failed)\n[  FAILED  ] Sums.Adds\nErrors while running CTest\n");
    expect(await blockerAfterSave(work)).toMatchObject({ type: "test_failure" });
  });

  it.each([
    { failed: "cmake -S . -B build && cmake --build build", passed: "cmake --build build" },
    { failed: "cd build && make", passed: "make -C build" },
    { failed: "make -C build", passed: "cmake --build build" },
    { failed: "cmake --build build --target core", passed: "cmake --build build" },
  ])("$failed is over when $passed passes, and hides no test that fails then", async ({ failed, passed }) => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await run(work, failed, "a.c:3:1: error: expected ';'\nmake: *** [a.o] Error 1\n", true);
    expect(await blockerAfterSave(work)).toMatchObject({ type: "build_error" });
    await run(work, passed, "[100%] Built target a\n");
    await run(work, "ctest", "1/1 Test #1: a ...***Failed\n0% tests passed, 1 tests failed out of 1\n", true);
    expect(await blockerAfterSave(work)).toMatchObject({ type: "test_failure" });
  });

  it("is one: what was resolved does not come back as an older failure of the same command", async () => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    for (const line of [1, 2])
      await run(
        work,
        "cmake --build build",
        `a.cpp:${line}:1: error: expected ';'\nmake: *** [a] Error 1\n`,
        true,
      );
    expect(await blockerAfterSave(work)).toMatchObject({ type: "build_error" });
    await work.call(["blocker", "resolve", "by hand"]);
    expect(await blockerAfterSave(work)).toBe(null);
  });
});

describe("Git conflicts", () => {
  async function conflict(work: Work): Promise<void> {
    await work.write({ "a.txt": "ours\n" });
    await work.git("add", "a.txt");
    await work.git("commit", "-qm", "ours");
    await work.git("checkout", "-qb", "theirs", "HEAD~1");
    await work.write({ "a.txt": "theirs\n" });
    await work.git("add", "a.txt");
    await work.git("commit", "-qm", "theirs");
    await tryGit(work.root, "merge", "-q", "feature/user-auth");
  }

  it.each([
    { case: "aborted", settle: (work: Work) => work.git("merge", "--abort") },
    {
      case: "resolved and committed",
      settle: async (work: Work) => {
        await work.write({ "a.txt": "both\n" });
        await work.git("add", "a.txt");
        await work.git("commit", "-qm", "merged");
      },
    },
  ])("stop the work until the merge is $case by a person", async ({ settle }) => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await conflict(work);
    expect(await blockerAfterSave(work)).toMatchObject({ type: "merge_conflict", severity: "critical" });
    await settle(work);
    expect((await work.json("load")).blocker).toBe(null);
    const { stdout } = await work.call(["load", "--resume"]);
    expect(stdout).not.toContain("BLOCKER_EXISTS");
    expect(stdout).not.toContain("merge_conflict");
    expect(await blockerAfterSave(work)).toBe(null);
  });
});

describe("Session Continuity", () => {
  // Seed 1: 5.1, 5.2
  it("OpenSpec continuation: goes on after the last task that is done, as tasks.md says now", async () => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await work.write({ [`${change}/tasks.md`]: tasks.replace("[ ] 1.3", "[x] 1.3") });
    const { stdout } = await work.call(["load", "--resume"]);
    expect(stdout.split("\n").at(-2)).toBe("Go on with: 1.4 Docs");
  });

  // Seed 1: 5.3, 5.4, 10.6
  it("Blocker resolution: a restored session shows the blocker first, with its resolution", async () => {
    await using work = await openSeedWork();
    const facts = ["--resolution", "vcpkg.json 의존성 확인 필요", "--error-pattern", "Could NOT find Qt6"];
    const added = ["blocker", "add", "build_error", "CMake 설정 오류로 빌드 실패"];
    await work.call([...added, ...facts, "--appeared-after", "Qt6 버전 업그레이드 후"]);
    expect((await work.state()).blocker).toMatchObject({
      ...{ type: "build_error", severity: "critical", description: "CMake 설정 오류로 빌드 실패" },
      ...{ error_pattern: "Could NOT find Qt6", resolution: "vcpkg.json 의존성 확인 필요" },
      ...{ appeared_after: "Qt6 버전 업그레이드 후", auto_detected: false, recovery_agent: "cpp-builder" },
    });
    const { stdout } = await work.call(["load"]);
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "Blocker  build_error (critical): CMake 설정 오류로 빌드 실패",
      "         To do: vcpkg.json 의존성 확인 필요",
    ]);
    expect(stdout).toContain("BLOCKER_EXISTS");
  });
});

describe("Save Modes", () => {
  // Seed 1: 7.1, 7.2, 7.3
  it("quick commits a WIP and pushes nothing, sync pushes, full verifies", async () => {
    await using work = await openSeedWork();
    await work.addRemote();
    await work.call(["save"]);
    expect(await work.git("log", "-1", "--format=%s")).toBe("WIP: 1.3 Logout - checkpoint");
    expect(await work.state()).toMatchObject({ mode: "quick", git_pushed: false });
    await work.call(["save", "--sync"]);
    expect(await work.state()).toMatchObject({ mode: "sync", git_pushed: true });
    await work.call(["check", "allow", "build", "--yes", "--", "true"]);
    await work.write({ "CHANGELOG.md": "- user auth\n", "ROADMAP.md": "- nothing\n" });
    const { stdout } = await work.call(["save", "--full"]);
    expect(stdout).toContain("Build    passed: true\n");
    expect(stdout).toContain("Docs     failed: no mention of user-auth in ROADMAP.md\n");
    expect(await work.state()).toMatchObject({ mode: "full", git_pushed: true, blocker: null });
  });

  it("full clears the blocker of a build that its approved check passes", async () => {
    await using work = await openSeedWork();
    await work.addRemote();
    await run(work, "make", "a.c:3:1: error: expected ';'\nmake: *** [a.o] Error 1\n", true);
    expect(await blockerAfterSave(work)).toMatchObject({ type: "build_error" });
    await work.call(["check", "allow", "build", "--yes", "--", "true"]);
    const { stdout } = await work.call(["save", "--full"]);
    expect(stdout).toContain("Build    passed: true\n");
    expect((await work.state()).blocker).toBe(null);
  });
});

describe("Recovery Workflow", () => {
  // Seed 1: 12.1
  it("tries an approved recovery three times, keeps the count in the file and the command out of it", async () => {
    await using work = await openSeedWork();
    await work.call(["save"]);
    await report(work, "tester", "FAILED", "Sums.");
    await work.call(["save"]);
    const allow = (...words: readonly string[]) =>
      work.call(["recovery", "allow", "test_failure", "--yes", "--", ...words]);
    await allow("false");
    for (const attempt of [1, 2, 3]) {
      await work.call(["load", "--resume"]);
      expect((await work.state()).blocker).toMatchObject({ recovery_attempted: attempt });
    }
    expect((await work.call(["load", "--resume"])).stdout).toContain(
      "Recovery was tried 3 times without success",
    );
    expect(await readFile(join(work.root, ".claude/session-state.json"), "utf8")).not.toContain(
      "recovery_command",
    );
    await work.call(["save"]);
    expect((await work.call(["load", "--resume"])).stdout).toContain(
      "Recovery was tried 3 times without success",
    );
    await allow("true");
    expect((await work.call(["load", "--resume"])).stdout).toContain("and the blocker is cleared.");
    expect((await work.state()).blocker).toBe(null);
  });

  it("proposes how to solve what a person has put down, and runs nothing for it", async () => {
    await using work = await openSeedWork();
    await work.call(["blocker", "add", "design_issue", "two owners", "--resolution", "Ask Ada"]);
    await work.call(["recovery", "allow", "design_issue", "--yes", "--", "true"]);
    const { stdout } = await work.call(["load", "--resume"]);
    expect(stdout.split("\n")[0]).toBe("The blocker needs a person: Ask Ada");
  });

  // Seed 1: 9.5
  it("asks CI again on a quick save, on whatever branch", async () => {
    await using work = await openSeedWork();
    const bin = join(work.folder, "bin");
    await mkdir(bin);
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    const answer = async (conclusion: string) => {
      const headSha = await work.git("rev-parse", "HEAD");
      const runs = JSON.stringify([{ status: "completed", conclusion, workflowName: "CI", headSha }]);
      await work.write({ "../bin/gh": `#!/bin/sh\necho '${runs}'\n` });
      await chmod(join(bin, "gh"), 0o755);
    };
    await work.call(["save"]);
    await answer("failure");
    await work.call(["save", "--full"], { PATH });
    expect((await work.state()).blocker).toMatchObject({ type: "ci_failure", recovery_agent: "devops" });
    await answer("success");
    await work.git("checkout", "-q", "main");
    await work.call(["save"], { PATH });
    expect((await work.state()).blocker).toBe(null);
  });
});
