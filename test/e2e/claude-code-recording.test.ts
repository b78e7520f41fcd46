import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { openRecordedClaude, settingsOf } from "../support/recorded-claude.ts";

const tools = ["--allowedTools", "Bash Write Agent"];

const hello = [
  "user text",
  "assistant thinking",
  "assistant text",
  "assistant tool-call Bash",
  "tool tool-result",
  "assistant tool-call Write",
  "tool tool-result",
  "assistant text",
];

describe.each(["2.1.325", "2.1.197"])("a session of Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("is recorded whole, with its tools", async () => {
    await using recorded = await openRecordedClaude(version);
    const { result } = await recorded.claude.run("make the hello file", tools);
    expect(await recorded.sessions()).toMatchObject([
      {
        title: "make the hello file",
        client: "claude-code",
        status: "ended",
        clientSessionId: result?.session_id,
        forkedFrom: null,
      },
    ]);
    expect(await recorded.outline("latest")).toEqual(hello);
    expect(await recorded.carryon("verify")).toContain("all whole and unchanged");
  });

  it("is there up to its last hook when it is killed in the middle of a turn, and goes on", async () => {
    await using recorded = await openRecordedClaude(version);
    const { claude, server } = recorded;
    const id = randomUUID();
    await using running = claude.start("work slowly", ["--session-id", id, ...tools]);
    await server.waitFor(({ rule, step }) => rule === "work slowly" && step === 1);
    // Claude Code writes its transcript a moment after it acts.
    const transcript = async () => JSON.stringify(await claude.readTranscript(id));
    await expect.poll(transcript, { timeout: 60_000 }).toContain('"tool_result"');
    running.kill("SIGKILL");
    await running.ended();
    expect(await recorded.sessions()).toMatchObject([
      { title: "work slowly", status: "interrupted", clientSessionId: id },
    ]);
    // The first is its title.
    expect((await recorded.carryon("show", "latest")).match(/work slowly|echo begun/g)).toEqual([
      "work slowly",
      "work slowly",
      "echo begun",
    ]);
    expect(await recorded.carryon("resume", "latest", "--print")).toContain(`claude --resume=${id}`);
    await claude.run("never mind", [`--resume=${id}`]);
    expect(await recorded.sessions()).toMatchObject([
      { title: "work slowly", status: "ended", clientSessionId: id },
    ]);
    const outline = await recorded.outline("latest");
    expect([outline.slice(0, 3), outline.at(-1)]).toEqual([
      ["user text", "assistant tool-call Bash", "tool tool-result"],
      "assistant text",
    ]);
  });

  it("is read and resumed from a folder that only the client was told of", async () => {
    await using recorded = await openRecordedClaude(version, { config: "alt" });
    const { result } = await recorded.claude.run("make the hello file", tools);
    const id = result?.session_id ?? "";
    expect(await recorded.sessions()).toMatchObject([{ status: "ended", clientSessionId: id }]);
    expect(await recorded.outline("latest")).toEqual(hello);
    const alt = join(recorded.claude.home, "..", "alt");
    expect(await recorded.carryon("resume", "latest", "--print")).toBe(
      `cd ${await realpath(recorded.claude.cwd)} && CLAUDE_CONFIG_DIR=${alt} claude --resume=${id}\n`,
    );
    await using running = recorded.claude.start("work slowly", [`--resume=${id}`, ...tools]);
    await recorded.server.waitFor(({ rule, step }) => rule === "work slowly" && step === 1);
    expect(await recorded.sessions()).toMatchObject([{ status: "open", clientSessionId: id }]);
    running.kill("SIGKILL");
    await running.ended();
    expect(await recorded.sessions()).toMatchObject([{ status: "interrupted", clientSessionId: id }]);
  });

  it("is linked to the one that it was forked from", async () => {
    await using recorded = await openRecordedClaude(version);
    const { result } = await recorded.claude.run("make the hello file", tools);
    const origin = result?.session_id ?? "";
    const fork = await recorded.claude.run("go elsewhere", [`--resume=${origin}`, "--fork-session"]);
    const [newest, oldest, ...others] = await recorded.sessions();
    expect(others).toEqual([]);
    expect([oldest, newest]).toMatchObject([
      { clientSessionId: origin, forkedFrom: null },
      { clientSessionId: fork.result?.session_id, forkedFrom: { session: oldest?.id } },
    ]);
    expect(await recorded.outline(newest?.id ?? "")).toEqual([...hello, "user text", "assistant text"]);
    expect(await recorded.outline(oldest?.id ?? "")).toEqual(hello);
  });

  it("is whole when its client has compacted it", async () => {
    await using recorded = await openRecordedClaude(version);
    const { result } = await recorded.claude.run("make the hello file", tools);
    const id = result?.session_id ?? "";
    await recorded.claude.run("/compact", [`--resume=${id}`]);
    await recorded.claude.run("go on from there", [`--resume=${id}`]);
    expect(await recorded.sessions()).toMatchObject([{ clientSessionId: id, status: "ended" }]);
    const outline = await recorded.outline("latest");
    expect([outline.slice(0, hello.length), outline.filter((line) => line === "summary")]).toEqual([
      hello,
      ["summary"],
    ]);
  });

  it("has a strand for its subagent", async () => {
    await using recorded = await openRecordedClaude(version);
    await recorded.claude.run("ask a helper", tools);
    const { entries } = JSON.parse(await recorded.carryon("show", "latest", "--json"));
    const strands = new Set<string>(entries.map((entry: { strand: string }) => entry.strand));
    const [helper = ""] = [...strands].filter((strand) => strand !== "main" && strand !== "hooks");
    expect(await recorded.outline("latest", helper)).toEqual([
      "user text",
      "assistant tool-call Bash",
      "tool tool-result",
      "assistant text",
    ]);
  });

  it("is not mixed with another one in the same repository at the same time", async () => {
    await using recorded = await openRecordedClaude(version);
    const prompts = ["make the hello file", "ask a helper"];
    await Promise.all(prompts.map((prompt) => recorded.claude.run(prompt, tools)));
    const sessions = await recorded.sessions();
    expect(sessions.map(({ title, status }) => [title, status]).toSorted()).toEqual([
      ["ask a helper", "ended"],
      ["make the hello file", "ended"],
    ]);
    const hellos = sessions.find(({ title }) => title === "make the hello file");
    expect(await recorded.outline(hellos?.id ?? "")).toEqual(hello);
  });

  it("runs on a terminal without a complaint, and nothing is left of it after uninit", async () => {
    await using recorded = await openRecordedClaude(version);
    await using tui = await recorded.claude.tui(["--allowedTools", "Bash"]);
    await tui.type("work on");
    await tui.press("Enter");
    expect(await tui.waitFor("Understood.")).not.toMatch(/error|carryon:/i);
    await tui.type("/exit");
    await tui.waitFor("/exit");
    await tui.press("Enter");
    expect(await tui.ended()).toBe(0);
    expect(await recorded.sessions()).toMatchObject([{ title: "work on", status: "ended" }]);
    await recorded.carryon("uninit", "--yes");
    // What the session has written down is the user's own, and no commit has it.
    const left = (await recorded.gitStatus()).split("\n").filter((line) => !/^!! \.claude\/sdd\//.test(line));
    expect([left.join("\n"), existsSync(settingsOf(recorded))]).toEqual([recorded.before, false]);
  });
});
