import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import type { Scenario, Step } from "../support/model-server/scenario.ts";
import { openCarryon } from "../support/run-carryon.ts";

const rules = (input: Readonly<Record<string, string | boolean>>): Step => ({
  calls: [{ tool: "next_step", input: { assessment: "", needsCorrection: false, ...input } }],
});
const goesOn = (instruction: string) => rules({ shouldContinue: true, instruction });
const ends = (summary: string) => rules({ shouldContinue: false, instruction: "", summary });
const writes = (path: string, content = `${path}\n`): Step => ({
  calls: [{ tool: "write", input: { path, content } }],
});

/** Two models that take different ways to the same two files. */
const twoWays: Scenario = {
  rules: [
    {
      ...{ system: "You are the instructor", model: "claude" },
      story: [goesOn("Write one.txt."), goesOn("Write two.txt."), ends("Both are there.")],
    },
    {
      ...{ system: "You are the instructor", model: "gpt" },
      story: [
        goesOn("Write one.txt."),
        goesOn("Write 2.txt."),
        goesOn("Check them."),
        ends("Done in three."),
      ],
    },
    {
      ...{ system: "You are the worker", model: "claude" },
      story: [writes("one.txt"), { text: "Wrote one." }, writes("two.txt"), { text: "Wrote two." }],
    },
    {
      ...{ system: "You are the worker", model: "gpt" },
      story: [
        ...[writes("one.txt"), { text: "Wrote one." }, writes("2.txt"), { text: "Wrote 2." }],
        ...[{ calls: [{ tool: "list", input: {} }] }, { text: "Both there." }],
      ],
    },
  ],
};

async function openWorld() {
  const server = await openModelServer(twoWays);
  const carryon = await openCarryon({
    ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` },
    CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
  });
  return {
    server,
    carryon,
    files: (folder = "work") => readdir(join(carryon.folder, folder)),
    [Symbol.asyncDispose]: async () => {
      await carryon[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const gpt = ["--with-model", "openai/gpt-5.6"];

describe("carryon replay", () => {
  it("does a task over with another model in another folder, and says how to compare the two", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes", "-r", "9"]);
    await mkdir(join(world.carryon.folder, "work", "other"));
    const { code, stdout, stderr } = await world.carryon.call([
      ...["replay", "latest", ...gpt, "-d", "other", "--yes", "--name", "gpt"],
    ]);
    expect({
      code,
      stdout,
      stderr: stderr.replaceAll(/[\d,]+ tokens, \d+ s/g, "N tokens, N s"),
    }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Session session-00000000-000000-0002-gpt, a replay of session-00000000-000000-0001
      Round 1: Write one.txt.
        → write one.txt (1 line)
        Wrote one.
      Round 1 is saved: N tokens, N s, 8 rounds left.
      The files of the rounds are not kept: the folder is in no git repository.
      Round 2: Write 2.txt.
        → write 2.txt (1 line)
        Wrote 2.
      Round 2 is saved: N tokens, N s, 7 rounds left.
      Round 3: Check them.
        → list .
        Both there.
      Round 3 is saved: N tokens, N s, 6 rounds left.
      Compare with: carryon diff session-00000000-000000-0001 session-00000000-000000-0002-gpt
      ",
        "stdout": "Done in three.
      ",
      }
    `);
    expect(await world.files("work")).toEqual(["one.txt", "other", "two.txt"]);
    expect(await world.files("work/other")).toEqual(["2.txt", "one.txt"]);
    expect(world.server.refusals).toEqual([]);
  });

  it("shares the rounds before the first that is done over", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes"]);
    const { code, stdout, stderr } = await world.carryon.call([
      ...["replay", "latest", ...gpt, "--from-round", "2", "--yes"],
    ]);
    expect([code, stdout]).toEqual([0, "Done in three.\n"]);
    expect(stderr).not.toContain("Round 1:");
    expect(stderr).toContain("Round 2: Write 2.txt.");
    const { sessions } = JSON.parse(await world.carryon.ask(["sessions", "--json"]));
    expect(sessions[0].forkedFrom).toEqual({
      session: sessions[1].id,
      entry: expect.any(String),
    });
    const none = await world.carryon.call(["replay", sessions[1].id, "--from-round", "9", "--yes"]);
    expect([none.code, none.stderr]).toMatchInlineSnapshot(`
      [
        2,
        "carryon: session-00000000-000000-0001 has no finished round 8.
        See its rounds with \`carryon show session-00000000-000000-0001\`.
      ",
      ]
    `);
    expect(JSON.parse(await world.carryon.ask(["sessions", "--json"])).sessions.length).toBe(2);
  });

  it("goes through a run without a model and without effects, twice the same", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes", "-r", "1"]);
    await world.carryon.call(["run", "--resume", "Both, please.", "--yes"]);
    const asked = world.server.requests.length;
    const before = await world.carryon.ask(["sessions", "--json"]);
    const dry = await world.carryon.call(["replay", "latest", "--dry"]);
    expect(dry).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "session-00000000-000000-0001: 2 rounds, 20 entries as they were recorded.
      ",
      }
    `);
    expect(await world.carryon.call(["replay", "latest", "--dry"])).toEqual(dry);
    expect(JSON.parse(await world.carryon.ask(["replay", "latest", "--dry", "--json"]))).toEqual({
      ...{ session: JSON.parse(before).sessions[0].id, rounds: 2, steps: 15, entries: 20 },
      ...{ prompt: "same", difference: null },
    });
    expect(await world.carryon.ask(["sessions", "--json"])).toBe(before);
    expect(world.server.requests.length).toBe(asked);
  });

  it("is refused where nothing was recorded, for what is no run, and with a model that --dry does not ask", async () => {
    await using world = await openWorld();
    const ask = async (...args: readonly string[]) => {
      const { code, stderr } = await world.carryon.call(["replay", ...args]);
      return `${code} ${stderr.split("\n")[0]}`;
    };
    const empty = await ask("latest", "--dry");
    await world.carryon.record("Hello");
    expect([
      empty,
      await ask("latest", "--dry"),
      await ask("session-", "--dry"),
      await ask("latest", "--dry", ...gpt),
      await ask("latest"),
    ]).toMatchInlineSnapshot(`
      [
        "2 carryon: There is no store at <folder>/home/store.db yet.",
        "2 carryon: No session to resume: there is no run in this project.",
        "2 carryon: session-00000000-000000-0001 is a session of carryon-append, and no run.",
        "2 carryon: Option '--dry' cannot be used with option '--with-model <model>'.",
        "2 carryon: Nobody can be asked here before the worker writes or runs something.",
      ]
    `);
  });
});
