import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { hook, inConflict, tryGit } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const headOf = (work: Work, branch: string) =>
  git(work.folder, "--git-dir=remote.git", "rev-parse", `refs/heads/${branch}`);

describe("carryon save --sync", () => {
  // Seed 1: 7.2
  it("pushes the branch, and the state says so", async () => {
    await using work = await openWork();
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
    await work.write({ "new.txt": "new\n" });
    expect(await work.call(["save", "--sync", "-m", "The form"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     The form
      Branch   feature at <commit>, 1 file committed, pushed to origin/feature, which it follows from now on
      Progress no tasks are known
      Blocker  none
      ",
      }
    `);
    expect(await headOf(work, "feature")).toBe(await work.git("rev-parse", "HEAD"));
    expect(await work.state()).toMatchObject({ mode: "sync", git_pushed: true });
    await work.git("branch", "-q", "--unset-upstream");
    await work.call(["save"]);
    expect(await work.state()).toMatchObject({ mode: "quick", git_pushed: true });
  });

  it("does not push to the default branch unless told, and has saved all the same", async () => {
    await using work = await openWork();
    await work.addRemote();
    const before = await headOf(work, "main");
    await work.write({ "new.txt": "new\n" });
    expect(await work.call(["save", "--sync", "-m", "The form"])).toMatchInlineSnapshot(`
      {
        "code": 75,
        "stderr": "carryon: Nothing was pushed: main is the default branch of origin.
        The work is saved and committed here. Add --yes to push it.
      ",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     The form
      Branch   main at <commit>, 1 file committed, local
      Progress no tasks are known
      Blocker  none
      ",
      }
    `);
    expect(await headOf(work, "main")).toBe(before);
    expect(await work.state()).toMatchObject({ mode: "sync", git_pushed: false, working_on: "The form" });
    expect((await work.call(["save", "--sync", "--yes"])).code).toBe(0);
    expect(await headOf(work, "main")).toBe(await work.git("rev-parse", "HEAD"));
    expect(await work.state()).toMatchObject({ git_pushed: true });
  });

  it.each([
    { yes: true, code: 0, pushed: true },
    { yes: false, code: 75, pushed: false },
  ])("asks a person before it pushes to the default branch: $yes", async ({ yes, code, pushed }) => {
    await using work = await openWork();
    await work.addRemote();
    await work.write({ "new.txt": "new\n" });
    const answered = await work.answer(["save", "--sync"], { yes });
    expect([answered.code, answered.asked]).toEqual([
      code,
      "main is the default branch of origin. Push to it?",
    ]);
    expect((await work.state()).git_pushed).toBe(pushed);
  });

  it("never asks under an agent, even on a terminal", async () => {
    await using work = await openWork();
    await work.addRemote();
    const env = { PATH: process.env.PATH, ...work.env, CLAUDECODE: "1" };
    const { code, asked } = await work.answer(["save", "--sync"], { yes: true }, { env });
    expect([code, asked]).toEqual([75, ""]);
  });

  // Seed 1: 7.2
  it("says why a push failed, and has saved all the same", async () => {
    await using work = await openWork();
    await work.addRemote();
    await hook(work.root, "pre-push", "echo 'no pushes on Fridays' >&2; exit 1");
    await work.git("checkout", "-qb", "feature");
    await work.write({ "new.txt": "new\n" });
    const { code, stdout, stderr } = await work.call(["save", "--sync"]);
    expect(code).toBe(75);
    expect(stdout).toContain("feature at <commit>, 1 file committed, local\n");
    expect(stderr).toBe(
      "carryon: The push to origin/feature failed: no pushes on Fridays\n" +
        "  The work is saved and committed here. Push again with `carryon save --sync`.\n",
    );
    expect(await work.state()).toMatchObject({ mode: "sync", git_pushed: false });
  });

  it("says that others have pushed to the branch meanwhile, and forces nothing", async () => {
    await using work = await openWork();
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
    await work.call(["save", "--sync"]);
    await git(work.folder, "clone", "-q", "-b", "feature", "remote.git", "other");
    await git(join(work.folder, "other"), "commit", "-q", "--allow-empty", "-m", "theirs");
    await git(join(work.folder, "other"), "push", "-q");
    const theirs = await headOf(work, "feature");
    await work.write({ "new.txt": "new\n" });
    const { code, stderr } = await work.call(["save", "--sync"]);
    expect({ code, stderr }).toEqual({
      code: 75,
      stderr:
        "carryon: The push to origin/feature failed: [rejected] (fetch first)\n" +
        "  The work is saved and committed here. Others have pushed to the branch: get it with `git fetch`, look with " +
        "`git log ..origin/feature`, and bring both together before you push again.\n",
    });
    expect(await headOf(work, "feature")).toBe(theirs);
    expect(await work.state()).toMatchObject({ git_pushed: false });
  });

  it("keeps the lines that a server says, the one that tells most first", async () => {
    await using work = await openWork();
    await work.addRemote();
    const script = "#!/bin/sh\necho 'one moment' >&2; echo 'locked' >&2; exit 1\n";
    await work.write({ "../remote.git/hooks/pre-receive": script });
    await chmod(join(work.folder, "remote.git/hooks/pre-receive"), 0o755);
    await work.git("checkout", "-qb", "feature");
    expect(await work.call(["save", "--sync"])).toMatchObject({
      code: 75,
      stderr:
        "carryon: The push to origin/feature failed: [remote rejected] (pre-receive hook declined)\n" +
        "  remote: one moment\n  remote: locked\n" +
        "  The work is saved and committed here. Push again with `carryon save --sync`.\n",
    });
  });

  it.each([
    {
      case: "there is no remote",
      make: async () => undefined,
      said: "it is not known to which remote",
      hint: "and committed here. Name one with `git remote add origin ADDRESS`; of several, choose with `git config remote.pushDefault NAME`.",
    },
    {
      case: "no branch is checked out",
      make: (work: Work) => work.git("checkout", "-q", "--detach"),
      said: "no branch is checked out",
      hint: "and committed here. Choose a branch, such as a new one with `git switch -c NAME`, and save again with `carryon save --sync`.",
    },
    {
      case: "no commit is wanted",
      args: ["--no-commit"],
      make: async () => undefined,
      said: "it is not known to which remote",
      hint: "here. Name one with `git remote add origin ADDRESS`; of several, choose with `git config remote.pushDefault NAME`.",
    },
    {
      case: "a rebase is in progress",
      make: async (work: Work) => {
        await inConflict(work.root);
        await tryGit(work.root, "rebase", "other");
      },
      said: "no branch is checked out",
      hint: "here. Finish or abort the rebase, then push with `carryon save --sync`.",
    },
  ])("says that nothing was pushed where $case", async ({ make, said, hint, args = [] }) => {
    await using work = await openWork();
    await make(work);
    await work.write({ "new.txt": "new\n" });
    const { code, stderr } = await work.call(["save", "--sync", ...args]);
    expect(code).toBe(75);
    expect(stderr).toContain(`carryon: Nothing was pushed: ${said}.\n  The work is saved ${hint}\n`);
    expect(await work.state()).toMatchObject({ mode: "sync", git_pushed: false });
  });

  it("does not say that anything is committed before the first commit", async () => {
    await using work = await openWork();
    await work.git("update-ref", "-d", "HEAD");
    await work.git("rm", "-rqf", ".");
    expect(await work.call(["save", "--sync", "-m", "first"])).toMatchObject({
      code: 75,
      stderr:
        "carryon: Nothing was pushed: there is no commit yet.\n" +
        "  The work is saved here. Make the first commit, and save again with `carryon save --sync`.\n",
    });
  });

  it("begins with another task also when the push failed", async () => {
    await using work = await openWork();
    const { code, stderr } = await work.call(["save", "--sync", "-m", "one", "--new", "two"]);
    expect([code, stderr.startsWith("Begun: two\ncarryon: Nothing was pushed")]).toEqual([75, true]);
    expect((await work.state()).working_on).toBe("two");
  });
});

describe("carryon save --full", () => {
  const onFeature = async (work: Work) => {
    await work.addRemote();
    await work.git("checkout", "-qb", "feature");
  };
  const allow = (work: Work, name: string, ...words: readonly string[]) =>
    work.call(["check", "allow", name, "--yes", "--", ...words]);

  // Seed 1: 7.3
  it("says which checks were skipped, and how to approve one", async () => {
    await using work = await openWork();
    await onFeature(work);
    expect(await work.call(["save", "--full"], { PATH: await withoutGh(work) })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     first
      Branch   feature at <commit>, nothing to commit, pushed to origin/feature, which it follows from now on
      Progress no tasks are known
      Blocker  none
      Build    skipped: no command is approved; approve one with \`carryon check allow build -- COMMAND\`
      Test     skipped: no command is approved; approve one with \`carryon check allow test -- COMMAND\`
      Docs     skipped: no OpenSpec change is active
      CI       skipped: gh could not list the runs of CI
      ",
      }
    `);
    expect(await work.state()).toMatchObject({ mode: "full", git_pushed: true, blocker: null });
  });

  // Seed 1: 7.3
  it("makes a failed check the blocker, until it passes", async () => {
    await using work = await openWork();
    await onFeature(work);
    await work.write({ check: "#!/bin/sh\necho '      Tests  1 failed | 3 passed (4)'; exit 1\n" });
    await chmod(join(work.root, "check"), 0o755);
    await allow(work, "test", "./check");
    const PATH = await withoutGh(work);
    expect(await work.call(["save", "--full", "-m", "The form"], { PATH })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Not all is well: ./check ended with code 1.
              Tests  1 failed | 3 passed (4)
      ",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     The form
      Branch   feature at <commit>, 1 file committed, pushed to origin/feature, which it follows from now on
      Progress no tasks are known
      Blocker  test_failure (high): Tests failed in \`./check\`: Tests 1 failed | 3 passed (4)
               To do: Run the failing test alone, fix the code or the test, then run all tests again.
               It came after: first
      Build    skipped: no command is approved; approve one with \`carryon check allow build -- COMMAND\`
      Test     failed: ./check ended with code 1
      Docs     skipped: no OpenSpec change is active
      CI       skipped: gh could not list the runs of CI
      ",
      }
    `);
    expect((await work.state()).blocker).toMatchObject({
      ...{ type: "test_failure", severity: "high", auto_detected: true, recovery_agent: "tester" },
      ...{ appeared_after: "first", recovery_attempted: 0 },
    });
    // A quick save knows nothing new.
    expect((await work.call(["save"])).stdout).toContain("Blocker  test_failure (high)");
    await work.write({ check: "#!/bin/sh\nexit 0\n" });
    const { stdout } = await work.call(["save", "--full"], { PATH });
    expect(stdout).toContain("Blocker  none\n");
    expect(stdout).toContain("Test     passed: ./check\n");
    expect((await work.state()).blocker).toBe(null);
  });

  it("makes a build that cannot be started the blocker", async () => {
    await using work = await openWork();
    await onFeature(work);
    await allow(work, "build", "./no-such-program");
    const { code, stdout } = await work.call(["save", "--full"], { PATH: await withoutGh(work) });
    expect([code, stdout.includes("Blocker  build_error (critical)")]).toEqual([0, true]);
  });

  // Seed 1: 7.4
  it("looks whether the documents mention the change", async () => {
    await using work = await openWork();
    await onFeature(work);
    await work.write({
      ...{ "openspec/changes/add-login/proposal.md": "# Login\n", "ROADMAP.md": "- Add login\n" },
      ...{
        "openspec/changes/add-login/tasks.md": "- [x] form\n- [ ] tests\n",
        "CHANGELOG.md": "# Changes\n",
      },
    });
    const PATH = await withoutGh(work);
    const failed = await work.call(["save", "--full"], { PATH });
    expect(failed.stdout).toContain("Docs     failed: no mention of add-login in CHANGELOG.md\n");
    expect((await work.state()).blocker).toBeNull();
    await work.write({ "CHANGELOG.md": "# Changes\n- Add login\n" });
    const passed = await work.call(["save", "--full"], { PATH });
    expect(passed.stdout).toContain("Docs     passed: CHANGELOG.md, ROADMAP.md\n");
    expect(await work.state()).toMatchObject({ blocker: null, openspec_status: "IN_PROGRESS" });
  });

  // Seed 1: 7.5, 9.5
  it("makes a failed run of CI the blocker, where there is a gh", async () => {
    await using work = await openWork();
    await onFeature(work);
    const PATH = `${join(work.folder, "bin")}${delimiter}${process.env.PATH}`;
    await answerFromCi(work, "failure");
    const failed = await work.call(["save", "--full"], { PATH });
    expect(failed.stdout).toMatchInlineSnapshot(`
      "Saved    <folder>/work/.claude/session-state.json
      Work     first
      Branch   feature at <commit>, nothing to commit, pushed to origin/feature, which it follows from now on
      Progress no tasks are known
      Blocker  ci_failure (high): A run of CI failed in \`gh run list --limit 5 --branch feature --json status,conclusion,workflowName,he…\`: CI, conclusion: failure
               To do: Read the failed job with \`gh run view --log-failed\`, fix it, and push again.
               It came after: first
      Build    skipped: no command is approved; approve one with \`carryon check allow build -- COMMAND\`
      Test     skipped: no command is approved; approve one with \`carryon check allow test -- COMMAND\`
      Docs     skipped: no OpenSpec change is active
      CI       failed: CI, conclusion: failure
      "
    `);
    expect((await work.state()).blocker).toMatchObject({ type: "ci_failure", recovery_agent: "devops" });
    await answerFromCi(work, "success");
    const passed = await work.call(["save", "--full"], { PATH });
    expect(passed.stdout).toContain("CI       passed: the last run of CI did not fail\n");
    expect((await work.state()).blocker).toBe(null);
  });

  it("asks CI again on a quick save, so that a failure that was mended does not stay the blocker", async () => {
    await using work = await openWork();
    await onFeature(work);
    const PATH = `${join(work.folder, "bin")}${delimiter}${process.env.PATH}`;
    await answerFromCi(work, "failure");
    await work.call(["save", "--full"], { PATH });
    await work.call(["save"], { PATH });
    expect((await work.state()).blocker).toMatchObject({ type: "ci_failure" });
    await answerFromCi(work, "success");
    await work.call(["save"], { PATH });
    expect((await work.state()).blocker).toBe(null);
  });
});

/** Puts a gh on the PATH of a test that knows one run of CI, of the commit that is checked out. */
async function answerFromCi(work: Awaited<ReturnType<typeof openWork>>, conclusion: string): Promise<void> {
  const headSha = await work.git("rev-parse", "HEAD");
  const runs = JSON.stringify([{ status: "completed", conclusion, workflowName: "CI", headSha }]);
  await work.write({
    "../bin/gh": `#!/bin/sh\necho "$@" > '${work.folder}/asked'\ncat <<'END'\n${runs}\nEND\n`,
  });
  await chmod(join(work.folder, "bin/gh"), 0o755);
}

/** Returns a PATH on which gh does nothing, as one that nobody has logged in to. */
async function withoutGh(work: Work): Promise<string> {
  await work.write({ "../no-gh/gh": "#!/bin/sh\nexit 4\n" });
  await chmod(join(work.folder, "no-gh/gh"), 0o755);
  return `${join(work.folder, "no-gh")}${delimiter}${process.env.PATH}`;
}
