import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { settingReaders } from "../../src/care/setting-readers.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { readConfig } from "../../src/workspace/read-config.ts";
import { git } from "../support/git-repo.ts";
import { runOn } from "../support/machine.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { lampScenario } from "../support/upgrade/lamp-scenario.ts";
import { openUpgradeFixture, type UpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

const openOld = (env?: Readonly<Record<string, string>>) => openUpgradeFixture("0.1.0", env);

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly title: string }[];
}

interface Brief {
  readonly parts: readonly { readonly name: string; readonly text: string }[];
}

/** Returns what 0.1.0 answered to a command. */
function recordedBy<Answer>({ manifest }: UpgradeFixture, command: string): Answer {
  return manifest.answers.find(({ args }) => args[0] === command)?.answer as Answer;
}

/** Lets Claude Code run the hook of an event as its settings say, and returns what it answers. */
async function runHook(old: UpgradeFixture, event: string, more: object): Promise<string> {
  const settings = await readFile(join(old.work, ".claude/settings.local.json"), "utf8");
  const command = JSON.parse(settings).hooks[event].at(-1).hooks[0].command;
  const payload = { hook_event_name: event, cwd: old.work, ...more };
  const machine = { cwd: old.work, path: process.env.PATH ?? "", env: old.env };
  const answer = await runOn(machine, "/bin/sh", ["-c", command], JSON.stringify(payload));
  expect([answer.code, answer.stderr]).toEqual([0, ""]);
  return answer.stdout;
}

const exclude = ".git/info/exclude";

/** What `save` and `init --documents private` tell git to leave out, which outlives `uninit` as the documents do. */
const leftBySave = `# Carryon: what it keeps here is no part of the repository, unless you want it to be.
.*.carryon-lock
/docs/sdd/handover/
/.claude/session-state.json
/.claude/session-state.broken-*.json
`;

const noted = ["tasks_told_at", "blocker_resolved_at", "recovery_command"];

/** Returns an answer without what 0.1.0 wrote into session-state.json, and the log notes now, and without its scores of hits. */
function withoutChanged(answer: unknown): unknown {
  const { hits, ...rest } = JSON.parse(
    JSON.stringify(answer, (name, value) => (noted.includes(name) ? undefined : value)),
  );
  return {
    ...rest,
    ...(hits !== undefined && {
      hits: hits.map((hit: object) => ({ ...hit, score: expect.any(Number) })),
    }),
  };
}

const readAll = (old: UpgradeFixture, paths: readonly string[]) =>
  Promise.all(paths.map((path) => readFile(join(old.work, path), "utf8")));

