import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { toHookOutput } from "../../src/gates/answer-hook.ts";
import { makeGatedRepo, nothing, plan, readJson, refused } from "../support/gates/gated-repo.ts";
import { blocking, configOf, dynamic } from "../support/gates/gates.ts";
import { git, gitEnv } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("before a tool runs", () => {
  it("says nothing to a tool that no gate guards, and writes nothing", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    expect(await repo.session("s-1").use("Read", { file_path: "a" })).toEqual(nothing);
    expect(readdirSync(join(repo.root, ".git"))).not.toContain("requirements");
  });

  it("refuses with the message, the checklist and the remedy", async () => {
    await using dir = await tempDir();
    const words = { message: "Plan {req_name} on {branch} first.\n", checklist: ["It is written down"] };
    const repo = await makeGatedRepo(dir.path, configOf([{ ...plan, ...words }]));
    expect(await repo.session("s-1").use("Edit", { file_path: "a" })).toEqual({
      type: "deny",
      reason: [
        "The gate commit_plan is not satisfied.",
        "Plan commit_plan on feature/plan first.",
        "- [ ] It is written down",
        "Do what it asks for, and then run `carryon gate satisfy commit_plan`.",
      ].join("\n"),
    });
  });

  it("names the skill that the client has, and the launcher where PATH has no carryon", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const launcher = dir.join("home", "bin", "carryon");
    const skill = dir.join("client", "skills", "plan-review", "SKILL.md");
    for (const path of [launcher, skill]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "", { mode: 0o755 });
    }
    const session = repo.session("s-1", { env: { ...gitEnv, PATH: "/usr/bin:/bin" } });
    expect(await session.use("Edit", { file_path: "a" })).toEqual({
      type: "deny",
      reason: `The gate commit_plan is not satisfied.\nRun /plan-review, or do what it asks for and then run \`${launcher} gate satisfy commit_plan\`.`,
    });
    expect(await session.use("Bash", { command: `${launcher} gate satisfy commit_plan` })).toEqual(nothing);
  });

  it("refuses in short when it is asked again within five seconds", async () => {
    await using dir = await tempDir();
    const gate = { ...plan, message: "A long text.", shortMessage: "Plan first." };
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    const reasons: string[] = [];
    for (const seconds of [0, 4, 5]) {
      repo.wait(seconds);
      const answer = await session.use("Edit", { file_path: "a" });
      reasons.push("reason" in answer ? (answer.reason.split("\n")[0] ?? "") : "");
    }
    expect(reasons).toEqual([
      "The gate commit_plan is not satisfied.",
      "Plan first. Do what it asks for, and then run `carryon gate satisfy commit_plan`.",
      "The gate commit_plan is not satisfied.",
    ]);
  });

  it("lets plans be written, and nothing that only looks like one", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const ask = async (file: string) => (await repo.session("s-1").use("Write", { file_path: file })).type;
    const plans = join(repo.root, ".claude", "plans");
    expect([
      await ask(join(plans, "a.md")),
      await ask(".claude/plans/a.md"),
      await ask(dir.join("client", "plans", "a.md")),
      await ask(join(plans, "..", "requirements.yaml")),
      await ask(join(repo.root, ".claude", "plans-not", "a.md")),
      await ask(join(repo.root, "src", ".claude", "plans", "a.md")),
    ]).toEqual(["nothing", "nothing", "nothing", "deny", "deny", "deny"]);
  });

  // Seed 2: 9.3
  it("warns of a figure once, and again when it has grown by a tenth", async () => {
    await using dir = await tempDir();
    const gate = dynamic({ thresholds: { warn: 10, block: 100 }, cacheTtl: 0 });
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    const grow = async (lines: number) => {
      writeFileSync(join(repo.root, "a.txt"), "x\n".repeat(lines));
      return session.use("Edit", { file_path: "a.txt" });
    };
    const warning = (lines: number) => ({
      type: "tell",
      text: `The gate branch_size warns: the branch has ${lines} changed lines. It stops at 100.`,
    });
    expect([await grow(9), await grow(20), await grow(21), await grow(22)]).toEqual([
      nothing,
      warning(20),
      nothing,
      warning(22),
    ]);
    expect(await grow(100)).toEqual({
      type: "deny",
      reason: expect.stringContaining("stops at 100 changed lines, and the branch has 100."),
    });
  });
});

