import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { gatedShop, openShop, shopTools, toldAt } from "../support/shop.ts";

const [reviewing, writing] = ["review the plan, then write the price list", "write the price list"];

describe.each(["2.1.325", "2.1.197"])("two sessions of Claude Code %s at once", (version) => {
  beforeAll(() => installClient("claude-code", version));

  // Seed 2: 1.2, 1.4, 2.2, 6.2
  it("are named to each other, and what one has satisfied does not let the other pass", async () => {
    await using shop = await openShop(version, gatedShop);
    const { claude, server } = shop;
    await using long = claude.start("think for long", shopTools);
    await server.waitFor(({ rule }) => rule === "think for long");
    const [reviewed, written] = await Promise.all([
      claude.run(reviewing, shopTools),
      claude.run(writing, shopTools),
    ]);
    expect([reviewed.result?.result, written.result?.is_error]).toEqual(["The price list is there.", false]);
    expect(await readFile(join(claude.cwd, "prices.txt"), "utf8")).toBe("apple 1\n");
    for (const prompt of [reviewing, writing]) expect(toldAt(server, prompt)).toContain("Other sessions (");
    expect(toldAt(server, writing, 1)).toContain("The gate commit_plan is not satisfied.");
    long.kill("SIGKILL");
    await long.ended();
    const sessions = await shop.sessions();
    expect(sessions.map(({ title, status }) => `${title}: ${status}`).toSorted()).toEqual([
      `${reviewing}: ended`,
      "think for long: interrupted",
      `${writing}: ended`,
    ]);
  });
});
