import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerForGates } from "../../../src/gates/answer-for-gates.ts";
import type { WireHook } from "../../../src/gates/answer-hook.ts";
import type { ClientSession } from "../../../src/gates/gate-site.ts";
import { locateBehind, locateHeld } from "../../../src/gates/held/held-rules.ts";
import { releaseTree } from "../../../src/gates/hold-desk.ts";
import { type PassEvent, readPass, usePass } from "../../../src/gates/pass.ts";
import { readMetrics } from "../../../src/gates/state/read-metrics.ts";
import { git, gitEnv, makeRepo } from "../../support/git-repo.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const plan = "  commit_plan: { enabled: true, auto_resolve_skill: plan-review }\n";
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const ahead = (tool: string): WireHook => ({
  ...{ hook_event_name: "PreToolUse", tool_name: tool },
  tool_input: { file_path: "a", command: "touch a" },
});
const done = (tool: string) => ({ ...ahead(tool), hook_event_name: "PostToolUse" });
const stop = { hook_event_name: "Stop", stop_hook_active: false };

/** A session in a folder of a repository with gates, which has satisfied them by a skill and edited a file since. */
async function openSession(dir: TempDir, gates = plan) {
  const root = dir.join("repo");
  const cwd = join(root, "src", "shop");
  await makeRepo(root, ["first"]);
  await git(root, "switch", "--quiet", "--create", "topic");
  for (const folder of [cwd, join(root, ".claude"), dir.join("client"), dir.join("home")]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(root, ".claude", "requirements.yaml"), `requirements:\n${gates}`);
  const client: ClientSession = {
    ...{ cwd, session: "cad0ac4d-3933-45ad-9a1c-14aec05bb940", env: gitEnv },
    ...{ home: dir.join("home"), clientFolder: dir.join("client") },
    clock: { now: () => new Date() },
    process: { pid: process.pid, client: process.pid },
    askTrust: async () => true,
    tell: ({ path, problem }) => {
      throw new Error(`${path} ${problem}`);
    },
  };
  const tell = (event: WireHook) => answerForGates(client, event);
  const skill = { hook_event_name: "PostToolUse", tool_name: "Skill", tool_input: { skill: "plan-review" } };
  await tell(skill);
  for (const event of [ahead("Edit"), done("Edit")]) await tell(event);
  /** What has just changed may change again in the same moment, so that a pass counts a moment later. */
  const settle = () =>
    expect
      .poll(
        async () => {
          await tell(ahead("Edit"));
          return readPass(client, new Date()) !== undefined;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  const passes = (event: PassEvent, now = new Date()) => usePass(client, event, now);
  return { client, root, cwd, tell, settle, passes };
}

describe("the pass of a session whose gates are satisfied", () => {
  it("answers for the gates as they would", async () => {
    await using dir = await tempDir();
    const { client, root, settle, passes } = await openSession(dir);
    await settle();
    const quick = [ahead("Edit"), done("Edit"), ahead("Bash"), done("Bash"), ahead("Read"), stop];
    expect(quick.map((event) => passes(event))).toEqual(quick.map(() => true));
    const asked = [ahead("Skill"), done("Skill"), { hook_event_name: "SessionEnd" }];
    expect(asked.map((event) => passes(event))).toEqual(asked.map(() => false));
    const place = { folder: join(root, ".git", "requirements") };
    const { metrics } = readMetrics(place, client.session.slice(0, 8));
    expect(metrics.tools).toEqual({ Edit: 2 });
  });

  it("is nobody else's, and does not last", async () => {
    await using dir = await tempDir();
    const { client, settle, passes } = await openSession(dir);
    await settle();
    expect([passes(ahead("Edit"), later(9)), passes(ahead("Edit"), later(11))]).toEqual([true, false]);
    expect(passes(ahead("Edit"), later(-1))).toBe(false);
    const others = [
      { session: "dad0ac4d-3933-45ad-9a1c-14aec05bb940" },
      { cwd: join(client.cwd, "..") },
      { clientFolder: dir.join("home") },
    ];
    const used = others.map((other) => usePass({ ...client, ...other }, ahead("Edit"), new Date()));
    expect(used).toEqual([false, false, false]);
  });

  it.each<{ what: string; change: (places: Places) => unknown }>([
    { what: "the gates of the project", change: ({ root }) => appendFileSync(gatesOf(root), "# new\n") },
    {
      what: "the gates of the work tree, which were none",
      change: ({ root }) =>
        writeFileSync(join(root, ".claude", "requirements.local.yaml"), "enabled: true\n"),
    },
    {
      what: "the gates of the user, which were none",
      change: ({ client }) =>
        writeFileSync(join(client.clientFolder, "requirements.yaml"), "enabled: true\n"),
    },
    {
      what: "which projects are trusted",
      change: ({ client }) => writeFileSync(join(client.home, "trust.json"), "{}"),
    },
    { what: "the branch", change: ({ root }) => git(root, "switch", "--quiet", "--create", "other") },
    { what: "the settings of git", change: ({ root }) => git(root, "config", "core.bare", "false") },
    {
      what: "the repository, by one around the folder",
      change: ({ root }) => makeRepo(join(root, "src"), ["inner"]),
    },
    {
      what: "the folder itself",
      change: ({ cwd }) => {
        renameSync(cwd, `${cwd}-old`);
        mkdirSync(cwd);
      },
    },
    {
      what: "what another session satisfied",
      change: ({ client }) =>
        answerForGates({ ...client, session: "dad0ac4d-3933-45ad-9a1c-14aec05bb940" }, done("Edit")),
    },
    {
      what: "what the session is held to",
      change: ({ client, root }) => releaseTree({ home: client.home, root }),
    },
    {
      what: "what a command has left running",
      change: ({ client, root }) => writeFileSync(locateBehind({ ledger: locateHeld(client), root }), ""),
    },
    {
      what: "what the user typed",
      change: ({ client }) =>
        answerForGates(client, { hook_event_name: "UserPromptExpansion", command_name: "plan-review" }),
    },
  ])("ends with a change of $what", async ({ change }) => {
    await using dir = await tempDir();
    const session = await openSession(dir);
    await session.settle();
    expect(session.passes(stop)).toBe(true);
    await change(session);
    expect([ahead("Edit"), stop].map((event) => session.passes(event))).toEqual([false, false]);
  });
});

type Places = Awaited<ReturnType<typeof openSession>>;

const gatesOf = (root: string) => join(root, ".claude", "requirements.yaml");

describe("what a session gets a pass for", () => {
  it.each([
    { what: "an edit that a gate refuses", gates: "  other: { enabled: true }\n", free: ["Read"] },
    {
      what: "a branch that is measured",
      gates: `${plan}  size: { enabled: true, type: dynamic, calculator: branch_size, thresholds: { block: 9 } }\n`,
      free: ["Read"],
    },
    {
      what: "commits that each need a review",
      gates: `${plan}  review: { enabled: true, scope: single_use, trigger_tools: [{ tool: Bash, command_pattern: git commit }] }\n`,
      free: ["Edit", "Write", "Read", "Stop"],
    },
    {
      what: "a branch that is protected, and another is checked out",
      gates: `${plan}  not_main: { enabled: true, type: guard, guard_type: protected_branch, protected_branches: [main], trigger_tools: [Write] }\n`,
      free: ["Edit", "Read", "Stop"],
    },
  ])("leaves out $what", async ({ gates, free }) => {
    await using dir = await tempDir();
    const { client, tell, passes } = await openSession(dir, gates);
    await expect
      .poll(
        async () => {
          await tell(ahead("Read"));
          return readPass(client, new Date()) !== undefined;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    const events = [...["Edit", "Write", "Bash", "Read"].map(ahead), stop];
    const names = ["Edit", "Write", "Bash", "Read", "Stop"];
    expect(names.filter((_, index) => passes(events[index] ?? stop))).toEqual(free);
  });

  it("leaves out what expires before it would", async () => {
    await using dir = await tempDir();
    const { root, tell, passes, settle } = await openSession(dir);
    const path = join(root, ".git", "requirements", "topic.json");
    const expiring = readFileSync(path, "utf8").replaceAll(
      /"expires_at": ?[^,}\n]+/g,
      `"expires_at": ${Math.floor(later(5).getTime() / 1000)}`,
    );
    expect(expiring).not.toBe(readFileSync(path, "utf8"));
    writeFileSync(path, expiring);
    await settle();
    expect([passes(ahead("Edit")), passes(ahead("Bash")), passes(stop)]).toEqual([false, false, false]);
    expect(await tell(ahead("Edit"))).toEqual({ type: "nothing" });
  });
});