describe("a skill", () => {
  // Seed 2: 1.9, 3.1
  it.each(["plan-review", "other-namespace:plan-review"])("satisfies its gates: %s", async (skill) => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const session = repo.session("cad0ac4d-3933-45ad-9a1c-14aec05bb940");
    expect(await session.use("Edit", { file_path: "a" })).toEqual(refused);
    await session.use("Skill", { skill });
    expect(await session.use("Edit", { file_path: "a" })).toEqual(nothing);
    const { requirements } = readJson(join(repo.folder, "feature-plan.json"));
    expect(requirements.commit_plan.sessions).toEqual({
      cad0ac4d: {
        triggered: true,
        triggered_at: 1794830400,
        satisfied: true,
        satisfied_at: 1794830400,
        satisfied_by: "skill",
        metadata: { skill, full_id: "cad0ac4d-3933-45ad-9a1c-14aec05bb940" },
        expires_at: null,
      },
    });
    await session.tell("SessionEnd");
    expect(await readdir(join(repo.folder, "sessions"))).toEqual(["cad0ac4d.json"]);
    expect(readJson(join(repo.folder, "sessions", "cad0ac4d.json"))).toMatchObject({
      version: "1.0",
      session_id: "cad0ac4d",
      branch: "feature/plan",
      tools: { Edit: 1 },
      skills: { [skill]: 1 },
      requirements: { commit_plan: { refused: 1, satisfied: 1 } },
    });
  });

  it("that the user typed satisfies them when its turn ends, before the stop is judged", async () => {
    await using dir = await tempDir();
    const gate = { ...plan, stopOnly: true };
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    await session.tell("UserPromptExpansion", { command_name: "plan-review" });
    await session.use("Edit", { file_path: "a" });
    expect(await session.tell("Stop", { stop_hook_active: false })).toEqual(nothing);
    const { requirements } = readJson(join(repo.folder, "feature-plan.json"));
    expect(requirements.commit_plan.sessions["s-1"]).toMatchObject({
      satisfied: true,
      satisfied_by: "skill",
    });
  });

  it("that the user typed counts for its own turn alone", async () => {
    await using dir = await tempDir();
    const gate = blocking({ scope: "single_use", skills: ["plan-review"], stopOnly: true });
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    await session.tell("UserPromptExpansion", { command_name: "plan-review" });
    expect(await session.tell("Stop", {})).toEqual(nothing);
    await session.use("Edit", { file_path: "a" });
    await session.use("Edit", { file_path: "a" });
    expect((await session.tell("Stop", {})).type).toBe("hold");
  });

  it("does not satisfy what only a person may allow", async () => {
    await using dir = await tempDir();
    const gate = dynamic({ skills: ["plan-review"], thresholds: { block: 0 } });
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    await session.use("Skill", { skill: "plan-review" });
    expect((await session.use("Edit", { file_path: "a" })).type).toBe("deny");
  });
});

describe("what a shell writes", () => {
  it("past a gate holds the session to it: edits, writes and the stop", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const session = repo.session("s-1");
    expect(await session.run("git status && ls")).toEqual(nothing);
    expect(await session.run("echo one > a.txt")).toEqual(nothing);
    expect(readFileSync(join(repo.root, "a.txt"), "utf8")).toBe("one\n");
    expect(await session.run("echo two > a.txt")).toEqual(refused);
    expect(readFileSync(join(repo.root, "a.txt"), "utf8")).toBe("one\n");
    expect((await session.run("cat a.txt")).type).toBe("nothing");
    expect((await session.run("carryon gate")).type).toBe("nothing");
    expect((await session.run(`${dir.join("home/bin/carryon")} save`)).type).toBe("nothing");
    expect((await session.run(`${dir.join("other/bin/carryon")} save`)).type).toBe("deny");
    expect((await session.tell("Stop", {})).type).toBe("hold");
    await session.use("Skill", { skill: "plan-review" });
    expect(await session.run("echo three > a.txt")).toEqual(nothing);
    expect(readFileSync(join(repo.root, "a.txt"), "utf8")).toBe("three\n");
  });

  it("outside the work tree, or commits that hold what was there, are no edits", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    writeFileSync(join(repo.root, "a.txt"), "mine");
    const session = repo.session("s-1");
    await session.run(`echo one > '${dir.join("outside.txt")}'`);
    await session.run("git add a.txt && git commit --quiet -m mine");
    expect(await git(repo.root, "log", "-1", "--format=%s")).toBe("mine");
    expect(await session.tell("Stop", {})).toEqual(nothing);
    expect(await session.run("echo two > a.txt")).toEqual(nothing);
  });

  it("is refused like an edit where it is to be blocked", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan], { shellWrites: "block" }));
    expect(await repo.session("s-1").run("echo one > a.txt")).toEqual(refused);
    expect(readdirSync(repo.root)).toEqual([".git"]);
  });
});

describe("a gate of single use", () => {
  it("is asked for before each commit", async () => {
    await using dir = await tempDir();
    const gate = blocking({
      name: "pre_commit_review",
      scope: "single_use",
      triggers: [{ tool: "Bash", pattern: "git\\s+commit" }],
      skills: ["pre-commit"],
    });
    const repo = await makeGatedRepo(dir.path, configOf([gate]));
    const session = repo.session("s-1");
    const commit = async () => (await session.run("git commit --quiet --allow-empty -m x")).type;
    expect(await commit()).toBe("deny");
    await session.use("Skill", { skill: "pre-commit" });
    expect((await session.run("git commit --quiet -m nothing-to-commit")).type).toBe("nothing");
    expect([await commit(), await commit()]).toEqual(["nothing", "deny"]);
    expect(await git(repo.root, "rev-list", "--count", "HEAD")).toBe("2");
  });
});

describe("an answer", () => {
  it.each([
    [{ type: "nothing" }, undefined],
    [
      { type: "deny", reason: "no" },
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "no",
        },
      },
    ],
    [
      { type: "hold", reason: "not yet" },
      { decision: "block", reason: "not yet" },
    ],
    [
      { type: "tell", text: "so" },
      { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "so" } },
    ],
  ] as const)("%j has the form that clients take", (answer, output) => {
    expect(toHookOutput("PreToolUse", answer)).toEqual(output);
  });

  it("to an event that nobody knows is nothing", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    expect(await repo.session("s-1").tell("SomethingNew")).toEqual(nothing);
  });
});
