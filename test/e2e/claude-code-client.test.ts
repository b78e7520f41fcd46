import { randomUUID } from "node:crypto";
import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { makeHello } from "../support/clients/make-hello.ts";
import { openClaude, type TranscriptRow } from "../support/clients/open-claude.ts";
import { blocksOf } from "../support/model-server/anthropic/wire.ts";
import { openModelServer, type SeenRequest } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { toolResultsOf } from "../support/model-server/tool-results.ts";

/** Returns who said what kind of thing in a transcript, in order. */
function outline(rows: readonly TranscriptRow[]): readonly string[] {
  return rows
    .filter(({ type }) => type === "user" || type === "assistant")
    .flatMap(({ type, message }) =>
      blocksOf(message?.content ?? []).map((block) =>
        [type, block.type, block.name].filter(Boolean).join(" "),
      ),
    );
}

/** Puts each row behind its parent: on a terminal the client may write the prompt after the answer to it, and date it so. */
function behindParents(rows: readonly TranscriptRow[]): readonly TranscriptRow[] {
  const left = rows.filter(({ uuid }) => typeof uuid === "string");
  const ordered: TranscriptRow[] = [];
  while (left.length > 0) {
    const next = left.findIndex(({ parentUuid }) => !left.some(({ uuid }) => uuid === parentUuid));
    ordered.push(...left.splice(Math.max(0, next), 1));
  }
  return ordered;
}

/** Returns what was asked of the model, without requests that no rule could be for. */
function asked(requests: readonly SeenRequest[]): readonly string[] {
  return requests
    .filter(({ method }) => method === "POST")
    .map(({ status, rule, step }) => `${status} ${rule ?? "otherwise"} ${step}`);
}

const hello = [
  "user text",
  "assistant thinking",
  "assistant text",
  "assistant tool_use Bash",
  "user tool_result",
  "assistant tool_use Write",
  "user tool_result",
  "assistant text",
];

describe.each(["2.1.325", "2.1.197"])("Claude Code %s with a scripted model", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("uses tools, and writes what was said and done to its transcript", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    const { result } = await makeHello(claude);
    expect(await readFile(join(claude.cwd, "hello.txt"), "utf8")).toBe("hello\n");
    const rows = await claude.readTranscript(result?.session_id ?? "");
    expect(outline(rows)).toEqual(hello);
    expect(rows.find(({ type }) => type === "assistant")).toMatchObject({ version });
    expect(asked(server.requests)).toEqual([0, 1, 2].map((step) => `200 make the hello file ${step}`));
    expect(toolResultsOf(server.requests.at(-1)?.body)).toEqual([
      await realpath(claude.cwd),
      expect.stringContaining("created successfully"),
    ]);
  });

  it("resumes, forks, compacts, and asks a subagent", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    const { result } = await claude.run("ask a helper", ["--allowedTools", "Bash Agent"]);
    const session = result?.session_id ?? "";
    expect(
      await readdir(join((await claude.locateTranscript(session)).replace(/\.jsonl$/, ""), "subagents")),
    ).toEqual([
      expect.stringMatching(/^agent-\w+\.jsonl$/),
      expect.stringMatching(/^agent-\w+\.meta\.json$/),
    ]);
    await claude.run("go on", ["--resume", session]);
    const fork = await claude.run("go elsewhere", ["--resume", session, "--fork-session"]);
    expect(fork.result?.session_id).not.toBe(session);
    await claude.run("/compact", ["--resume", session]);
    await claude.run("go on from there", ["--resume", session]);
    expect((await claude.readTranscript(session)).filter((row) => row.isCompactSummary)).toHaveLength(1);
    expect(asked(server.requests)).toEqual([
      "200 ask a helper 0",
      "200 count the files 0",
      "200 count the files 1",
      "200 ask a helper 1",
      "200 otherwise 0",
      "200 otherwise 0",
      "200 create a detailed summary of the conversation 0",
      "200 otherwise 0",
    ]);
  });

  it("can be killed in the middle of a turn and resumed", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    const session = randomUUID();
    await using running = claude.start("work slowly", ["--session-id", session, "--allowedTools", "Bash"]);
    await server.waitFor(({ rule, step }) => rule === "work slowly" && step === 1);
    // Claude Code writes its transcript a moment after it acts.
    const recorded = async () => outline(await claude.readTranscript(session));
    await expect.poll(recorded, { timeout: 60_000 }).toContain("user tool_result");
    running.kill("SIGKILL");
    expect((await running.ended()).exit).toBe("SIGKILL");
    expect(await recorded()).toEqual(["user text", "assistant tool_use Bash", "user tool_result"]);
    const { result } = await claude.run("never mind", ["--resume", session]);
    expect(result).toMatchObject({ result: "Understood.", session_id: session });
  });

  it("talks to a person on a terminal", async () => {
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server });
    await using tui = await claude.tui(["--allowedTools", "Bash"]);
    await tui.type("make the hello file");
    await tui.press("Enter");
    await tui.waitFor("Do you want to create hello.txt?");
    await tui.pressUntil("Enter", "The file is there.");
    await tui.type("/exit");
    await tui.waitFor("/exit");
    await tui.press("Enter");
    expect(await tui.ended()).toBe(0);
    const [transcript = ""] = await readdir(join(claude.home, ".claude/projects"), { recursive: true }).then(
      (names) => names.filter((name) => name.endsWith(".jsonl")),
    );
    const session = transcript.replace(/^.*\/|\.jsonl$/g, "");
    const rows = behindParents(await claude.readTranscript(session));
    expect(outline(rows).slice(0, hello.length)).toEqual(hello);
  });
});
