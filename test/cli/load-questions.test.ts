import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusOf } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const load = ["load"];
const branchOf = (work: Work) => work.git("symbolic-ref", "--short", "HEAD");

async function openMoved() {
  const work = await openWork();
  await work.call(["save", "-m", "The form", "--todo", "form", "--todo", "tests"]);
  await work.call(["blocker", "add", "design_issue", "two owners", "--resolution", "Ask Ada"]);
  await work.git("checkout", "-qb", "other");
  return work;
}

describe("carryon load on a terminal", () => {
  it("asks only what there is to ask", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "form"]);
    const { code, asked, stdout } = await work.answer(load, { choices: ["Continue with"] });
    expect([code, asked]).toMatchInlineSnapshot(`
      [
        0,
        "What now?
        Continue with: form
        A new task",
      ]
    `);
    expect(stdout.endsWith("Go on with: form\n")).toBe(true);
  });

  // Seed 1: 10.6, 12.5
  it("asks about the blocker, the changes and the branch, the most pressing first", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n" });
    const state = await work.state();
    const { code, asked } = await work.answer(load, {});
    expect([code, asked]).toMatchInlineSnapshot(`
      [
        0,
        "What now?
        Resolve the blocker first
        Commit the changes
        Stash the changes
        Switch to main
        Continue here, and update the state
        Continue with: form
        Another of the tasks
        A new task",
      ]
    `);
    // Nobody chose anything.
    expect([await work.state(), await branchOf(work), await statusOf(work.root)]).toEqual([
      state,
      "other",
      ["M a.txt"],
    ]);
  });

  // Seed 1: 10.2
  it("switches to the branch", async () => {
    await using work = await openMoved();
    const { stdout } = await work.answer(load, { choices: ["Switch to main"] });
    expect([stdout.includes("\nSwitched to main.\n"), await branchOf(work)]).toEqual([true, "main"]);
  });

  it("does not switch where a change would be lost", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n" });
    await work.answer(load, { choices: ["Switch to main"] });
    expect([await branchOf(work), await statusOf(work.root)]).toEqual(["other", ["M a.txt"]]);
  });

  it("continues here, and the state follows", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n" });
    await work.answer(load, { choices: ["Continue here"] });
    expect(await work.state()).toMatchObject({ git_branch: "other", pending_tasks: ["form", "tests"] });
    expect(await statusOf(work.root)).toEqual(["M a.txt"]);
  });

  // Seed 1: 10.4
  it("commits the changes", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n", "new.txt": "new\n" });
    await work.answer(load, { choices: ["Commit the changes"] });
    expect(await statusOf(work.root)).toEqual([]);
    expect(await work.git("show", "HEAD:new.txt")).toBe("new");
  });

  it("commits the changes where they are, and then switches to where the work was saved", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n" });
    const before = await work.state();
    const { stdout } = await work.answer(load, { choices: ["Commit the changes", "Switch to main"] });
    expect(await work.git("log", "-1", "--format=%s", "other")).toBe("WIP: changes on other - checkpoint");
    expect([await branchOf(work), await work.state()]).toEqual(["main", before]);
    expect(stdout).toContain("1 file committed");
  });

  // Seed 1: 10.4
  it("stashes the changes, from which they come back", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n", "new.txt": "new\n" });
    await work.answer(load, { choices: ["Stash the changes"] });
    expect(await statusOf(work.root)).toEqual(["?? new.txt"]);
    await work.git("stash", "pop", "-q");
    expect(await statusOf(work.root)).toEqual(["M a.txt", "?? new.txt"]);
  });

  it("says what to do about a blocker of a person", async () => {
    await using work = await openMoved();
    const { stdout } = await work.answer(load, { choices: ["Resolve the blocker"] });
    expect(stdout.endsWith("The blocker needs a person: Ask Ada\n")).toBe(true);
  });

  it("takes another of the tasks", async () => {
    await using work = await openMoved();
    const { asked } = await work.answer(load, { choices: ["Another of the tasks", "tests"] });
    expect(asked.endsWith("Which task?\n  form\n  tests")).toBe(true);
    expect(await work.state()).toMatchObject({ working_on: "tests", next_steps: ["tests"] });
  });

  // Seed 1: 10.5
  it("begins with a new task", async () => {
    await using work = await openMoved();
    await work.write({ "a.txt": "changed\n" });
    await work.answer(load, { choices: ["A new task"], words: "The list" });
    expect(await work.state()).toMatchObject({
      ...{ working_on: "The list", pending_tasks: [], blocker: null, git_branch: "other" },
    });
    expect(await statusOf(work.root)).toEqual([]);
  });

  it("begins with nothing where no task is named", async () => {
    await using work = await openMoved();
    const state = await work.state();
    await work.answer(load, { choices: ["A new task"], words: " " });
    expect(await work.state()).toEqual(state);
  });

  it.each([
    { yes: true, code: 0 },
    { yes: false, code: 2 },
  ])("offers the last checkpoint where the state is gone: $yes", async ({ yes, code }) => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form"]);
    const state = await work.state();
    await rm(join(work.root, ".claude/session-state.json"));
    const answered = await work.answer(load, { yes });
    expect([answered.code, answered.asked.split("\n")[0]]).toEqual([
      code,
      expect.stringMatching(/^Take the checkpoint of .* \(The form\) in its place\?$/),
    ]);
    expect(await work.state().catch(() => undefined)).toEqual(yes ? state : undefined);
  });

  // Seed 1: 8.4
  it.each([
    { case: "--no-ask", args: ["load", "--no-ask"], env: {} },
    { case: "--json", args: ["load", "--json"], env: {} },
    { case: "an agent", args: ["load"], env: { CLAUDECODE: "1" } },
  ])("asks nothing with $case", async ({ args, env }) => {
    await using work = await openMoved();
    const given = { env: { PATH: process.env.PATH, ...work.env, ...env } };
    expect(await work.answer(args, {}, given)).toMatchObject({ code: 0, asked: "" });
  });
});
