import { mkdir, rename } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readObservation } from "../../../src/clients/claude-code/read-observation.ts";
import type { CheckRun } from "../../../src/outcomes/find-runs.ts";
import { parseSessionId, parseStrand } from "../../../src/sessions/ids.ts";
import { found } from "../../../src/sessions/observations.ts";
import { type BlockerFixture, readBlockerFixtures } from "../../support/blocker-fixtures.ts";
import { git } from "../../support/git-repo.ts";
import { standingAfter } from "../../support/outcomes.ts";
import { happened, message, minute, openRecordedWork, ran, text } from "../../support/recorded-work.ts";

const failedTest = "Exit code 1\n      Tests  1 failed | 3 passed (4)\n";
const npmTest = (at: Date, failed: boolean) =>
  ran(at, { input: { command: "npm test" }, output: failed ? failedTest : "", failed });
const second = (number: number) => new Date(minute(number).getTime() + 1000);
const commandsOf = (runs: readonly CheckRun[]) => runs.map(({ command }) => command);
const blockerOf = (runs: readonly CheckRun[]) => standingAfter({ outcomes: [], runs })[0];

/** What Claude Code makes of the result of a command. */
function asClaudeCode({ exitCode, failed, output, command }: BlockerFixture) {
  const input = { command };
  if (exitCode === undefined) return { input, output, ...(failed === undefined ? {} : { failed }) };
  return exitCode === 0
    ? { input, output }
    : { input, output: `Exit code ${exitCode}\n${output}`, failed: true };
}

