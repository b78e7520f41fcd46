import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { syncClient } from "../../src/recording/sync-client.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { readShown } from "../../src/sessions/observations.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { installClient } from "../support/clients/install-client.ts";
import { type Claude, openClaude } from "../support/clients/open-claude.ts";
import { collect } from "../support/entries.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openHook, type TestHook } from "../support/open-hook.ts";

const events = [
  ...["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"],
  ...["SubagentStop", "PreCompact", "Stop", "SessionEnd"],
];

/** Settings that run our hook at every event. */
function settingsOf({ bundle }: TestHook): readonly string[] {
  const command = `'${process.execPath}' '${bundle}'`;
  const hooks = Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]),
  );
  return ["--settings", JSON.stringify({ hooks })];
}

async function sync(claude: Claude, { home }: TestHook) {
  return syncClient({ home, client: `${claude.home}/.claude`, machine: "here", now: new Date() });
}

/** Returns the sessions of the store by id, each with what is shown of it in few words. */
async function readAll({ home }: TestHook) {
  await using store = await openStore(home);
  const { sessions } = await store.log.list({ limit: 100 });
  const shown = sessions.map(async (session) => {
    expect(await store.log.verify(session.id)).toMatchObject({ problem: null });
    const entries = await collect(readShown(store.log, session.id));
    return [session.id, { ...session, shown: entries.map(describeEntry) }] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

async function holdsResult(claude: Claude, session: string): Promise<boolean> {
  return JSON.stringify(await claude.readTranscript(session)).includes('"tool_result"');
}

function describeEntry(entry: Entry): string {
  const what = entry.kind === "message" ? `${entry.role} ${entry.parts.map(({ type }) => type)}` : entry.kind;
  return [
    ...(entry.strand.startsWith("agent-") ? ["agent"] : []),
    entry.kind === "event" ? entry.event : what,
  ].join(" ");
}

describe.each(["2.1.325", "2.1.197"])("sync of what Claude Code %s and its hooks leave", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("has a session whole and once, goes on in it, and links its fork", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    await using hook = await openHook();
    const settings = settingsOf(hook);
    const { result } = await claude.run("make the hello file", ["--allowedTools", "Bash Write", ...settings]);
    const session = result?.session_id ?? "";
    expect(await sync(claude, hook)).toMatchObject({ sessions: 1, failed: [], rejected: [], orphans: [] });
    const first = (await readAll(hook))[session];
    const hello = [
      ...["user text", "assistant thinking", "assistant text", "assistant tool-call", "tool tool-result"],
      ...["assistant tool-call", "tool tool-result,other", "assistant text"],
    ];
    expect(first?.shown.filter((each) => each !== "context")).toEqual([...hello, "ended"]);
    expect(first?.status).toBe("ended");
    expect(await sync(claude, hook)).toMatchObject({ added: 0, items: 0, changed: 0 });
    await claude.run("go on", ["--resume", session, ...settings]);
    const fork = await claude.run("go elsewhere", ["--resume", session, "--fork-session", ...settings]);
    const forked = fork.result?.session_id ?? "";
    expect(await sync(claude, hook)).toMatchObject({ sessions: 1, forks: 1, failed: [], orphans: [] });
    const all = await readAll(hook);
    expect(new Set(Object.keys(all))).toEqual(new Set([session, forked]));
    expect(all[session]).toMatchObject({ status: "ended", messages: 10 });
    expect(all[forked]).toMatchObject({ status: "ended", messages: 12, forkedFrom: { session } });
    const doubles = Object.values(all).flatMap(({ shown }) => shown.filter((each) => each.endsWith("-seen")));
    expect(doubles).toEqual([]);
  });

  it("shows a turn that was killed, and that it was interrupted, until it goes on", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    await using hook = await openHook();
    const session = randomUUID();
    const flags = ["--allowedTools", "Bash", ...settingsOf(hook)];
    await using running = claude.start("work slowly", ["--session-id", session, ...flags]);
    await server.waitFor(({ rule, step }) => rule === "work slowly" && step === 1);
    await sync(claude, hook);
    expect((await readAll(hook))[session]?.status).toBe("open");
    // Claude Code writes its transcript a moment after it acts; what it did not write, hooks alone have seen.
    await expect.poll(() => holdsResult(claude, session), { timeout: 60_000 }).toBe(true);
    running.kill("SIGKILL");
    await running.ended();
    await sync(claude, hook);
    const killed = (await readAll(hook))[session];
    expect(killed?.status).toBe("interrupted");
    const words = killed?.shown
      .filter((each) => each !== "context")
      .map((each) => each.replace("user text", "prompt-seen"));
    expect(words?.filter((each) => each === "prompt-seen")).toEqual(["prompt-seen"]);
    await claude.run("never mind", ["--resume", session, ...flags]);
    await sync(claude, hook);
    const after = (await readAll(hook))[session];
    expect([after?.status, after?.shown.at(-1)]).toEqual(["ended", "ended"]);
    expect(after?.shown.filter((each) => each.endsWith("-seen"))).toEqual([]);
  });

  it("has subagents on strands of their own, the summary of a compaction, and a fork after it", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    await using hook = await openHook();
    const flags = ["--allowedTools", "Bash Agent", ...settingsOf(hook)];
    const { result } = await claude.run("ask a helper", flags);
    const session = result?.session_id ?? "";
    for (const prompt of ["go on", "/compact", "go on from there"])
      await claude.run(prompt, ["--resume", session, ...flags]);
    expect(await sync(claude, hook)).toMatchObject({ sessions: 1, transcripts: 2, failed: [], orphans: [] });
    const { shown = [] } = (await readAll(hook))[session] ?? {};
    expect(shown.filter((each) => each.startsWith("agent") && !each.endsWith("context"))).toEqual([
      ...["agent user text", "agent assistant tool-call", "agent tool tool-result", "agent assistant text"],
    ]);
    expect(shown.filter((each) => each === "summary")).toEqual(["summary"]);
    expect(shown.filter((each) => each.endsWith("-seen"))).toEqual([]);
    // The client copies only the summary and what follows it; the fork has what came before from its origin.
    const fork = await claude.run("go elsewhere", ["--resume", session, "--fork-session", ...flags]);
    expect(await sync(claude, hook)).toMatchObject({ sessions: 1, forks: 1, failed: [], orphans: [] });
    const { [session]: origin, [fork.result?.session_id ?? ""]: forked } = await readAll(hook);
    const prompts = (of: typeof origin) => of?.shown.filter((each) => each === "user text").length ?? 0;
    expect([forked?.forkedFrom?.session, prompts(forked)]).toEqual([session, prompts(origin) + 1]);
  });
});