describe("in a home that 0.1.0 made", () => {
  it("sessions lists each with its head, title, tags and numbers, beside what nobody had taken in yet", async () => {
    await using old = await openOld();
    const { sessions } = (await old.answer(["sessions", "--json"])) as Listed;
    const { pending } = old.manifest.sessions;
    const recorded = recordedBy<Listed>(old, "sessions").sessions;
    expect(recorded).toHaveLength(11);
    expect(sessions).toMatchObject([{ id: pending, title: "Polish the brass of the lantern" }, ...recorded]);
  });

  // A later version may say more than 0.1.0 did, and never less.
  it.each([
    ...["show", "verify", "search", "decisions", "handover", "note", "load", "blocker", "check", "recovery"],
    ...["run", "gate"],
  ])("%s answers as 0.1.0 did", async (command) => {
    await using old = await openOld();
    const asked = old.manifest.answers.filter(({ args }) => args[0] === command);
    const answers = [];
    // What was the only search is the exact one by now.
    const exactly = command === "search" ? ["--exact"] : [];
    for (const { args } of asked) answers.push(await old.answer([command, ...exactly, ...args.slice(1)]));
    expect(asked).not.toEqual([]);
    expect(answers).toMatchObject(asked.map(({ answer }) => withoutChanged(answer)));
  });

  it("a draft leaves the next action and the warnings that a person gave 0.1.0", async () => {
    await using old = await openOld();
    await old.answer(["handover", "draft", "--done", "Trimmed", "--json"]);
    const [text = ""] = await readAll(old, ["docs/sdd/handover/session.md"]);
    const { doc } = parseSession(text);
    expect(doc).toMatchObject({
      ...{ mode: "auto-draft", nextAction: "Light the lamp", warnings: "- Short wick" },
      accomplished: "- The list prints\n- Trimmed",
    });
  });

  it("brief tells the next session what 0.1.0 told, and of the session that hooks saw last", async () => {
    await using old = await openOld();
    const told = (await old.answer(["brief", "--json"])) as Brief;
    const parts = recordedBy<Brief>(old, "brief").parts.map(({ name, text }) => ({ name, text }));
    const [blocker, next, ...rest] = parts.filter(({ name }) => name !== "Modified files");
    const work = {
      name: "Where the work stands",
      text: expect.stringContaining('Last request: "Polish the brass of the lantern"'),
    };
    const others = { name: "Other open work", text: expect.stringContaining("ask a helper") };
    expect(told.parts).toMatchObject([blocker, next, work, others, ...rest]);
  });

  it("verify finds every session and every record whole", async () => {
    await using old = await openOld();
    const { code, stdout } = await old.call(["verify"]);
    expect([code, stdout.split("\n").at(-2)]).toEqual([
      0,
      expect.stringMatching(/^15 sessions, \d+ entries: all whole and unchanged\.$/),
    ]);
  });

  it("every setting of config.yaml counts, and no command warns of one", async () => {
    await using old = await openOld();
    expect(await readConfig(old.home, () => settingReaders)).toMatchObject({
      remote: { url: { shown: "127.0.0.1:1/team" }, projects: ["another-project"] },
      cloud: { type: "folder", path: join(old.folder, "cloud") },
      sddDir: "docs/sdd",
      blockers: { patterns: [{ tool: "frob", type: "build_error", severity: "high", resolution: "Oil it" }] },
      recoveryAgents: { test_failure: ["qa", "code-editor"] },
      recovery: { dependency: ["npm", "ci"] },
      maxRecoveryAttempts: 2,
      models: {
        default: "anthropic/claude-sonnet-5-5",
        openai: { contextTokens: 32768 },
        prices: { "anthropic/claude-sonnet-5-5": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } },
      },
    });
    const { code, stderr } = await old.call(["status"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("sync takes in what waited in the inbox and in the spool, once", async () => {
    await using old = await openOld();
    const { pending } = old.manifest.sessions;
    expect((await old.call(["sync"])).stdout).toBe(
      "4 transcripts, 4 with something to read: 2 new entries, 1 new session.\n",
    );
    expect((await old.call(["sync"])).stdout).toBe("Nothing new in 4 transcripts.\n");
    const { entries } = (await old.answer(["show", "--json", pending])) as { entries: readonly object[] };
    expect(entries).toMatchObject([
      { event: "prompt-seen", data: { prompt: "Polish the brass of the lantern" } },
      { event: "result-seen", data: { tool: "Bash", output: { stdout: "one" } } },
      { event: "interrupted" },
    ]);
  });

  it("a deleted session stays deleted, also where an export has it", async () => {
    await using old = await openOld();
    const { deleted } = old.manifest.sessions;
    expect((await old.call(["show", deleted])).code).toBe(2);
    expect(await old.ask(["import", join(old.kept, "deleted.jsonl")])).toBe(
      `left out  ${deleted}  it was deleted here, and a deleted session does not come back\n`,
    );
  });

  it("a chat and a run go on, and the files of a round come back", async () => {
    await using model = await openModelServer(lampScenario);
    const key = { ANTHROPIC_API_KEY: "none-is-needed", ANTHROPIC_BASE_URL: model.url };
    await using old = await openOld(key);
    const chat = await old.call(["chat", "--session", "harbour"], { input: "And who sells it?\n" });
    expect([chat.code, chat.stdout]).toEqual([
      0,
      "The harbour lamp is lit by the keeper: And who sells it?\n",
    ]);
    // Entries say in which folder it worked, and no hash of theirs is changed when a fixture is unpacked.
    const resumed = await old.call(["run", "--resume", "-d", ".", "-r", "5", "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "The list is printed, and CHANGES.md says so.\n"]);
    const at = ["--session", "list-done", "--fork-at-round", "1", "-r", "1", "--worktree", "../then"];
    const forked = await old.call(["run", "--resume", ...at, "--yes"]);
    expect([forked.code, forked.stderr]).toEqual([
      0,
      expect.stringContaining("The files are as they were then: 2 files restored in <folder>/then.\n"),
    ]);
    expect(model.refusals).toEqual([]);
  });

  it("the files of a run's rounds go when the run is deleted, and those of others stay", async () => {
    await using old = await openOld();
    const runs = recordedBy<Listed>(old, "run").sessions;
    const list = async () => {
      const refs = await git(old.work, "for-each-ref", "--format=%(refname)", "refs/carryon");
      return runs.filter(({ id }) => refs.includes(`/${id}/`)).map(({ title }) => title);
    };
    expect(await list()).toEqual(["list-open", "list-open", "list-done"]);
    await old.ask(["delete", "list-done", "--yes"]);
    expect(await list()).toEqual(["list-open", "list-open"]);
  });

  it("its export and its backup bring every session to a new home", async () => {
    await using old = await openOld();
    const { sessions } = recordedBy<Listed>(old, "sessions");
    const heads = (each: Listed["sessions"]) => new Map(each.map((session) => [session.id, session]));
    for (const args of [
      ["import", "export.jsonl"],
      ["restore", "backup.db"],
    ] as const) {
      await using fresh = await openCarryon();
      await fresh.ask([args[0], join(old.kept, args[1])]);
      const listed = JSON.parse(await fresh.ask(["sessions", "--all", "--json"])) as Listed;
      expect(heads(listed.sessions)).toEqual(heads(sessions));
      expect(JSON.parse(await fresh.ask(["verify", "--json"]))).toMatchObject({ ok: true });
    }
  });
});

describe("hooks that 0.1.0 installed", () => {
  it("stay as they are when init is run again, which brings the skills that 0.1.0 did not have", async () => {
    await using old = await openOld();
    expect(await old.answer(["sync", "--json"])).toMatchObject({ failed: [] });
    const skills = ["arch-review", "plan-review"].map((name) => `.claude/skills/${name}/SKILL.md`);
    const doctor = async () => JSON.parse((await old.call(["doctor", "--json"])).stdout);
    const hint = "Run `carryon init --scope project` again.";
    const missing = skills.map((path) => `<folder>/work/${path}`).join(", ");
    const changed = "<folder>/work/.claude/skills/sdd-handover/SKILL.md";
    expect((await doctor()).problems).toEqual([
      { what: `What Carryon offers in Claude Code is not there: ${missing}.`, hint },
      { what: `What Carryon offers in Claude Code is of another version: ${changed}.`, hint },
    ]);
    // The list of what git leaves out grows by the skills.
    const settings = Object.keys(old.manifest.before).filter((path) => path !== exclude);
    const paths = [...settings, ".claude/commands/session/save.md"];
    const before = await readAll(old, paths);
    expect((await old.call(["init", "--yes", "--no-import"])).code).toBe(0);
    expect(await readAll(old, paths)).toEqual(before);
    expect(await readAll(old, skills)).toEqual([
      expect.stringContaining("name: arch-review"),
      expect.stringContaining("name: plan-review"),
    ]);
    const [handover] = await readAll(old, [".claude/skills/sdd-handover/SKILL.md"]);
    expect(handover).toContain("`--decision` and behind each its `--reason` and `--impact`");
    expect(await git(old.work, "status", "--porcelain", ".claude")).toBe("");
    expect(await doctor()).toMatchObject({ hooks: ["project"], problems: [] });
  });

  it.each([
    { when: "as 0.1.0 left them", first: [] },
    { when: "after today's init", first: ["init", "--yes", "--no-import"] },
  ])("are taken back by uninit to the last byte $when", async ({ first }) => {
    await using old = await openOld();
    if (first.length > 0) expect((await old.call(first)).code).toBe(0);
    expect((await old.call(["uninit", "--yes"])).code).toBe(0);
    const { before } = old.manifest;
    expect(await readAll(old, Object.keys(before))).toEqual(
      Object.values({ ...before, [exclude]: `${before[exclude]}${leftBySave}` }),
    );
    for (const gone of ["work/.claude/commands", "work/.claude/skills", "home/bin", "home/installs.json"])
      await expect(stat(join(old.folder, gone))).rejects.toThrow("ENOENT");
    expect((await old.call(["trust", "--list"])).stdout).toBe("");
  });

  it("record, brief and hold a session to its rules, before and after today's init", async () => {
    await using old = await openOld();
    const { killed, pending } = old.manifest.sessions;
    const edit = { tool_name: "Write", tool_input: { file_path: join(old.work, "hello.txt"), content: "" } };
    for (const prompt of ["Oil the hinge", "Paint the door"]) {
      expect(await runHook(old, "UserPromptSubmit", { session_id: pending, prompt })).toBe("");
      const refused = JSON.parse(await runHook(old, "PreToolUse", { session_id: killed, ...edit }));
      expect(refused.hookSpecificOutput).toMatchObject({
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringContaining("The gate commit_plan is not satisfied."),
      });
      expect(await runHook(old, "SessionStart", { session_id: pending, source: "startup" })).toContain(
        "Light the lamp",
      );
      expect(await old.ask(["show", pending])).toContain(prompt);
      await old.call(["init", "--yes", "--no-import"]);
    }
  });

  it("show the user which work a new session begins with", async () => {
    await using old = await openOld();
    await old.call(["sync"]);
    const answer = await runHook(old, "SessionStart", { session_id: "a-new-one", source: "startup" });
    expect(JSON.parse(answer)).toMatchObject({
      systemMessage: expect.stringMatching(
        /^Carryon restored "Polish the brass of the lantern" \(interrupted, .* ago\)\. Other work: .*carryon status$/,
      ),
      hookSpecificOutput: { additionalContext: expect.stringContaining("Light the lamp") },
    });
  });

  it("come with a server and a launcher that start today's program", async () => {
    await using old = await openOld();
    const { mcpServers } = JSON.parse(await readFile(join(old.work, ".mcp.json"), "utf8"));
    const machine = { cwd: old.work, path: "/usr/bin:/bin", env: old.env };
    const { code, stdout } = await runOn(machine, mcpServers.carryon.command, ["--version"]);
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect([code, stdout, mcpServers.carryon.args]).toEqual([0, `${version}\n`, ["mcp"]]);
  });
});
