import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type HookedCarryon, openHooked, session } from "../support/gates/hooked-cli.ts";
import { git, makeRepo } from "../support/git-repo.ts";

const gates = `requirements:
  commit_plan: { enabled: true, auto_resolve_skill: plan-review }
  wrapped_up: { enabled: true, stop_only: true, trigger_tools: [Edit], satisfied_by_skill: wrap-up }
`;
const edit = { tool_name: "Edit", tool_input: { file_path: "a.ts" }, tool_use_id: "toolu_1" };
const skill = (name: string) => ({ tool_name: "Skill", tool_input: { skill: name }, tool_use_id: "toolu_2" });

const why = ["--reason", "r", "--impact", "i", "--source", "s"];

const liveIn = async ({ folder }: HookedCarryon) => {
  const { sessions } = JSON.parse(await readFile(join(folder, ".claude", "sessions.json"), "utf8"));
  // Keys that are numbers come first, in their order.
  return Object.keys(sessions);
};

/** The end of what a start does comes after its answer. */
const decisions = ({ root }: HookedCarryon) =>
  vi.waitFor(() => readFile(join(root, ".claude", "sdd", "handover", "decisions.md"), "utf8"), 60_000);

describe("the beginning of a session", () => {
  it("is told the brief, is known to others and to its commands, and is written down", async () => {
    await using carryon = await openHooked(gates);
    await carryon.ask(["decide", "USER_DECISION", "SQLite", "--context", "c", "--decision", "d", ...why]);
    await carryon.live("22222222-2222-4333-8444-555555555555");
    const env = join(carryon.folder, "env.sh");
    const answer = await carryon.tell("SessionStart", { source: "startup" }, { CLAUDE_ENV_FILE: env });
    const { hookEventName, additionalContext = "" } = answer?.hookSpecificOutput ?? {};
    expect(hookEventName).toBe("SessionStart");
    for (const part of ["SQLite", "0 of 2 gates on feature/plan", "may change the same files: 22222222"])
      expect(additionalContext).toContain(part);
    expect(await readFile(env, "utf8")).toBe(`export CARRYON_SESSION=${session}\n`);
    expect(await liveIn(carryon)).toEqual(["11111111", "22222222"]);
    await vi.waitFor(async () => expect(await decisions(carryon)).toContain(`session ${session}`), 60_000);
    expect(await carryon.log()).toEqual([]);
    await carryon.tell("SessionEnd", { reason: "other" });
    expect(await liveIn(carryon)).toEqual(["22222222"]);
  });

  it("says to the user which work is restored where a conversation begins, and nothing where one goes on", async () => {
    await using carryon = await openHooked("");
    const say = async (source: string) => {
      const answer = await carryon.tell("SessionStart", { source });
      return answer?.systemMessage;
    };
    expect(await say("startup")).toBeUndefined();
    await carryon.ask(["handover", "--next", "Review the prices"]);
    expect(await say("startup")).toMatch(
      /^Carryon restored "Review the prices" \(just now\)\. Other work: .*carryon status$/,
    );
    const input = { file_path: "prices.ts", old_string: "1", new_string: "2" };
    await carryon.ask(
      ["append"],
      [
        { role: "user", text: "Add a discount to the price list and test it" },
        {
          kind: "message",
          role: "assistant",
          parts: [{ type: "tool-call", call: "c1", name: "Edit", input }],
        },
        { kind: "message", role: "tool", parts: [{ type: "tool-result", call: "c1", output: "ok" }] },
      ],
    );
    const restored =
      /^Carryon restored "Add a discount to the price list and test it" \(\w[\w ]*, just now\)\. Other work: /;
    expect(await say("clear")).toMatch(restored);
    expect([await say("resume"), await say("compact")]).toEqual([undefined, undefined]);
  });

  it("is told nothing twice where its client was started with the brief, but again after it was cleared", async () => {
    await using carryon = await openHooked("");
    const given = { CARRYON_BRIEF: "given" };
    expect(await carryon.tell("SessionStart", { source: "startup" }, given)).toEqual({});
    await vi.waitFor(async () => expect(await decisions(carryon)).toContain(`session ${session}`), 60_000);
    expect(await carryon.tell("SessionStart", { source: "clear" }, given)).toMatchObject({
      hookSpecificOutput: { additionalContext: expect.stringContaining("This is a record") },
    });
  });

  it("is listed without any gate, and outside of a branch", async () => {
    await using carryon = await openHooked("");
    await git(carryon.root, "checkout", "--quiet", "--detach");
    await carryon.tell("SessionStart", { source: "startup" });
    expect(await liveIn(carryon)).toEqual(["11111111"]);
    await decisions(carryon);
    await carryon.tell("SessionEnd", { reason: "other" });
    expect(await liveIn(carryon)).toEqual([]);
  });

  it("says that nothing can be told where Carryon fails, and the log says why", async () => {
    await using carryon = await openHooked("");
    await writeFile(join(carryon.folder, "home", "config.yaml"), "store: [");
    expect(await carryon.tell("SessionStart", { source: "startup" })).toEqual({
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: expect.stringMatching(
          /^Carryon cannot tell now what .*`carryon doctor` says why\.$/,
        ),
      },
    });
    expect(await carryon.log()).toEqual([
      expect.stringContaining("hook: Carryon had no answer to SessionStart, and ended with"),
    ]);
    await rm(join(carryon.folder, "home", "bin", "carryon.json"));
    expect(await carryon.tell("SessionStart", { source: "resume" })).toBeUndefined();
    expect(await carryon.log()).toHaveLength(1);
  });
});

