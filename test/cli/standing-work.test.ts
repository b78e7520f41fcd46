import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { happened, message, ran, text } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const output = "Exit code 1\n      Tests  1 failed | 3 passed (4)\n";
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
const failed = (seconds: number, command = "npm test") =>
  ran(ago(seconds), { input: { command }, output, failed: true });
const passed = (seconds: number, command = "npm test") =>
  ran(ago(seconds), { input: { command }, output: "      Tests  4 passed (4)\n" });
const listed = (seconds: number, ...states: readonly string[]): readonly NewEntry[] =>
  ran(ago(seconds), {
    name: "TodoWrite",
    input: { todos: states.map((status, index) => ({ content: `task ${index + 1}`, status })) },
  });

/** Returns a part of the brief, without its indentation. */
async function part(work: Work, name: string): Promise<string | undefined> {
  const { parts } = await work.json("brief");
  return parts.find((each: { readonly name: string }) => each.name === name)?.text;
}

describe("a session that was cut off", () => {
  const asked = message(ago(60), "user", text("split the parser\ninto three modules"));

  it("is told to the next one with what it was asked, also when another has only greeted since", async () => {
    await using work = await openWork();
    await work.record("one", [asked, happened(ago(50), "interrupted", {})]);
    const cutOff =
      /^Session one: interrupted\.\nInterrupted: Last request: "split the parser into three modules"\n/;
    expect(await part(work, "Where the work stands")).toMatch(cutOff);
    expect(await part(work, "Next action")).toBe(
      "Go on with the interrupted request below, or in its session: `carryon resume one`",
    );
    expect(await part(work, "First session")).toBeUndefined();
    await work.record("two", [
      message(ago(30), "user", text("hello")),
      message(ago(29), "assistant", text("Hi!")),
    ]);
    expect(await part(work, "Where the work stands")).toMatch(cutOff);
  });
});

describe("sessions that ended without a handover", () => {
  const asked = (seconds: number, words: string) => message(ago(seconds), "user", text(words));
  const over = (seconds: number, words: string) => [
    asked(seconds, words),
    happened(ago(seconds - 1), "ended", {}),
  ];

  it("are told in a line each where they are not the one to go on with", async () => {
    await using work = await openWork();
    await work.record("one", over(4 * 7200, "make the login work"));
    await work.record("two", over(3 * 7200, "find the leak"));
    await work.record("three", over(2 * 7200, "explain\nthe plan"));
    expect(await part(work, "Where the work stands")).toContain('Last request: "explain the plan"');
    expect(await part(work, "Other open work")).toBe(
      [
        "- find the leak (interrupted, 5 hours ago; `carryon resume two`)",
        "- make the login work (interrupted, 7 hours ago; `carryon resume one`)",
      ].join("\n"),
    );
    expect(await part(work, "First session")).toBeUndefined();
  });

  it("leave the next action to a person who handed over since", async () => {
    await using work = await openWork();
    await work.record("one", over(7200, "make the login work"));
    await work.call(["handover", "--next", "ship it"]);
    expect(await part(work, "Next action")).toBe("ship it");
    await work.record("two", over(-1200, "make the logout work"));
    expect(await part(work, "Next action")).toContain("Go on with the interrupted request below");
  });

  it("are not told to themselves", async () => {
    await using work = await openWork();
    await work.record("one", over(7200, "make the login work"));
    const { stdout } = await work.call(["brief", "--session", "one"]);
    expect(stdout).not.toContain("make the login work");
    expect((await work.call(["brief", "--session", "two"])).stdout).toContain("make the login work");
  });
});