describe("the results of commands", () => {
  it("are judged as the tools' outputs are", async () => {
    await using work = await openRecordedWork();
    // One whose end is not known has no form in a transcript.
    const all = [...readBlockerFixtures("failing"), ...readBlockerFixtures("harmless")].filter(
      ({ exitCode, failed }) => exitCode !== undefined || failed !== undefined,
    );
    const recorded = all.map((fixture, index) => ran(minute(index), asClaudeCode(fixture)));
    for (const [index, entries] of recorded.entries()) await work.record(`session-${index}`, entries);
    const runs = await work.collect(minute(0));
    const types = recorded.map((entries) => {
      const ids = new Set(entries.map(({ id }) => id));
      return blockerOf(runs.filter(({ entry }) => ids.has(entry)))?.type;
    });
    const wrong = all.filter(({ expected }, index) => (expected ?? undefined) !== types[index]);
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(all.length).toBeGreaterThan(200);
  });

  it("are those since a moment, in whatever session, oldest first", async () => {
    await using work = await openRecordedWork();
    await work.record("old", npmTest(minute(1), true));
    await work.record("one", [
      ...npmTest(minute(2), true),
      ...ran(minute(6), { input: { command: "make" } }),
    ]);
    await work.record("two", ran(minute(4), { input: { command: "git status" } }));
    expect(commandsOf(await work.collect(minute(3)))).toEqual(["git status", "make"]);
    expect(await work.collect(second(6))).toMatchObject([
      { command: "make", passed: true, line: "", at: second(6).getTime() },
    ]);
    expect(await work.collect(minute(7))).toEqual([]);
  });

  it("count also where the command was begun before the moment", async () => {
    await using work = await openRecordedWork();
    await work.record("one", npmTest(minute(1), true));
    expect(blockerOf(await work.collect(second(1)))?.type).toBe("test_failure");
  });

  it("are those of the last day where nothing was ever saved", async () => {
    await using work = await openRecordedWork();
    expect(await work.collect()).toEqual([]);
    await work.record("one", [
      ...ran(minute(0), { input: { command: "make" } }),
      ...npmTest(minute(24 * 60 + 5), true),
    ]);
    expect(commandsOf(await work.collect())).toEqual(["npm test"]);
  });

  it("are not words of people and models, nor what was read", async () => {
    await using work = await openRecordedWork();
    const report = "[WORKFLOW_STATUS]\nstatus: FAILED\ncontext: x\n";
    await work.record("one", [
      message(minute(1), "user", text(`npm test\n${failedTest}${report}`)),
      message(minute(2), "assistant", text(failedTest), text(report)),
      ...ran(minute(3), { name: "Read", input: { file_path: "build.log" }, output: failedTest }),
      ...ran(minute(4), { name: "Grep", input: { command: "npm test" }, output: failedTest, failed: true }),
      happened(minute(5), "command-output", { text: failedTest }),
      happened(minute(6), "notification", { text: failedTest }),
    ]);
    expect(await work.collect(minute(0))).toEqual([]);
  });

  it("are not those of commands that were refused or stopped", async () => {
    await using work = await openRecordedWork();
    const input = { command: "npm test" };
    await work.record("one", [
      ...npmTest(minute(1), true),
      ...ran(minute(2), { input, outcome: { interrupted: true } }),
      ...ran(minute(3), { input, output: "No.", failed: true, outcome: { denied: "user" } }),
    ]);
    expect((await work.collect(minute(0))).map(({ at }) => at)).toEqual([second(1).getTime()]);
  });

  it("are told at once and later of commands in the background, but not what they printed", async () => {
    await using work = await openRecordedWork();
    const begun = ran(minute(1), {
      ...{ input: { command: "npm test" }, outcome: { backgroundTaskId: "b1" }, call: "toolu_b" },
    });
    const news = (code: number) =>
      `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_b</tool-use-id>\n<status>x</status>\n<summary>Background command "Test" completed (exit code ${code})</summary>\n</task-notification>`;
    await work.record("one", [...begun, happened(minute(2), "notification", { text: news(1) })]);
    expect(await work.collect(minute(0))).toMatchObject([
      { command: "npm test", passed: false, isStarted: true, at: second(1).getTime() },
      { command: "npm test", passed: false, failure: { goal: "test" }, line: "", at: minute(2).getTime() },
    ]);
  });

  it("say that it is not known what was printed, where nothing tells", async () => {
    await using work = await openRecordedWork();
    const input = { command: "tsc | cat" };
    await work.record("one", [
      ...ran(minute(1), { input, output: { exitCode: 0 } }),
      ...ran(minute(2), { input, output: { stdout: "", exitCode: 0 } }),
    ]);
    expect(await work.collect(minute(0))).toMatchObject([{ passed: true, at: second(2).getTime() }]);
  });

  it("are known from what other clients record too", async () => {
    await using work = await openRecordedWork();
    const append = { client: "carryon-append" } as const;
    const output = "main.c:3:5: error: expected expression\n";
    await work.record(
      "one",
      [
        ...ran(minute(1), {
          ...{ name: "shell", input: { command: ["bash", "-lc", "make all"] } },
          output: { output, metadata: { exit_code: 2 } },
        }),
        ...ran(minute(2), {
          ...{ name: "bash", input: { command: "npm test" } },
          output: [{ type: "text", text: failedTest }],
        }),
        ...ran(minute(3), {
          name: "exec_command",
          input: { cmd: "npx eslint ." },
          output: { stdout: "a", exitCode: 0 },
        }),
      ],
      append,
    );
    const runs = await work.collect(minute(0));
    expect(runs).toMatchObject([
      { command: "make all", passed: false, failure: { goal: "build" }, at: second(1).getTime() },
      { command: "npm test", passed: false, failure: { goal: "test" }, at: second(2).getTime() },
      { command: "npx eslint .", passed: true, at: second(3).getTime() },
    ]);
    expect(blockerOf(runs)?.type).toBe("build_error");
  });

  it("are known from hooks where the client was killed, and once where it was not", async () => {
    await using work = await openRecordedWork();
    const item = (event: string, at: Date, payload: object) => {
      const told = { tool_name: "Bash", tool_use_id: "toolu_8fa700510a621591d78f9958", ...payload };
      const seen = readObservation({
        ...{ key: 1, client: "claude-code", session: "one", receivedAt: at, event },
        payload: told,
      });
      if (seen === undefined) throw new Error("Nothing was seen.");
      return seen.entry;
    };
    const [call, result] = [
      item("PreToolUse", minute(1), { tool_input: { command: "npm test" } }),
      item("PostToolUseFailure", minute(2), { error: failedTest }),
    ];
    await work.record("one", [call, result]);
    const expected = {
      command: "npm test",
      failure: { goal: "test" },
      line: "Tests 1 failed | 3 passed (4)",
    };
    expect(await work.collect(minute(0))).toMatchObject([{ ...expected, at: minute(2).getTime() }]);
    await work.log.append(parseSessionId("one"), [
      ...ran(minute(1), {
        ...{ input: { command: "npm test" }, output: failedTest, failed: true },
        call: "toolu_8fa700510a621591d78f9958",
      }),
      ...[call, result].map(({ id }) => found(id, minute(3))),
    ]);
    expect(await work.collect(minute(0))).toMatchObject([{ ...expected, at: second(1).getTime() }]);
    const good = item("PostToolUse", minute(4), {
      tool_response: { stdout: "ok", stderr: "", interrupted: false },
    });
    await work.record("two", [call, good]);
    expect(await work.collect(minute(4))).toMatchObject([
      { command: "npm test", passed: true, at: minute(4).getTime() },
    ]);
  });
});

