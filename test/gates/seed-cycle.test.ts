import { describe, expect, it } from "vitest";
import { implementer, makeSeedWorld, planner, planning } from "../support/gates/seed-world.ts";
import { tempDir } from "../support/temp-dir.ts";

const sessionsOf = ".requirements.commit_plan.sessions";
const isSatisfied = expect.objectContaining({ satisfied: true, satisfied_by: "skill" });

describe("the cycle of planning and implementing", () => {
  it("has one session with satisfied: true after the first, and two after the second", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    const first = world.session(planner);
    expect(await first.start()).toContain("- [ ] commit_plan: The gate commit_plan is not satisfied.");
    await first.skill("arch-review");
    expect([await first.edit(), await first.stop()]).toEqual(["nothing", { type: "nothing" }]);
    await first.end("prompt_input_exit");
    expect(world.jq(sessionsOf)).toEqual({ abc123ab: isSatisfied });

    world.wait(10);
    const second = world.session(implementer);
    expect(await second.start()).toContain("- [ ] commit_plan: The gate commit_plan is not satisfied.");
    expect(await second.edit()).toBe("deny");
    await second.skill("arch-review");
    expect(await second.edit()).toBe("nothing");
    expect(await second.start("resume")).toMatch(/^4 of 4 gates on feature\/test are satisfied\.\n- \[x\]/);
    await second.end();
    expect(world.jq(sessionsOf)).toEqual({ abc123ab: isSatisfied, def456de: isSatisfied });
    expect(world.told).toEqual([]);
  });
});

describe("the workflows of the seed", () => {
  it("workflow 1: one session plans, works, stops and ends, and what it satisfied stays", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    const session = world.session(planner);
    await session.start();
    expect(Object.keys(Object(world.jq(".sessions", world.registryFile)))).toEqual(["abc123ab"]);
    await session.skill("arch-review");
    expect(await session.edit()).toBe("nothing");
    expect(await session.run("git add . && git commit --quiet -m work")).toBe("nothing");
    expect(await session.stop()).toEqual({ type: "nothing" });
    await session.end();
    expect(world.jq(".sessions", world.registryFile)).toEqual({});
    expect(world.jq(sessionsOf)).toEqual({ abc123ab: isSatisfied });
  });

  it("workflow 2: what the planning session satisfied does not count for the one that implements", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, planning);
    const [plan, implement] = [world.session(planner), world.session(implementer)];
    await plan.start();
    await plan.skill("arch-review");
    await plan.end();
    expect(await implement.start()).toMatch(/^0 of 4 gates on feature\/test are satisfied\./);
    expect([await implement.edit(), await implement.stop()]).toEqual(["deny", { type: "nothing" }]);
    await implement.skill("arch-review");
    expect(await implement.edit()).toBe("nothing");
  });

  it("workflow 3: a review of single use is asked for before each commit", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      `requirements:
  pre_commit_review:
    enabled: true
    scope: single_use
    trigger_tools: [{tool: Bash, command_pattern: git\\s+commit}]
    auto_resolve_skill: pre-commit
`,
    );
    const session = world.session(planner);
    const commit = () => session.run("git add . && git commit --quiet -m work");
    const review = ".requirements.pre_commit_review.sessions";
    await session.start();
    expect([await session.edit(), await commit()]).toEqual(["nothing", "deny"]);
    await session.skill("pre-commit");
    expect(world.jq(review)).toEqual({ abc123ab: isSatisfied });
    expect(await commit()).toBe("nothing");
    expect(world.jq(review)).toEqual({});
    expect([await session.edit(), await commit()]).toEqual(["nothing", "deny"]);
  });
});

describe("the extensions of the seed", () => {
  it("a review of scope branch is asked for once on a branch", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      `requirements:
  architecture_reviewed:
    enabled: true
    scope: branch  # Not session!
    auto_resolve_skill: arch-review
`,
    );
    expect(await world.session(planner).edit()).toBe("deny");
    await world.session(planner).skill("arch-review");
    expect(await world.session(implementer).edit()).toBe("nothing");
    expect(world.jq(".requirements.architecture_reviewed")).toMatchObject({
      scope: "branch",
      satisfied: true,
      satisfied_by: "skill",
    });
  });

  it("a branch that has become too large is not edited", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(
      dir.path,
      "requirements:\n  branch_size: {enabled: true, type: dynamic, threshold: 2, cache_ttl: 0}\n",
    );
    const session = world.session(planner);
    expect([await session.edit(), await session.edit(), await session.edit()]).toEqual([
      "nothing",
      "nothing",
      "deny",
    ]);
  });
});