describe("the blocker that the next session is told first", () => {
  // Seed 1: 5.3
  it("is a test that failed in the last one, without a save", async () => {
    await using work = await openWork();
    await work.record("one", failed(60));
    const { parts } = await work.json("brief");
    expect(parts[0]).toMatchObject({ name: "Blocker", text: expect.stringContaining("test_failure (high)") });
    expect(await part(work, "First session")).toBeUndefined();
    expect((await work.json("blocker")).blocker).toMatchObject({ type: "test_failure", auto_detected: true });
    expect((await work.json("status")).blocker).toMatchObject({ type: "test_failure" });
    expect((await work.call(["status"])).stdout).toMatch(/^Blocker +test_failure/m);
  });

  it("is gone when the same command has passed since, in whatever session", async () => {
    await using work = await openWork();
    await work.record("one", failed(60));
    await work.record("two", passed(30));
    expect(await part(work, "Blocker")).toBeUndefined();
    expect((await work.json("blocker")).blocker).toBeNull();
    expect((await work.json("status")).blocker).toBeNull();
    expect((await work.call(["status"])).stdout).not.toContain("Blocker");
  });

  it.each([
    "npm test 2>&1 | tail -3",
    "npm test > out.log 2>&1; echo done",
    "(cd . && npm test && echo ok) 2>&1 | tail -3",
  ])("stays when %s in another session shows no pass, and goes when it does", async (command) => {
    await using work = await openWork();
    await work.record("one", failed(60));
    await work.record("two", ran(ago(40), { input: { command }, output: "   Duration  1.20s\n" }));
    expect((await work.json("blocker")).blocker).toMatchObject({ type: "test_failure" });
    await work.record("three", ran(ago(20), { input: { command }, output: " Test Files  2 passed (2)\n" }));
    expect((await work.json("blocker")).blocker).toBeNull();
  });

  it("is a test that failed behind a filter, by the end of what it printed", async () => {
    await using work = await openWork();
    const end = "✖ failing tests:\n\ntest at a.test.js:3:1\n✖ adds (0.3ms)\n  Error: x\n";
    await work.record("one", ran(ago(60), { input: { command: "npm test 2>&1 | tail -20" }, output: end }));
    expect((await work.json("blocker")).blocker).toMatchObject({
      type: "test_failure",
      error_pattern: "✖ adds (0.3ms)",
    });
  });

  it("is what was saved, until what was recorded since says that it is over", async () => {
    await using work = await openWork();
    await work.record("one", failed(60));
    await work.call(["save", "-m", "The form"]);
    expect(await part(work, "Blocker")).toContain("test_failure");
    await work.record("two", passed(-60));
    expect(await part(work, "Blocker")).toBeUndefined();
    expect(await part(work, "Saved work")).toContain("The form");
    const { blocker, work: saved } = await work.json("status");
    // Nobody has saved since.
    expect([blocker, saved.blocker.type]).toEqual([null, "test_failure"]);
    expect((await work.state()).blocker).toMatchObject({ type: "test_failure" });
  });

  it("is left behind by a new task, which is said, until it fails again", async () => {
    await using work = await openWork();
    await work.record("one", failed(60));
    const { stderr } = await work.call(["save", "--new", "another"]);
    expect(stderr).toMatch(/^Begun: another\nLeft behind, until it fails again: test_failure: /);
    expect((await work.json("blocker")).blocker).toBeNull();
    await work.record("two", failed(-60));
    expect((await work.json("blocker")).blocker).toMatchObject({ type: "test_failure" });
  });

  it("stops a load of work that was saved before it, which a resume goes on from", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form"]);
    await work.record("one", failed(-60));
    const { blocker, validation } = await work.json("load");
    expect(blocker).toMatchObject({ type: "test_failure" });
    expect(validation.map(({ code }: { readonly code: string }) => code)).toContain("BLOCKER_EXISTS");
    expect((await work.call(["load"])).stdout).toContain("Resolve the blocker before anything else");
    expect((await work.json("load", "--resume")).recovery.type).toBe("not-allowed");
    expect((await work.state()).blocker).toMatchObject({ type: "test_failure" });
    await work.record("two", passed(-120));
    expect((await work.json("load")).blocker).toBeNull();
  });

  it("is what a person has put down, whatever else has failed", async () => {
    await using work = await openWork();
    await work.call(["blocker", "add", "design_issue", "two owners"]);
    await work.record("one", failed(-60));
    expect(await part(work, "Blocker")).toContain("design_issue (medium): two owners");
  });

  it("is none that was resolved, though nothing was ever saved, until the command fails again", async () => {
    await using work = await openWork();
    await work.record("one", failed(60));
    const { resolved } = await work.json("blocker", "resolve", "flaky");
    expect(resolved).toMatchObject({ type: "test_failure" });
    expect([await part(work, "Blocker"), (await work.json("blocker")).blocker]).toEqual([undefined, null]);
    await work.record("two", failed(-60));
    expect(await part(work, "Blocker")).toContain("test_failure");
  });

  it("is a conflict that a merge has left", async () => {
    await using work = await openWork();
    await work.write({ "a.txt": "one\n" });
    await work.git("add", "a.txt");
    await work.git("commit", "-qm", "one");
    await work.git("checkout", "-qb", "other", "HEAD~1");
    await work.write({ "a.txt": "two\n" });
    await work.git("add", "a.txt");
    await work.git("commit", "-qm", "two");
    await work.git("merge", "-q", "main").catch(() => undefined);
    await work.call(["note", "pattern", "a", "--spec", "s", "--role", "r", "--task", "1"]);
    expect(await part(work, "Blocker")).toContain(
      "merge_conflict (critical): Changes are in conflict: a.txt",
    );
  });

  it("is looked for in the last day of work where nothing stopped it when it was saved long ago", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form"]);
    const day = 24 * 3600;
    await work.record("one", failed(-60));
    await work.record("two", passed(-3 * day, "ls"));
    expect(await part(work, "Blocker")).toBeUndefined();
    await work.record("three", failed(-3 * day));
    expect(await part(work, "Blocker")).toContain("test_failure");
  });
});

