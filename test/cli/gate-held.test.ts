import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerForGates } from "../../src/gates/answer-for-gates.ts";
import type { WireHook } from "../../src/gates/answer-hook.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type GatedCarryon, openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const session = "11111111-2222-4333-8444-555555555555";
const agent = { env: { CLAUDECODE: "1", CARRYON_SESSION: session } };
const local = "work/.claude/requirements.local.yaml";
const onlyPlan = "requirements: { commit_plan: { enabled: true } }\n";

/** Asks as a hook does whether the session may edit a file; all that is trusted is. */
async function edits(carryon: GatedCarryon): Promise<boolean> {
  return (await askEdit(carryon)).type === "nothing";
}

const edit = { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: "a" } };

function askEdit(carryon: GatedCarryon, clock = systemClock) {
  return tell(carryon, session, edit, clock);
}

function tell({ folder, root: cwd, env }: GatedCarryon, id: string, wire: WireHook, clock = systemClock) {
  const client = {
    ...{ cwd, session: id, env, clock, home: join(folder, "home") },
    ...{ clientFolder: join(folder, ".claude"), process: { pid: process.pid, client: process.pid } },
    askTrust: async () => true,
    tell: () => undefined,
  };
  return answerForGates(client, wire);
}

/** A repository with gates that a session was held to, before its files were changed past them. */
async function openHeld(changed: string, gates = onlyPlan) {
  const carryon = await openGated({ gates });
  expect(await edits(carryon)).toBe(false);
  await carryon.write(local, changed);
  expect(await edits(carryon)).toBe(false);
  return carryon;
}

describe("carryon gate, for a session whose gates were changed past them", () => {
  it("shows what the session is held to, and that the files say something else", async () => {
    await using carryon = await openHeld("enabled: false\n");
    const { gates, problems } = JSON.parse(
      (await carryon.call(["gate", "--json", "--session", session])).stdout,
    );
    expect(gates.map(({ name }: { name: string }) => name)).toEqual(["commit_plan"]);
    expect(problems).toEqual([
      {
        path: "<folder>/work/.claude/requirements.local.yaml",
        line: null,
        problem: `or another file of the gates has changed, and session ${session} goes on with what counted when it began`,
        hint: "It counts once all gates are satisfied, at the next beginning, or when a person runs `carryon gate reload`.",
      },
    ]);
    // For nobody's session it is what the files say.
    expect(JSON.parse((await carryon.call(["gate", "--json"])).stdout).gates).toEqual([]);
  });

  it("names the file that has changed, and the refusal says what lets it count", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    const reload = "when a person runs `carryon gate reload` in a terminal.";
    expect(await askEdit(carryon)).toEqual({ type: "deny", reason: expect.not.stringContaining(reload) });
    await carryon.write("work/.claude/requirements.yaml", onlyPlan.replace("commit_plan", "review"));
    const { stdout } = await carryon.call(["gate", "--json", "--session", session]);
    const [{ path }] = JSON.parse(stdout).problems;
    expect(path).toBe("<folder>/work/.claude/requirements.yaml");
    // What was refused just now is said in short.
    expect(await askEdit(carryon, { now: () => new Date(Date.now() + 60_000) })).toEqual({
      type: "deny",
      reason: expect.stringContaining(
        `commit_plan\`.\n\nThe files of the gates have changed since this session began; what they say now counts for it ${reload}`,
      ),
    });
  });

  it("says nothing where the files say the same as before", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    expect(await edits(carryon)).toBe(false);
    await carryon.write("work/.claude/requirements.yaml", `# The same.\n${onlyPlan}`);
    const { stdout } = await carryon.call(["gate", "--json", "--session", session]);
    expect(JSON.parse(stdout).problems).toEqual([]);
  });

  it("shows the gates of the branch that it has left", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    expect(await edits(carryon)).toBe(false);
    await git(carryon.root, "checkout", "--quiet", "--detach");
    expect(await edits(carryon)).toBe(false);
    const { stdout } = await carryon.call(["gate", "--session", session]);
    expect(stdout).toContain("is detached, and the session is held to the gates of feature/plan");
    expect(stdout).toContain("commit_plan");
    expect((await carryon.call(["gate", "satisfy", "commit_plan"], agent)).code).toBe(0);
    expect(await edits(carryon)).toBe(true);
  });

  it("satisfies a gate of which the files know nothing any more", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    expect(await edits(carryon)).toBe(false);
    await carryon.write("work/.claude/requirements.yaml", "requirements: {}\n");
    expect((await carryon.call(["gate", "satisfy", "commit_plan"], agent)).code).toBe(0);
    expect(await edits(carryon)).toBe(true);
  });

  it.each([
    { who: "itself", env: agent.env },
    { who: "whoever it is", env: { CLAUDECODE: "1" } },
  ])(
    "keeps what only a person may allow for people, whatever the files call it: said for $who",
    async ({ env }) => {
      const size =
        "requirements: { size: { enabled: true, type: dynamic, calculator: branch_size, thresholds: { block: 1 } }, plan: { enabled: true } }\n";
      await using carryon = await openHeld("requirements: { size: { type: blocking } }\n", size);
      const { code, stderr } = await carryon.call(["gate", "satisfy", "size", "--branch", "--json"], { env });
      expect([code, JSON.parse(stderr).error.code]).toEqual([2, "needs-person"]);
    },
  );
});

