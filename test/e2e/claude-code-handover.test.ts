import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import type { RecordedClaude } from "../support/recorded-claude.ts";
import { openShop, shopTools, toldAt } from "../support/shop.ts";

const command = { ".claude/commands/sdd-impl.md": "Build the $ARGUMENTS.\n" };
const tools = ["--allowedTools", "Bash Write Agent"];

/** Returns what a document of the handover says once all that was heard is taken in. */
async function read({ carryon, claude }: RecordedClaude, name: string): Promise<string> {
  await carryon("sync");
  return readFile(join(claude.cwd, ".claude/sdd/handover", name), "utf8");
}

describe.each(["2.1.325", "2.1.197"])("the handover of Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  // Seed 0: 1.1, 1.4, 1.5, 5.5, 6.5, 7.1, 7.4
  it("is drafted after a command that completes, with what its subagent has learned", async () => {
    await using shop = await openShop(version, command);
    await shop.claude.run("/sdd-impl cart", tools);
    const draft = await read(shop, "session.md");
    expect(draft).toContain("**Mode**: auto-draft");
    expect(draft).toContain("`cart.txt`");
    expect(await read(shop, "buffer.md")).toMatch(
      /\[PATTERN\] carts: begin empty \(source: cart general-purpose/,
    );
    await shop.claude.run("what did we decide", shopTools);
    const told = toldAt(shop.server, "what did we decide");
    expect([told.includes("cart.txt"), told.includes("[PATTERN] carts: begin empty")]).toEqual([true, true]);
  });

  // Seed 0: 1.6, 6.2, 6.9
  it("is drafted before a compaction, after which the session is told it anew", async () => {
    await using shop = await openShop(version);
    const { result } = await shop.claude.run("label the cart", tools);
    const resumed = [...tools, `--resume=${result?.session_id}`];
    await shop.claude.run("choose a store", resumed);
    await shop.claude.run("/compact", resumed);
    expect(await read(shop, "session.md")).toContain("`label.txt`");
    await shop.claude.run("what did we decide", resumed);
    const told = toldAt(shop.server, "what did we decide");
    expect(told).toContain("USER_DECISION: Keep prices in SQLite");
    expect(told).toContain("label.txt");
  });
});
