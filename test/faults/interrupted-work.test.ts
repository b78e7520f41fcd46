import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { sweepCalls } from "../support/interrupt-work.ts";
import { killSaves } from "../support/kill-saves.ts";
import { findLost, findUnreachable, readHoldings, statusOf } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeSavedWorld, makeUnsavedWorld, startIn } from "../support/work-world.ts";

describe("interrupted at any call of git", () => {
  it("a save loses nothing, and the next one brings it to its end", async () => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    const plan = {
      template: dir.path,
      command: ["save"],
      next: ["save"],
      lost: findLost,
      from: /write-tree/,
    };
    const { calls, wrong } = await sweepCalls(plan);
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(15);
  });

  it("a save that pushes loses nothing", async () => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    const command = ["save", "--sync"];
    const plan = { template: dir.path, command, next: ["save"], lost: findLost, from: /for-each-ref/ };
    const { calls, wrong } = await sweepCalls(plan);
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(20);
  });

  it("a load that switches the branch and goes forward loses nothing, and the next one gets there", async () => {
    await using dir = await tempDir();
    await makeSavedWorld(dir.path);
    const command = ["load", "--resume"];
    const plan = { template: dir.path, command, next: command, lost: findUnreachable, from: /switch/ };
    const { calls, wrong } = await sweepCalls(plan);
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(15);
  });
});

describe("saves that meet", () => {
  it("lose nothing when they are killed at any moment", async () => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    expect(await killSaves(dir.path, 12)).toEqual([]);
  });

  it("wait for each other, and lose nothing", async () => {
    await using dir = await tempDir();
    const world = await makeUnsavedWorld(dir.path);
    const before = await readHoldings(world.root);
    const ended = await Promise.all([1, 2, 3, 4].map(() => startIn(world, ["save"]).ended));
    expect(ended.map(({ code, stderr }) => (code === 0 ? 0 : stderr))).toEqual([0, 0, 0, 0]);
    const isState = (each: string) => each.endsWith("session-state.json");
    expect((await findLost(world.root, before)).filter((each) => !isState(each))).toEqual([]);
    expect(await git(world.root, "log", "--format=%s", "main..")).toBe("WIP: second - checkpoint");
    expect(await statusOf(world.root)).toEqual(["AM .env"]);
  });
});
