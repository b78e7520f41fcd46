import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { type HookedCarryon, openHooked } from "../support/gates/hooked-cli.ts";
import { implementer, planner, planning } from "../support/gates/seed-world.ts";
import { git, gitEnv } from "../support/git-repo.ts";

/** A session of Claude Code: each thing that it does passes the hooks that `carryon init` installed. */
interface Session {
  /** Begins, and returns what the session is told. */
  start(source?: string): Promise<string>;
  /** Runs a skill. */
  skill(name: string): Promise<void>;
  /** Edits a file, unless the hook refuses it; returns why. */
  edit(): Promise<string>;
  /** Runs a command in a shell, unless the hook refuses it; returns why. */
  run(command: string): Promise<string>;
  /** Stops, unless the hook holds it; returns why. */
  stop(more?: { readonly stop_hook_active: boolean }): Promise<string>;
  end(reason?: string): Promise<void>;
  /** Runs Carryon with the Bash tool. */
  carryon(...args: readonly string[]): Promise<string>;
}

interface Seed extends AsyncDisposable {
  readonly root: string;
  session(id: string): Session;
  /** Returns what a file has at a path, as `jq` prints it. */
  jq(path: string, file?: string): unknown;
}

const state = ".git/requirements/feature-test.json";
const registry = "../.claude/sessions.json";
const commitPlan = ".requirements.commit_plan.sessions";
const allowed = "";

/** Opens a project in which `carryon init` was run, with these requirements, on a branch of its own. */
async function openSeed(requirements: string): Promise<Seed> {
  const carryon = await openHooked(requirements);
  const { root } = carryon;
  await git(root, "add", ".");
  await git(root, "commit", "--quiet", "--message", "requirements");
  await git(root, "branch", "--force", "main");
  await git(root, "checkout", "--quiet", "-b", "feature/test");
  return {
    root,
    session: (id) => openSession(carryon, id),
    jq: (path, file = state) => {
      if (!existsSync(join(root, file))) return null;
      let found: unknown = JSON.parse(readFileSync(join(root, file), "utf8"));
      for (const name of path.split(".").slice(1)) found = Object(found)[name] ?? null;
      return found;
    },
    [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose](),
  };
}