describe("a tool that a gate guards", () => {
  it("is refused with the way out, and runs once the skill has run", async () => {
    await using carryon = await openHooked(gates);
    const refused = await carryon.tell("PreToolUse", edit);
    expect(refused?.hookSpecificOutput).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason:
        "The gate commit_plan is not satisfied.\nRun /plan-review, or do what it asks for and then run `carryon gate satisfy commit_plan`.",
    });
    expect(await carryon.tell("PreToolUse", skill("session:plan-review"))).toBeUndefined();
    expect(await carryon.tell("PostToolUse", skill("session:plan-review"))).toBeUndefined();
    expect(await carryon.tell("PreToolUse", { ...edit, tool_use_id: "toolu_3" })).toBeUndefined();
    expect(await carryon.tell("PostToolUse", { ...edit, tool_use_id: "toolu_3" })).toBeUndefined();
    expect(await carryon.satisfied("--session", session)).toEqual(["commit_plan"]);
    const stop = await carryon.tell("Stop", { stop_hook_active: false });
    expect(stop).toEqual({ decision: "block", reason: expect.stringContaining("wrapped_up") });
    expect(await carryon.tell("Stop", { stop_hook_active: true })).toBeUndefined();
    expect(await carryon.log()).toEqual([]);
  });

  it("is refused by the gates of its file, and of the project, wherever the client has gone", async () => {
    await using carryon = await openHooked(gates);
    const cwd = join(carryon.root, ".cache", "inner");
    await makeRepo(cwd, ["inner"]);
    const project = { CLAUDE_PROJECT_DIR: carryon.root };
    let calls = 0;
    const tell = (event: string, call: object) => {
      calls += 1;
      return carryon.tell(event, { ...call, cwd, tool_use_id: `toolu_${calls}` }, project);
    };
    const write = (folder: string) => ({
      tool_name: "Edit",
      tool_input: { file_path: join(folder, "b.txt") },
    });
    const denied = { hookSpecificOutput: { permissionDecision: "deny" } };
    expect(await tell("PreToolUse", write(carryon.root))).toMatchObject(denied);
    expect(await tell("PreToolUse", write(join(carryon.root, "new", "folder")))).toMatchObject(denied);
    await tell("PostToolUse", skill("plan-review"));
    for (const event of ["PreToolUse", "PostToolUse"])
      expect(await tell(event, write(carryon.root))).toBeUndefined();
    const stop = await tell("Stop", { stop_hook_active: false });
    expect(stop).toEqual({ decision: "block", reason: expect.stringContaining("wrapped_up") });
    expect(await carryon.log()).toEqual([]);
  });

  it("is not asked about in a project that is not trusted, until it is", async () => {
    await using carryon = await openHooked(gates);
    await carryon.call(["trust", "--revoke"]);
    expect(await carryon.tell("PreToolUse", edit)).toBeUndefined();
    await carryon.call(["trust"]);
    expect(await carryon.tell("PreToolUse", { ...edit, tool_use_id: "toolu_4" })).toBeDefined();
  });

  it("is answered once where two hooks are installed", async () => {
    await using carryon = await openHooked(gates);
    await carryon.tell("SessionStart", { source: "startup" });
    await decisions(carryon);
    const answers = await Promise.all([carryon.tell("PreToolUse", edit), carryon.tell("PreToolUse", edit)]);
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });

  it.each(["carryon-gates.cjs", "carryon-gates-base.cjs", "carryon-gates-writer.cjs"])(
    "runs where %s has gone, and is recorded",
    async (name) => {
      await using carryon = await openHooked(gates);
      await rm(join(carryon.folder, "home", "bin", name));
      expect(await carryon.tell("PreToolUse", edit)).toBeUndefined();
      expect(await carryon.log()).toHaveLength(1);
      expect(existsSync(join(carryon.folder, "home", "spool"))).toBe(false);
    },
  );
});
