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

describe("a state that 0.1.0 saved", () => {
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
});
