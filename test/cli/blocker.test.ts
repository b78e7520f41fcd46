import { describe, expect, it } from "vitest";
import { ran } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const failedTest = "Exit code 1\n      Tests  1 failed | 3 passed (4)\n";
const npmTest = (at: Date, failed: boolean) =>
  ran(at, { input: { command: "npm test" }, output: failed ? failedTest : "", failed });
const inSeconds = (number: number) => new Date(Date.now() + number * 1000);
const blockerOf = async (work: Work) => (await work.state()).blocker;

describe("carryon blocker", () => {
  it("says that nothing stops the work, before anything was saved too", async () => {
    await using work = await openWork();
    expect(await work.call(["blocker"])).toEqual({ code: 0, stdout: "Blocker  none\n", stderr: "" });
    expect(await work.call(["blocker", "resolve"])).toEqual({
      ...{ code: 0, stdout: "Nothing stops the work.\n", stderr: "" },
    });
  });

  it("says what it takes the place of when a person had put that down", async () => {
    await using work = await openWork();
    await work.call(["blocker", "add", "design_issue", "two owners"]);
    expect(await work.call(["blocker", "add", "other", "no coffee"])).toMatchObject({
      code: 0,
      stderr: "Instead of: design_issue: two owners\n",
    });
    expect(await blockerOf(work)).toMatchObject({ type: "other", description: "no coffee" });
  });

  it.each([[[]], [["resolve"]]])("says as load does what is wrong with a state: %j", async (args) => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form"]);
    await work.write({ ".claude/session-state.json": "{" });
    const { code, stdout, stderr } = await work.call(["load"]);
    expect(stderr).toContain("is not JSON, or only the beginning of it.\n  The checkpoint of ");
    expect(await work.call(["blocker", ...args])).toEqual({ code, stdout, stderr });
  });

  it("puts one down, shows it, and resolves it", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    const facts = ["--resolution", "Ask Ada", "--error-pattern", "deadlock", "--appeared-after", "the merge"];
    expect(
      await work.call(["blocker", "add", "Design-Issue", "two", "owners", "--severity", "low", ...facts]),
    ).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Blocker  design_issue (low): two owners
               To do: Ask Ada
               It came after: the merge
      ",
      }
    `);
    const { detected_at, ...blocker } = await blockerOf(work);
    expect(blocker).toMatchInlineSnapshot(`
      {
        "appeared_after": "the merge",
        "auto_detected": false,
        "description": "two owners",
        "error_pattern": "deadlock",
        "max_recovery_attempts": 3,
        "message": "two owners",
        "recovery_agent": "architect",
        "recovery_attempted": 0,
        "resolution": "Ask Ada",
        "severity": "low",
        "type": "design_issue",
      }
    `);
    expect(Number.isNaN(Date.parse(detected_at))).toBe(false);
    // Nothing is committed by it.
    expect(await work.git("log", "--format=%s")).toBe("first");
    // It stays whatever is saved.
    expect((await work.call(["save"])).stdout).toContain("Blocker  design_issue (low): two owners\n");
    expect(await work.json("blocker")).toMatchObject({ blocker: { type: "design_issue" } });
    expect(await work.call(["blocker", "resolve", "one", "owner", "now"])).toEqual({
      ...{ code: 0, stdout: "Resolved: two owners\n", stderr: "" },
    });
    expect(await blockerOf(work)).toBe(null);
  });

  it("says in the status of the change that it is blocked", async () => {
    await using work = await openWork();
    await work.write({
      "openspec/changes/add-login/proposal.md": "# Login\n",
      "openspec/changes/add-login/tasks.md": "- [x] form\n- [ ] tests\n",
    });
    await work.call(["save"]);
    await work.call(["blocker", "add", "other", "power cut"]);
    expect((await work.state()).openspec_status).toBe("BLOCKED");
    await work.call(["blocker", "resolve"]);
    expect((await work.state()).openspec_status).toBe("IN_PROGRESS");
  });

  it("is of the type other where only a sentence is given", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    expect((await work.call(["blocker", "add", "CI token", "is missing"])).code).toBe(0);
    expect((await work.state()).blocker).toMatchObject({ type: "other", description: "CI token is missing" });
  });

  it.each([
    { args: ["add"], said: "A blocker needs a type." },
    { args: ["add", "token", "x"], said: "is no type of blocker" },
    { args: ["add", "desing_issue", "x"], said: "Did you mean design_issue?" },
    { args: ["add", "other"], said: "A blocker needs a description." },
    { args: ["add", "other", " "], said: "A blocker needs a description." },
    { args: ["add", "other", "x", "--severity", "huge"], said: "critical" },
    { args: ["show", "words"], said: "takes no words" },
    { args: ["resolve", "--severity", "low"], said: "Only `add` takes" },
    { args: ["remove"], said: "resolve" },
  ])("refuses $args", async ({ args, said }) => {
    await using work = await openWork();
    const { code, stdout, stderr } = await work.call(["blocker", ...args]);
    expect([code, stdout, stderr.includes(said)]).toEqual([2, "", true]);
    await expect(work.state()).rejects.toThrow("ENOENT");
  });
});

describe("a blocker that was recorded", () => {
  it("is found by a save, and is gone when the same command has passed", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    await work.record("one", npmTest(inSeconds(-1), true));
    expect(await work.call(["save"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Saved    <folder>/work/.claude/session-state.json
      Work     first
      Branch   main at <commit>, nothing to commit, local
      Progress no tasks are known
      Blocker  test_failure (high): Tests failed in \`npm test\`: Tests 1 failed | 3 passed (4)
               To do: Run the failing test alone, fix the code or the test, then run all tests again.
               It came after: first
      ",
      }
    `);
    expect(await blockerOf(work)).toMatchObject({
      ...{ type: "test_failure", severity: "high", auto_detected: true, recovery_agent: "tester" },
      ...{ recovery_attempted: 0, max_recovery_attempts: 3, appeared_after: "first" },
    });
    const { detected_at } = await blockerOf(work);
    await work.record("two", npmTest(inSeconds(5), true));
    await work.call(["save"]);
    expect(await blockerOf(work)).toMatchObject({ type: "test_failure", detected_at });
    await work.record("three", npmTest(inSeconds(9), false));
    expect((await work.call(["save"])).stdout).toContain("Blocker  none\n");
    expect(await blockerOf(work)).toBe(null);
  });

  it("does not come back after a person has resolved it", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    await work.record("one", npmTest(inSeconds(-1), true));
    await work.call(["save"]);
    expect(await blockerOf(work)).toMatchObject({ type: "test_failure" });
    await work.call(["blocker", "resolve", "flaky"]);
    await work.call(["save"]);
    expect(await blockerOf(work)).toBe(null);
  });

  // Seed 1: 4.3, 4.4
  it("is what an agent says of its work", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    const status =
      "[WORKFLOW_STATUS]\nstatus: DECISION_NEEDED\ncontext: SMS or not?\nnext_hint: ask\n[/WORKFLOW_STATUS]";
    const input = { subagent_type: "architect", prompt: "Decide." };
    await work.record("one", ran(inSeconds(1), { name: "Task", input, output: status }));
    await work.call(["save"]);
    expect(await blockerOf(work)).toMatchObject({ type: "decision_required", severity: "medium" });
  });
});