function openSession(carryon: HookedCarryon, id: string): Session {
  const { root } = carryon;
  let count = 0;
  const tell = (event: string, more: object) => {
    // The client numbers what it tells; the same thing twice is one that two hooks heard.
    count += 1;
    return carryon.tell(event, { session_id: id, prompt_id: `prompt-${count}`, ...more });
  };
  const use = async (tool: string, input: object, work: () => Promise<object>): Promise<string> => {
    const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${count}` };
    const before = (await tell("PreToolUse", call))?.hookSpecificOutput;
    if (before?.permissionDecision === "deny") return before.permissionDecisionReason ?? "";
    await tell("PostToolUse", { ...call, tool_response: await work() });
    return allowed;
  };
  return {
    start: async (source = "startup") => {
      const { hookSpecificOutput } = (await tell("SessionStart", { source })) ?? {};
      return hookSpecificOutput?.additionalContext ?? "";
    },
    skill: async (skill) => {
      await use("Skill", { skill }, async () => ({ success: true, commandName: skill }));
    },
    edit: () => {
      const path = join(root, "a.txt");
      return use("Edit", { file_path: path, old_string: "", new_string: "more\n" }, async () => {
        writeFileSync(path, "more\n", { flag: "a" });
        return { filePath: path };
      });
    },
    run: (command) =>
      use("Bash", { command }, () =>
        promisify(execFile)("bash", ["-c", command], { cwd: root, env: gitEnv }),
      ),
    stop: async (more = { stop_hook_active: false }) => (await tell("Stop", more))?.reason ?? allowed,
    end: async (reason = "other") => {
      await tell("SessionEnd", { reason });
    },
    carryon: async (...args) => {
      const { stdout, stderr } = await carryon.call(args, {
        env: { CLAUDECODE: "1", CARRYON_SESSION: id },
      });
      return stdout + stderr;
    },
  };
}

const satisfied = expect.objectContaining({ satisfied: true, satisfied_by: "skill" });
const notSatisfied = "The gate commit_plan is not satisfied.\nRun /arch-review, or do what it asks for";

describe("Common Workflows Explained", () => {
  // Seed 2: 4.4, 5.4, 6.1
  it("Workflow 1: Single Planning Session", async () => {
    await using seed = await openSeed(planning);
    const session = seed.session(planner);
    // SessionStart (abc123) → commit_plan NOT satisfied
    expect(await session.start()).toContain("- [ ] commit_plan: The gate commit_plan is not satisfied.");
    expect(seed.jq(".sessions", registry)).toEqual({
      abc123ab: expect.objectContaining({ branch: "feature/test" }),
    });
    expect(await session.edit()).toContain(notSatisfied);
    // User runs /arch-review → Auto-satisfy creates sessions["abc123"].satisfied = true
    await session.skill("arch-review");
    const planned = {
      commit_plan: satisfied,
      adr_reviewed: satisfied,
      tdd_planned: satisfied,
      solid_reviewed: satisfied,
    };
    const own = Object.keys(planned).map((name) => [
      name,
      seed.jq(`.requirements.${name}.sessions.abc123ab`),
    ]);
    expect(Object.fromEntries(own)).toEqual(planned);
    // User works → Edit, commit, etc.
    expect([
      await session.edit(),
      await session.run("git add a.txt && git commit --quiet --message work"),
    ]).toEqual([allowed, allowed]);
    // Stop hook → commit_plan satisfied? YES → Allow stop
    expect(await session.stop()).toBe(allowed);
    // SessionEnd → Registry: remove abc123; State: keep sessions["abc123"] data
    await session.end("prompt_input_exit");
    expect(seed.jq(".sessions", registry)).toEqual({});
    expect(seed.jq(commitPlan)).toEqual({ abc123ab: satisfied });
  });

  // Seed 2: 2.5, 6.2
  it("Workflow 2: Plan Then Implement (Two Sessions)", async () => {
    await using seed = await openSeed(planning);
    // Session 1: Planning (abc123) → Run /arch-review → SessionEnd
    const plan = seed.session(planner);
    await plan.start();
    await plan.skill("arch-review");
    await plan.end();
    // Session 2: Implement (def456) on SAME branch → Check for def456 → NOT FOUND
    const implement = seed.session(implementer);
    expect(await implement.start()).toContain("0 of 4 gates on feature/test are satisfied.");
    expect(await implement.edit()).toContain(notSatisfied);
    // What it has not met holds no session that only reads.
    expect(await implement.stop()).toBe(allowed);
    // User can run /arch-review again
    await implement.skill("plan-review");
    expect([await implement.edit(), await implement.stop()]).toEqual([allowed, allowed]);
    expect(seed.jq(commitPlan)).toEqual({ abc123ab: satisfied, def456de: satisfied });
  });

  // Seed 2: 6.3
  it("Workflow 3: Single-Use Review Before Each Commit", async () => {
    await using seed = await openSeed(`requirements:
  pre_commit_review:
    enabled: true
    scope: single_use
    trigger_tools: [{ tool: Bash, command_pattern: git\\s+commit }]
    auto_resolve_skill: pre-commit
`);
    const session = seed.session(planner);
    const commit = () => session.run("git add a.txt && git commit --quiet --message work");
    const review = ".requirements.pre_commit_review.sessions";
    await session.start();
    // 1. Edit → pre_commit_review triggered
    expect(await session.edit()).toBe(allowed);
    expect(await commit()).toContain("carryon gate satisfy pre_commit_review`");
    // 2. Run /pre-commit → satisfy
    await session.skill("pre-commit");
    expect(seed.jq(review)).toEqual({ abc123ab: satisfied });
    // 3. Git commit → clear-single-use hook deletes sessions["A"]
    expect(await commit()).toBe(allowed);
    expect(seed.jq(review)).toEqual({});
    // 4. Edit again → Must satisfy again before next commit
    expect([await session.edit(), await commit()]).toEqual([
      allowed,
      expect.stringContaining("is not satisfied"),
    ]);
  });
});