describe("the reports of subagents", () => {
  const report = (status: string) => `Done.\n\n[WORKFLOW_STATUS]\nstatus: ${status}\ncontext: two tests\n`;
  const input = { description: "Test", prompt: "npm test", subagent_type: "tester" };

  // Seed 1: 4.1
  it("count by the type of the agent", async () => {
    await using work = await openRecordedWork();
    const output = [{ type: "text", text: report("FAILED") }];
    await work.record("one", ran(minute(1), { name: "Task", input, output }));
    expect(blockerOf(await work.collect(minute(0)))).toMatchObject({
      type: "test_failure",
      description: "The agent tester ended FAILED: two tests",
    });
    await work.record("two", [
      ...ran(minute(2), {
        name: "Agent",
        input: { subagent_type: "code-reviewer" },
        output: report("BLOCKED"),
      }),
      ...ran(minute(3), { name: "Agent", input, output: report("READY") }),
    ]);
    expect(blockerOf(await work.collect(minute(0)))?.type).toBe("review_blocked");
  });

  it("count when they come from the background", async () => {
    await using work = await openRecordedWork();
    const begun = ran(minute(1), {
      ...{ name: "Agent", input, output: "Async agent launched successfully.", call: "toolu_a" },
    });
    const news = `<task-notification>\n<tool-use-id>toolu_a</tool-use-id>\n<status>completed</status>\n<result>${report("DECISION_NEEDED")}</result>\n</task-notification>`;
    await work.record("one", [...begun, happened(minute(2), "notification", { text: news })]);
    expect(blockerOf(await work.collect(minute(0)))).toMatchObject({
      ...{ type: "decision_required", detectedAt: minute(2) },
    });
  });
});

describe("what is of another place", () => {
  it("does not count: another project, another work tree", async () => {
    await using work = await openRecordedWork();
    const other = await work.here.store.projects.recognise({ identities: ["path:/other"], name: "other" });
    await work.record("one", npmTest(minute(1), true), { project: other.id });
    await git(work.root, "worktree", "add", "--quiet", "-b", "side", work.dir.join("shop/.trees/side"));
    await work.record("two", npmTest(minute(1), true), { cwd: work.dir.join("shop/.trees/side") });
    expect(await work.collect(minute(0))).toEqual([]);
    await mkdir(work.dir.join("shop/src"));
    await work.record("three", npmTest(minute(1), true), { cwd: work.dir.join("shop/src") });
    expect((await work.collect(minute(0))).length).toBe(1);
  });

  it("counts where the folder was before it moved", async () => {
    await using work = await openRecordedWork();
    await work.record("one", npmTest(minute(1), true));
    await rename(work.root, work.dir.join("moved"));
    expect((await work.collect(minute(0), { root: work.dir.join("moved") })).length).toBe(1);
  });

  it("does not count: another branch", async () => {
    await using work = await openRecordedWork();
    await work.record("one", npmTest(minute(1), true));
    await git(work.root, "switch", "--quiet", "-c", "same");
    expect((await work.collect(minute(0))).length).toBe(1);
    await git(work.root, "commit", "--quiet", "--allow-empty", "-m", "second");
    await git(work.root, "switch", "--quiet", "-c", "other", "main");
    expect(await work.collect(minute(0))).toEqual([]);
    await git(work.root, "switch", "--quiet", "main");
    expect((await work.collect(minute(0))).length).toBe(1);
  });
});

it("finds what is new before what a subagent did long ago and was taken in later", async () => {
  await using work = await openRecordedWork();
  const old = Array.from({ length: 150 }, () => ({
    ...message(minute(0), "user", text("old")),
    strand: parseStrand("agent-1"),
  }));
  await work.record("one", [message(minute(0), "user", text("x")), ...npmTest(minute(5), true), ...old]);
  expect(commandsOf(await work.collect(minute(1)))).toEqual(["npm test"]);
});
