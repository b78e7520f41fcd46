import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { git } from "../support/git-repo.ts";
import { layOutPackage } from "../support/lay-out-package.ts";
import type { RecordedClaude } from "../support/recorded-claude.ts";
import { openShop, shopTools, toldAt, wrongSum } from "../support/shop.ts";

const version = "2.1.325";
const asked = "what did we decide";
const decision = "USER_DECISION: Keep prices in SQLite -- SQLite, one file";

/** Asks a session what was decided, and returns what it was told before that. */
async function ask({ claude, server }: RecordedClaude, ...flags: readonly string[]) {
  const { result } = await claude.run(asked, [...shopTools, ...flags]);
  return { told: toldAt(server, asked), session: result?.session_id ?? "" };
}

beforeAll(() => installClient("claude-code", version));

// Seed 0: 6.7, 6.8, 6.9, 7.6
it("knows in each of ten sessions what those before it did, decided and left open", async () => {
  await using shop = await openShop(version, wrongSum);
  const { claude, server } = shop;
  // As npm installs it: there a start is answered in the process of its hook.
  const installed = await layOutPackage(join(shop.home, "..", "package"));
  await installed.install(shop.home);

  await claude.run("choose a store", shopTools);
  await claude.run("run the tests", shopTools);
  const blocked = await ask(shop);
  expect(blocked.told).toContain(decision);
  expect(blocked.told.indexOf("Blocker (")).toBeLessThan(blocked.told.indexOf(decision));
  expect(blocked.told.indexOf("Blocker (")).toBeGreaterThan(0);

  await claude.run("mend the sum", shopTools);
  {
    await using killed = claude.start("think for long", shopTools);
    await server.waitFor(({ rule }) => rule === "think for long");
    killed.kill("SIGKILL");
    await killed.ended();
  }
  const after = await ask(shop);
  expect([after.told.includes(decision), after.told.includes("Blocker (")]).toEqual([true, false]);
  expect(after.told).toMatch(
    /Where the work stands \([^)]*\):\n {2}Session \S+: interrupted\.\n {2}Interrupted: Last request: "think for long"\n/,
  );
  const statuses = (await shop.sessions()).map(({ status }) => status);
  expect(statuses.filter((status) => status === "interrupted")).toHaveLength(1);

  await claude.run("/compact", [`--resume=${after.session}`]);
  const compacted = await ask(shop, `--resume=${after.session}`);
  expect(compacted.told).toContain(decision);

  const fork = await ask(shop, `--resume=${after.session}`, "--fork-session");
  expect(fork.session).not.toBe(after.session);
  expect(
    (await shop.sessions()).find(({ id }) => id.includes(fork.session.slice(0, 8)))?.forkedFrom,
  ).not.toBeNull();

  await git(claude.cwd, "switch", "--quiet", "--create", "other-shop");
  expect((await ask(shop)).told).toContain(decision);

  await using terminal = await claude.tui();
  for (const line of ["/clear", asked]) {
    await terminal.type(line);
    await terminal.waitFor(line);
    await terminal.press("Enter");
  }
  await terminal.waitFor("Prices are kept in SQLite.");
  expect(toldAt(server, asked)).toContain(decision);
  const calls = new Set((await installed.started()).split(";"));
  expect([calls.has("__hook SessionStart"), calls.size > 1]).toEqual([false, true]);
});