describe("a blocker that is resolved", () => {
  const failedBuild =
    "Exit code 2\nmain.c:3:1: error: expected ';' before 'return'\nmake: *** [all] Error 1\n";
  const make = (at: Date) => ran(at, { input: { command: "make" }, output: failedBuild, failed: true });
  const types = async (work: Work) => {
    await work.call(["save"]);
    return (await blockerOf(work))?.type ?? null;
  };

  it("leaves the others that it has hidden, each until it is resolved", async () => {
    await using work = await openWork();
    await work.record("s1", [...npmTest(inSeconds(-60), true), ...make(inSeconds(-30))]);
    const found = [await types(work)];
    await work.call(["blocker", "resolve", "fixed"]);
    found.push(await types(work), await types(work));
    await work.call(["blocker", "resolve", "fixed too"]);
    found.push(await types(work), await types(work));
    expect(found).toEqual(["build_error", "test_failure", "test_failure", null, null]);
  });

  it("leaves the one that was found before it was put down by hand", async () => {
    await using work = await openWork();
    await work.record("s1", make(inSeconds(-30)));
    const found = [await types(work)];
    await work.call(["blocker", "add", "design_issue", "two owners"]);
    found.push(await types(work));
    await work.call(["blocker", "resolve", "one owner"]);
    found.push(await types(work));
    expect(found).toEqual(["build_error", "design_issue", "build_error"]);
  });
});
