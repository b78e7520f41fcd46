import { describe, expect, it } from "vitest";
import { sweepCalls } from "../support/interrupt-work.ts";
import { findLost, findUnreachable } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeSavedWorld, makeUnsavedWorld } from "../support/work-world.ts";

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
    expect(calls).toBeGreaterThan(20);
  });

  it("a save that pushes loses nothing", async () => {
    await using dir = await tempDir();
    await makeUnsavedWorld(dir.path);
    const command = ["save", "--sync"];
    const plan = { template: dir.path, command, next: ["save"], lost: findLost, from: /for-each-ref/ };
    const { calls, wrong } = await sweepCalls(plan);
    expect(wrong).toEqual([]);
    expect(calls).toBeGreaterThan(25);
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
