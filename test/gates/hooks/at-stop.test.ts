import { describe, expect, it } from "vitest";
import { makeGatedRepo, nothing, plan, refused } from "../../support/gates/gated-repo.ts";
import { blocking, configOf } from "../../support/gates/gates.ts";
import { tempDir } from "../../support/temp-dir.ts";

describe("a stop", () => {
  const gate = { ...plan, stopOnly: true };

  // Seed 2: 1.7, 4.1, 4.3
  it("is held in each turn until its gates are satisfied, and never again in the same turn", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    const stop = async (isHeld: boolean) => (await session.tell("Stop", { stop_hook_active: isHeld })).type;
    expect(await stop(false)).toBe("nothing");
    await session.use("Edit", { file_path: "a" });
    const held = [false, true, true, false, true, false];
    const answers: string[] = [];
    for (const isHeld of held) answers.push(await stop(isHeld));
    expect(answers).toEqual(held.map((isHeld) => (isHeld ? "nothing" : "hold")));
    await session.use("Skill", { skill: "plan-review" });
    expect(await stop(false)).toBe("nothing");
  });

  it("says in a line what holds it when it was held for the same gates before", async () => {
    await using dir = await tempDir();
    const other = { ...blocking({ name: "tidied", stopOnly: true }), message: "Tidy up.\nAll of it." };
    const repo = await makeGatedRepo(dir.path, configOf([{ ...gate, message: "Plan first." }, other]));
    const session = repo.session("s-1");
    const stop = async () => {
      const answer = await session.tell("Stop", { stop_hook_active: false });
      return "reason" in answer ? answer.reason : answer.type;
    };
    await session.use("Edit", { file_path: "a" });
    const whole = "The gate tidied is not satisfied.\nTidy up.\nAll of it.\nDo what it asks for, and";
    const again = (names: string) =>
      `Still not satisfied: ${names} (\`carryon gate\` says how). A person lets this session stop with \`carryon gate pause --until-end\` in a terminal.`;
    expect([await stop(), await stop(), await stop()]).toEqual([
      expect.stringContaining(whole),
      again("commit_plan, tidied"),
      again("commit_plan, tidied"),
    ]);
    await session.use("Skill", { skill: "plan-review" });
    expect([await stop(), await stop()]).toEqual([expect.stringContaining(whole), again("tidied")]);
  });

  // Seed 2: 4.2
  it("is not held for an edit that was refused", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const session = repo.session("s-1");
    expect(await session.use("Edit", { file_path: "a" })).toEqual(refused);
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual(nothing);
  });
});