describe("a long session", () => {
  it("tells the blockers one after another, also what is far from its end", async () => {
    await using work = await openWork();
    const talk = Array.from({ length: 4000 }, (_, index) =>
      message(new Date(Date.now() - 3_600_000 + index), "user", text("on")),
    );
    await work.record("one", [...failed(7200, "npm test"), ...talk, ...failed(60, "make")]);
    expect(await part(work, "Blocker")).toContain("make");
    await work.record("two", passed(30, "make"));
    expect(await part(work, "Blocker")).toContain("npm test");
    await work.record("three", passed(20, "npm test"));
    expect(await part(work, "Blocker")).toBeUndefined();
  });
});

describe("the tasks that the next session is told", () => {
  it("are the list that the client kept, where nothing was saved", async () => {
    await using work = await openWork();
    await work.record("one", listed(60, "completed", "in_progress", "pending"));
    expect(await part(work, "Tasks")).toBe("Done: 1/3 tasks (33%)\nTo do: task 2\nTo do: task 3");
  });

  it("are as they are now, where the work was saved before", async () => {
    await using work = await openWork();
    await work.record("one", listed(60, "completed", "in_progress", "pending"));
    await work.call(["save", "-m", "The form"]);
    await work.record("two", listed(-60, "completed", "completed", "pending"));
    const saved = await part(work, "Saved work");
    expect(saved).toContain("Done: 2/3 tasks (67%)\nNext task: task 3\n");
    const [{ work: told, next_task: next }, loaded] = [await work.json("status"), await work.json("load")];
    expect([told.task_progress.completed, next, loaded.next_task]).toEqual([2, "task 3", "task 3"]);
  });

  it("are those of the change of a project that is trusted, and none of one that is not", async () => {
    await using work = await openWork();
    await work.write({
      "openspec/changes/add-login/proposal.md": "# Login\n",
      "openspec/changes/add-login/tasks.md": "- [x] form\n- [ ] tests\n",
    });
    await work.record("one", listed(60, "pending"));
    expect(await part(work, "Tasks")).toContain("task 1");
    await work.call(["trust"]);
    expect(await part(work, "Tasks")).toBe("Done: 1/2 tasks (50%)\nTo do: tests");
  });
});
