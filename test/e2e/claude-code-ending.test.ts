import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { openRecordedClaude } from "../support/recorded-claude.ts";

const tools = ["--allowedTools", "Bash Write Agent"];

describe.each(["2.1.325", "2.1.197"])("a session of Claude Code %s on a terminal", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("is interrupted when the terminal is closed in the middle of a turn", async () => {
    await using recorded = await openRecordedClaude(version);
    await using terminal = await recorded.claude.tui(tools);
    await terminal.type("work slowly");
    await terminal.waitFor("work slowly");
    await terminal.press("Enter");
    await recorded.server.waitFor(({ rule, step }) => rule === "work slowly" && step === 1);
    process.kill(terminal.pid, "SIGHUP");
    await terminal.ended();
    expect(await recorded.sessions()).toMatchObject([{ title: "work slowly", status: "interrupted" }]);
  });

  it("is ended when the terminal is closed between turns", async () => {
    await using recorded = await openRecordedClaude(version);
    await using terminal = await recorded.claude.tui(tools);
    await terminal.type("never mind");
    await terminal.waitFor("never mind");
    await terminal.press("Enter");
    const status = async () => (await recorded.sessions()).map(({ messages }) => messages);
    await expect.poll(status, { timeout: 60_000, interval: 500 }).toEqual([2]);
    process.kill(terminal.pid, "SIGHUP");
    await terminal.ended();
    expect(await recorded.sessions()).toMatchObject([{ title: "never mind", status: "ended" }]);
  });
});