describe("a person", () => {
  it("lets what the files say count in a session that runs; an agent does not", async () => {
    await using carryon = await openHeld("enabled: false\n");
    expect((await carryon.call(["gate", "reload"], agent)).code).toBe(2);
    expect(await edits(carryon)).toBe(false);
    expect(await carryon.call(["gate", "reload"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "What the files of the gates say counts from the next step on: 1 session.\n",
    });
    expect(await edits(carryon)).toBe(true);
    expect((await carryon.call(["gate", "reload"])).stderr).toBe("No session is held to anything else.\n");
  });

  it.each([["pause"], ["disable", "commit_plan"]])("turns gates off at once: %s", async (...words) => {
    await using carryon = await openGated({ gates: onlyPlan });
    expect(await edits(carryon)).toBe(false);
    expect((await carryon.call(["gate", ...words])).code).toBe(0);
    expect(await edits(carryon)).toBe(true);
  });

  it("is not spoken for by an agent that turns a gate on in a file which it has changed", async () => {
    await using carryon = await openHeld("enabled: false\n");
    expect((await carryon.call(["gate", "enable", "commit_plan"], agent)).code).toBe(0);
    expect(await edits(carryon)).toBe(false);
  });
});

describe("carryon gate pause --until-end", () => {
  const other = "22222222-2222-4333-8444-555555555555";
  const events = [edit, { ...edit, hook_event_name: "PostToolUse" }, { hook_event_name: "Stop" }];

  /** Returns what a session is told at an edit, after it and at a stop. */
  async function meet(carryon: GatedCarryon, id: string): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const event of events) answers.push((await tell(carryon, id, event)).type);
    return answers;
  }

  it("lets one session do everything, and no other, until it ends", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    const unhindered = events.map(() => "nothing");
    const held = ["deny", "nothing", "hold"];
    expect([await meet(carryon, session), await meet(carryon, other)]).toEqual([held, held]);
    const { code, stderr } = await carryon.call(["gate", "pause", "--until-end", "--session", session]);
    expect([code, stderr]).toEqual([0, `The gates refuse nothing in session ${session} until it ends.\n`]);
    expect([await meet(carryon, session), await meet(carryon, other)]).toEqual([unhindered, held]);
    const { inert } = JSON.parse((await carryon.call(["gate", "--json", "--session", session])).stdout);
    expect(inert).toContain(`The gates are paused for session ${session} until it ends`);
    await tell(carryon, session, { hook_event_name: "SessionEnd" });
    await tell(carryon, session, { hook_event_name: "SessionStart", source: "resume" });
    expect(await meet(carryon, session)).toEqual(held);
  });

  it("is ended by unpause, which an agent may run as well", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    expect(await edits(carryon)).toBe(false);
    expect((await carryon.call(["gate", "pause", "--until-end", "--session", session])).code).toBe(0);
    expect(await edits(carryon)).toBe(true);
    const unpaused = await carryon.call(["gate", "unpause", "--json"], agent);
    expect([unpaused.code, JSON.parse(unpaused.stdout)]).toEqual([0, { changed: true }]);
    expect(await edits(carryon)).toBe(false);
  });

  it("needs a session, and --session needs it", async () => {
    await using carryon = await openGated({ gates: onlyPlan });
    for (const [args, error] of [
      [["--until-end"], "no-live-session"],
      [["--session", session], "bad-gate-request"],
    ] as const) {
      const { code, stderr } = await carryon.call(["gate", "pause", ...args, "--json"]);
      expect([code, JSON.parse(stderr).error.code]).toEqual([2, error]);
    }
  });
});
