import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Step } from "../support/model-server/scenario.ts";
import { openRunning } from "../support/open-running.ts";
import { ends, goesOn, runScenario } from "../support/run-scenario.ts";

/** So that each turn of a model costs the same: a dollar for a million tokens read, ten for a million written. */
const usage = { input_tokens: 100_000, output_tokens: 10_000, cache_read_input_tokens: 0 };
const withUsage = (step: Step): Step => ({ ...step, usage });
const prices = [
  "models:",
  "  prices:",
  "    anthropic/claude-sonnet-5-5: { input: 1, output: 10, cached: 0.1 }",
  "",
].join("\n");

async function openWorld(config = "") {
  const world = await openRunning(
    runScenario(
      [...[1, 2, 3].map((number) => goesOn(`Look at ${number}.`)), ends("All seen.")].map(withUsage),
      [1, 2, 3].map((number) => withUsage({ text: `Saw ${number}.` })),
    ),
  );
  const { carryon } = world;
  await mkdir(join(carryon.folder, "home"), { mode: 0o700 });
  if (config !== "") await writeFile(join(carryon.folder, "home", "config.yaml"), config, { mode: 0o600 });
  return { ...world, run: (...args: readonly string[]) => carryon.call(["run", ...args, "--yes"]) };
}

const costs = (stderr: string) => stderr.match(/\$\d+\.\d+/g);

describe("the cost of a run", () => {
  it("is told round by round and at the end, and kept with each round", async () => {
    await using world = await openWorld(prices);
    const { code, stdout, stderr } = await world.run("Look around.");
    expect([code, stdout, costs(stderr)]).toEqual([0, "All seen.\n", ["$0.40", "$0.80", "$1.20", "$1.40"]]);
    expect(stderr).toMatch(/Round 1 is saved: 220,000 tokens, \d+ s, \$0\.40\.\n/);
    expect(stderr).toMatch(/Cost so far: \$1\.40\n$/);
    const { entries } = JSON.parse(await world.carryon.ask(["show", "latest", "--json"]));
    const rounds = entries.filter(({ kind }: { kind: string }) => kind === "round");
    expect(rounds.map(({ data }: { data: { cost: number } }) => data.cost)).toEqual([0.4, 0.8, 1.2]);
    expect(entries[0].data.config.prices).toEqual({
      "anthropic/claude-sonnet-5-5": { input: 1, output: 10, cacheRead: 0.1 },
    });
  });

  it("stops a run at its limit with exit code 0, and what was spent counts when it goes on", async () => {
    await using world = await openWorld(prices);
    const first = await world.run("Look around.", "--max-cost", "1", "-r", "1");
    expect([first.code, costs(first.stderr)]).toEqual([0, ["$0.40", "$0.60"]]);
    expect(first.stderr).toContain("The limit of rounds is reached.");
    await writeFile(join(world.carryon.folder, "home", "config.yaml"), "", { mode: 0o600 });
    const second = await world.run("--resume", "-r", "9");
    expect([second.code, second.stderr.split("\n").slice(-4)]).toMatchInlineSnapshot(`
      [
        0,
        [
          "Cost so far: $1.00",
          "The limit of cost is reached.",
          "Resume with: carryon run --resume --session session-00000000-000000-0001",
          "",
        ],
      ]
    `);
    const third = await world.run("--resume");
    expect([third.code, third.stdout, costs(third.stderr)]).toEqual([
      0,
      "All seen.\n",
      ["$1.00", "$1.20", "$1.40"],
    ]);
    const dry = await world.carryon.call(["replay", "latest", "--dry"]);
    expect([dry.code, dry.stderr]).toEqual([0, ""]);
  });

  it("and tokens are told of the whole run, also after a resume and of a fork; what is left of each limit too", async () => {
    await using world = await openWorld(prices);
    const limits = ["--max-tokens", "200000", "--max-cost", "9", "--max-time", "2h"];
    await world.run("Look around.", ...limits);
    const resumed = await world.run("--resume");
    expect(resumed.stderr).toMatch(/Remaining: 200,000 tokens, (2 h|1 h 59 min), \$8\.60\n/);
    expect(resumed.stderr).toMatch(/Round 2 is saved: 440,000 tokens, \d+ s, \$0\.80\.\n/);
    const fork = await world.carryon.call(["replay", "latest", "--from-round", "2", "--yes"]);
    expect(fork.stderr).toContain("Round 2 is saved: 440,000 tokens");
    expect(costs(fork.stderr)?.slice(1)).toEqual(["$0.80", "$0.80"]);
  });

  it("is in what --json tells", async () => {
    await using world = await openWorld(prices);
    const { stdout } = await world.run("Look around.", "--max-cost", "0.5", "--json");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === "round-saved")).toMatchObject({ cost: 0.4 });
    expect(events.at(-1)).toMatchObject({ type: "stopped", reason: "cost", cost: 0.6 });
  });

  it("is not limited where a price is not known: the error names the setting", async () => {
    await using world = await openWorld();
    const { code, stderr } = await world.run("Look around.", "--max-cost", "1");
    expect([code, stderr]).toMatchInlineSnapshot(`
      [
        3,
        "carryon: What anthropic/claude-sonnet-5-5 costs is not known, so that no limit of cost can be held.
        Set it in <folder>/home/config.yaml, in dollars for a million tokens: \`models: { prices: { anthropic/claude-sonnet-5-5: { input: …, output: … } } }\`.
      ",
      ]
    `);
    const half = await openWorld(prices);
    await using _half = half;
    const other = await half.run("Look around.", "--max-cost", "1", "-w", "anthropic/claude-haiku-5-5");
    expect([other.code, other.stderr.split(",")[0]]).toEqual([
      3,
      "carryon: What anthropic/claude-haiku-5-5 costs is not known",
    ]);
    expect(world.server.requests).toEqual([]);
    const free = await world.run("Look around.");
    expect([free.code, costs(free.stderr)]).toEqual([0, null]);
  });

  it.each(["0", "-1", "a lot", "1e3"])("is no limit of %s", async (text) => {
    await using world = await openWorld(prices);
    const { code, stderr } = await world.run("Look around.", `--max-cost=${text}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is not an amount of dollars.")]);
  });
});
