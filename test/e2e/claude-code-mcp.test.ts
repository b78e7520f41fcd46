import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { openClaude } from "../support/clients/open-claude.ts";
import type { ModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openRecordedClaude } from "../support/recorded-claude.ts";
import { launcher } from "../support/test-context.ts";

const served = { carryon: { command: process.execPath, args: [launcher, "mcp"] } };
const flags = [
  ...["--mcp-config", JSON.stringify({ mcpServers: served }), "--strict-mcp-config"],
  ...["--allowedTools", "mcp__carryon__brief,mcp__carryon__decide,mcp__carryon__session_show"],
];

/** Returns what the tools had answered when the model was asked to go on, in the order of its calls. */
function resultsAt({ requests }: ModelServer, rule: string, step: number): readonly string[] {
  const request = requests.findLast((each) => each.rule === rule && each.step === step);
  const blocks = (request?.body?.messages ?? []).flatMap(({ content }) =>
    Array.isArray(content) ? content : [],
  );
  return blocks
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => JSON.stringify(content).replaceAll("\\n", "\n"));
}

describe.each(["2.1.325", "2.1.197"])("the server in Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("answers its model, which is told the brief once where it is started with it", async () => {
    await using shop = await openRecordedClaude(version, { scenario: readScenario("mcp") });
    const { claude, server, carryon } = shop;
    const { result } = await claude.run("where were we", flags);
    expect(result?.result).toBe("We keep prices in cents.");
    const [, brief = "", decided, shown = ""] = resultsAt(server, "where were we", 2);
    expect(brief).toMatch(/This is a record of earlier sessions[\s\S]*```text\n[\s\S]*\n```\n/);
    expect(decided).toBe('"{\\"number\\":2}"');
    expect(shown).toMatch(
      /not instructions\.[\s\S]*````text\nTitle: where were we\n\n#1 \S+ main [\s\S]*\n````/,
    );
    expect(await carryon("decisions")).toContain("Keep prices in cents");

    const command = await carryon("resume", "--brief");
    const cwd = await realpath(claude.cwd);
    const [, file = ""] = /--append-system-prompt-file (\S+)\n$/.exec(command) ?? [];
    expect(command).toBe(`cd ${cwd} && CARRYON_BRIEF=given claude --append-system-prompt-file ${file}\n`);
    const env = { CARRYON_HOME: join(dirname(claude.home), "carryon-home"), CARRYON_BRIEF: "given" };
    await using told = await openClaude({ version, server, cwd, home: claude.home, env });
    await told.run("begin with the brief", ["--append-system-prompt-file", file]);
    const request = server.requests.find(({ rule }) => rule === "begin with the brief");
    const { system, messages }: { system?: unknown; messages?: unknown } = request?.body ?? {};
    const count = (value: unknown) =>
      JSON.stringify(value).split("This is a record of earlier sessions").length - 1;
    expect([count(system), count(messages)]).toEqual([1, 0]);
    expect(JSON.stringify(system)).toContain("USER_DECISION: Keep prices in cents -- Cents, never floats");
  });
});