// Seed 2: 2.3, 2.6, 3.5, 8.1, 8.2, 8.3, 8.4
it("Testing This System", async () => {
  // 1. Create a branch and plan: Session 1 starts, Run /arch-review, See: commit_plan ✓ satisfied, Exit Claude Code
  await using seed = await openSeed(planning);
  const first = seed.session(planner);
  await first.start();
  await first.skill("arch-review");
  expect(await first.carryon("gate")).toContain("✓ commit_plan");
  await first.end("prompt_input_exit");
  // 2. Inspect state after session 1: Should have one session ID with satisfied: true
  expect(seed.jq(".requirements.commit_plan.sessions")).toEqual({ abc123ab: satisfied });
  // 3. Resume same branch in new session: See: commit_plan ⬜ NOT satisfied (new session!)
  const second = seed.session(implementer);
  expect(await second.start()).toContain("- [ ] commit_plan");
  expect(await second.carryon("gate")).toContain("✗ commit_plan");
  await second.skill("arch-review");
  // 4. Inspect state after session 2: Should have TWO sessions, both with satisfied: true
  expect(seed.jq(".requirements.commit_plan.sessions")).toEqual({ abc123ab: satisfied, def456de: satisfied });
});

describe("Critical Code Paths", () => {
  it("Stop Hook: blocks each stop with triggered requirements that are not satisfied, unless stop_hook_active", async () => {
    await using seed = await openSeed("requirements:\n  commit_plan: { enabled: true, stop_only: true }\n");
    const session = seed.session(planner);
    expect(await session.stop()).toBe(allowed);
    await session.edit();
    expect(await session.stop()).toContain(notSatisfied);
    expect(await session.stop({ stop_hook_active: true })).toBe(allowed);
    // In the next turn it is held again, in a line.
    expect(await session.stop()).toMatch(
      /^Still not satisfied: commit_plan .*carryon gate pause --until-end`.*$/,
    );
    expect(await session.carryon("gate", "pause", "--until-end")).toContain("Only a person turns gates off");
    expect(await session.carryon("gate", "satisfy", "commit_plan")).toContain("Satisfied in session");
    expect(await session.stop()).toBe(allowed);
  });

  it("Session End: clear_session_state clears, and does not defeat /clear", async () => {
    await using seed = await openSeed(`${planning}hooks: { session_end: { clear_session_state: true } }\n`);
    const [first, second] = [seed.session(planner), seed.session(implementer)];
    await first.start();
    await first.skill("arch-review");
    await first.end("clear");
    expect(await second.start("clear")).toContain("4 of 4 gates on feature/test are satisfied.");
    expect(await second.edit()).toBe(allowed);
    await second.end();
    expect(seed.jq(commitPlan)).toEqual({});
  });

  it("Session Start: what a session satisfied on a branch counts when it comes back from another", async () => {
    await using seed = await openSeed(planning);
    const session = seed.session(planner);
    await session.start();
    await session.skill("arch-review");
    await git(seed.root, "checkout", "--quiet", "-b", "feature/other");
    expect(await session.edit()).toContain(notSatisfied);
    await git(seed.root, "checkout", "--quiet", "feature/test");
    expect(await session.edit()).toBe(allowed);
  });
});

describe("Potential Extensions", () => {
  // Seed 2: 3.4, 9.1
  it("Branch-Scoped Planning satisfies once per branch", async () => {
    await using seed = await openSeed(`requirements:
  architecture_reviewed:
    enabled: true
    scope: branch  # Not session!
    auto_resolve_skill: arch-review
`);
    expect(await seed.session(planner).edit()).toContain("Run /arch-review");
    await seed.session(planner).skill("arch-review");
    expect(await seed.session(implementer).edit()).toBe(allowed);
    expect(seed.jq(".requirements.architecture_reviewed")).toMatchObject({
      scope: "branch",
      satisfied: true,
    });
  });

  // Seed 2: 9.3
  it("Branch Size Monitoring blocks edits of a branch that is too large", async () => {
    await using seed = await openSeed(
      "requirements:\n  branch_size: { enabled: true, type: dynamic, threshold: 2, cache_ttl: 0 }\n",
    );
    const session = seed.session(planner);
    expect([await session.edit(), await session.edit(), await session.edit()]).toEqual([
      allowed,
      allowed,
      expect.stringContaining("stops at 2 changed lines"),
    ]);
  });
});
