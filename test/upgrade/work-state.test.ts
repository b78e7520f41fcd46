import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openUpgradeFixture, type UpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

const pathOf = (old: UpgradeFixture) => join(old.work, ".claude/session-state.json");

async function changeState(old: UpgradeFixture, change: object): Promise<void> {
  const state = JSON.parse(await readFile(pathOf(old), "utf8"));
  await writeFile(pathOf(old), JSON.stringify({ ...state, ...change }));
}

/** What 0.1.0 wrote into the file, and the log notes now. */
const noted = ["tasks_told_at", "blocker_resolved_at", "recovery_command"];

describe("a state that 0.1.0 saved", () => {
  it("is the user's own, and the next save leaves what the log notes out of the file", async () => {
    await using old = await openUpgradeFixture("0.1.0");
    const recorded = JSON.parse(await readFile(pathOf(old), "utf8"));
    expect(recorded.tasks_told_at).toEqual(expect.any(String));
    expect(await old.answer(["load", "--json", "--no-ask"])).toMatchObject({ origin: "own" });
    expect((await old.call(["save", "--no-commit"])).code).toBe(0);
    const saved = JSON.parse(await readFile(pathOf(old), "utf8"));
    expect(noted.filter((name) => name in saved)).toEqual([]);
    expect(saved).toMatchObject({
      completed_tasks: recorded.completed_tasks,
      pending_tasks: recorded.pending_tasks,
    });
  });

  it("is not gone on with by the subject of a commit, which 0.1.0 took where nobody said anything", async () => {
    await using old = await openUpgradeFixture("0.1.0");
    const subjects = (await git(old.work, "log", "--format=%s")).split("\n");
    const working_on = subjects.find((subject) => !subject.startsWith("WIP: ")) ?? "";
    expect(working_on).not.toBe("");
    const none = { completed_tasks: [], pending_tasks: [], next_steps: [], blocker: null };
    await changeState(old, { ...none, task_progress: { completed: 0, total: 0, percentage: 0 }, working_on });
    const { stdout } = await old.call(["load", "--no-ask"]);
    expect(stdout).toContain(`Work     ${working_on}\n`);
    expect(stdout).not.toContain(`Go on with: ${working_on}`);
    await changeState(old, { working_on: "Sorting" });
    expect((await old.call(["load", "--no-ask"])).stdout).toContain("\nGo on with: Sorting\n");
  });

  it("has a blocker without `not_run_again`, which is read, and which today's states only add", async () => {
    await using old = await openUpgradeFixture("0.1.0");
    const recorded = JSON.parse(await readFile(pathOf(old), "utf8"));
    expect(recorded.blocker).not.toHaveProperty("not_run_again");
    expect((await old.call(["blocker"])).stdout).not.toContain("Not run again");
    // 0.1.0 found it, and nothing in the log says that it is over.
    const blocker = { ...recorded.blocker, type: "build_error", auto_detected: true };
    await changeState(old, { blocker });
    expect(await old.answer(["blocker", "--json"])).toMatchObject({ blocker: { type: "build_error" } });
    await changeState(old, { blocker: { ...blocker, not_run_again: true } });
    expect((await old.call(["blocker"])).stdout).toContain("Not run again since 2026-11-18 06:40 UTC.");
    const { state } = (await old.answer(["load", "--json", "--no-ask"])) as { state: typeof recorded };
    expect(Object.keys(state)).toEqual(Object.keys(recorded).filter((name) => !noted.includes(name)));
    const known = Object.keys(recorded.blocker).filter((name) => !noted.includes(name));
    expect(Object.keys(state.blocker)).toEqual([...known, "not_run_again"]);
  });
});
