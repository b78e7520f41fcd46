import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Scenario } from "../support/model-server/scenario.ts";
import { openRunning } from "../support/open-running.ts";
import { ends, goesOn, writes } from "../support/run-scenario.ts";
import { testContext } from "../support/test-context.ts";

/** Two files in two rounds; a third when more is asked for. */
const twoFiles: Scenario = {
  rules: [
    {
      system: "You are the instructor",
      story: [
        goesOn("Write one.txt."),
        goesOn("Write two.txt."),
        ends("Both are there."),
        goesOn("Write three.txt."),
        ends("Three."),
      ],
    },
    {
      system: "You are the worker",
      story: ["one", "two", "three"].flatMap((name) => [
        writes(`${name}.txt`),
        { text: `Wrote ${name}.txt.` },
      ]),
    },
  ],
};

async function openWorld(scenario: Scenario) {
  const world = await openRunning(scenario);
  const { folder } = world.carryon;
  return { ...world, file: (name: string) => readFile(join(folder, "work", name), "utf8") };
}

describe("carryon run", () => {
  // Seed 3: 6.6, 11.4
  it("works on a task with a model of each provider, and says what it does", async () => {
    await using world = await openWorld(twoFiles);
    const { code, stdout, stderr } = await world.carryon.call([
      ...["run", "Write two files.", "--yes", "-r", "9", "--name", "files", "-w", "openai/gpt-5.6"],
    ]);
    expect({
      code,
      stdout,
      stderr: stderr.replaceAll(/[\d,]+ tokens, \d+ s/g, "N tokens, N s"),
    }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Session session-00000000-000000-0001-files
      Round 1: Write one.txt.
        → write one.txt (1 line)
        Wrote one.txt.
      Round 1 is saved: N tokens, N s, 8 rounds left.
      The files of the rounds are not kept: the folder is in no git repository.
      Round 2: Write two.txt.
        → write two.txt (1 line)
        Wrote two.txt.
      Round 2 is saved: N tokens, N s, 7 rounds left.
      ",
        "stdout": "Both are there.
      ",
      }
    `);
    expect([await world.file("one.txt"), await world.file("two.txt")]).toEqual(["one.txt\n", "two.txt\n"]);
    expect(world.server.refusals).toEqual([]);
  });

  // Seed 3: 1.2, 2.3, 4.2, 5.4, 8.2, 12.3
  it("stops at its limit with exit code 0, and goes on from there with further instructions", async () => {
    await using world = await openWorld(twoFiles);
    const first = await world.carryon.call(["run", "Write two files.", "--yes", "-r", "1"]);
    expect([first.code, first.stderr.split("\n").slice(-3)]).toMatchInlineSnapshot(`
      [
        0,
        [
          "The limit of rounds is reached.",
          "Resume with: carryon run --resume --session session-00000000-000000-0001",
          "",
        ],
      ]
    `);
    const second = await world.carryon.call(["run", "--resume", "--yes"]);
    expect([second.code, second.stdout]).toEqual([0, "Both are there.\n"]);
    const done = await world.carryon.call(["run", "--resume", "--yes"]);
    expect([done.code, done.stderr]).toMatchInlineSnapshot(`
      [
        2,
        "carryon: The task of session-00000000-000000-0001 is done.
        Say what is to be done further: \`carryon run --resume --session session-00000000-000000-0001 "MORE"\`
      ",
      ]
    `);
    const third = await world.carryon.call(["run", "--continue", "One more, latest", "--yes"]);
    expect([third.code, third.stdout, await world.file("three.txt")]).toEqual([0, "Three.\n", "three.txt\n"]);
    expect(world.server.refusals).toEqual([]);
  });

  it.each(["anthropic/claude-sonnet-5-5", "openai/gpt-5.6"])(
    "hears further instructions before a step that was decided at the stop: %s",
    async (model) => {
      await using world = await openWorld({
        rules: [
          {
            system: "You are the instructor",
            story: [
              goesOn("Write one.txt."),
              goesOn("Write two.txt."),
              goesOn("Write x.txt."),
              ends("Done."),
            ],
          },
          {
            system: "You are the worker",
            story: ["one", "x"].flatMap((name) => [writes(`${name}.txt`), { text: `Wrote ${name}.txt.` }]),
          },
        ],
      });
      await world.carryon.call(["run", "Write files.", "--yes", "-r", "1", "-i", model]);
      const resumed = await world.carryon.call(["run", "--resume", "STOP. Write x.", "--yes"]);
      expect([resumed.code, resumed.stdout]).toEqual([0, "Done.\n"]);
      expect(resumed.stderr).toContain(
        "  You say: STOP. Write x.\n  The instructor hears it at once, and decides what is next.\n",
      );
      expect(await readdir(join(world.carryon.folder, "work"))).toEqual(["one.txt", "x.txt"]);
      expect(world.server.refusals).toEqual([]);
    },
  );

  it("streams what happens as JSON lines for scripts", async () => {
    await using world = await openWorld(twoFiles);
    const { stdout } = await world.carryon.call(["run", "Write two files.", "--yes", "--json"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toEqual({ type: "opened", session: expect.any(String), restored: null });
    expect(events.at(-1)).toEqual({
      ...{
        type: "stopped",
        session: events[0].session,
        reason: "done",
        rounds: 2,
        summary: "Both are there.",
      },
    });
    expect(events.filter(({ type }) => type === "round-saved").length).toBe(2);
  });

  it("asks on a terminal before the worker writes, and tells it what was declined", async () => {
    await using world = await openWorld(twoFiles);
    const asked: string[] = [];
    const context = testContext(join(world.carryon.folder, "work"), {
      env: world.carryon.env,
      isTerminal: { input: true, output: false, error: false },
      confirm: async (question) => asked.push(question) === 1,
    });
    expect(await runCli(["run", "Write two files."], context)).toBe(0);
    expect(asked).toEqual(["Do you allow this?", "Do you allow this?"]);
    expect(context.said.err).toContain("  → write one.txt (1 line)\n    +one.txt\n  Wrote one.txt.\n");
    expect(context.said.err).toContain(
      "  → write two.txt (1 line)\n    +two.txt\n  ✗ The user declined this call. It was not run.\n",
    );
    expect(await readdir(join(world.carryon.folder, "work"))).toEqual(["one.txt"]);
  });

  it("shows all of a command that it asks about, with its lines, and with what would act on a terminal", async () => {
    const command = `echo '${"harmless ".repeat(40)}'\necho two\u001B[2K; touch EVIL`;
    const scenario: Scenario = {
      rules: [
        { system: "You are the instructor", story: [goesOn("Run it."), ends("Run.")] },
        {
          system: "You are the worker",
          story: [{ calls: [{ tool: "bash", input: { command } }] }, { text: "No." }],
        },
      ],
    };
    await using world = await openWorld(scenario);
    let seen = "";
    const context = testContext(join(world.carryon.folder, "work"), {
      env: world.carryon.env,
      isTerminal: { input: true, output: false, error: false },
      confirm: async () => {
        seen = context.said.err;
        return false;
      },
    });
    expect(await runCli(["run", "Run it."], context)).toBe(0);
    const shown = seen.slice(seen.indexOf("  → bash")).split("\n").slice(1);
    expect(
      shown
        .map((line) => line.trim())
        .join(" ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ).toBe(`echo '${"harmless ".repeat(40)}' echo two^[[2K; touch EVIL`);
    expect(shown.map((line) => line.trim())).toContain("echo two^[[2K; touch EVIL");
  });

  it("refuses to begin where nobody can be asked", async () => {
    await using world = await openWorld(twoFiles);
    const { code, stderr } = await world.carryon.call(["run", "Write two files."]);
    expect([code, stderr]).toMatchInlineSnapshot(`
      [
        2,
        "carryon: Nobody can be asked here before the worker writes or runs something.
        Allow everything with \`--yes\`, or use a terminal.
      ",
      ]
    `);
  });

  // Seed 3: 1.1, 4.1, 5.1, 5.5, 6.4, 12.3
  it("saves everything when a signal stops it, and says how to go on", async () => {
    const slow: Scenario = {
      rules: [
        { system: "You are the instructor", story: [goesOn("Wait."), ends("Waited.")] },
        { system: "You are the worker", story: [{ text: "Waiting.", hang: { at: "start", times: 1 } }] },
      ],
    };
    await using world = await openWorld(slow);
    const child = world.carryon.start(["run", "Wait for me.", "--yes"]);
    const said: string[] = [];
    child.stderr.on("data", (chunk) => said.push(`${chunk}`));
    await world.server.waitFor(({ failure }) => failure !== undefined);
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(143);
    expect(said.join("")).toMatch(/Resume with: carryon run --resume --session session-\S+\n$/);
    const resumed = await world.carryon.call(["run", "--resume", "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "Waited.\n"]);
    expect(resumed.stderr).toContain("Resuming session from");
  });

  // Seed 3: 6.2
  it("is refused without a task, without a run to resume, and with a name that is no model", async () => {
    await using world = await openWorld(twoFiles);
    const ask = async (...args: readonly string[]) => {
      const { code, stderr } = await world.carryon.call(["run", ...args, "--yes"]);
      return `${code} ${stderr.split("\n")[0]}`;
    };
    expect([await ask(), await ask("--resume"), await ask("x", "-i", "nobody/x")]).toMatchInlineSnapshot(`
      [
        "2 carryon: A run needs a task.",
        "2 carryon: No session to resume: there is no run in this project.",
        "2 carryon: nobody/x names no provider that there is.",
      ]
    `);
  });
});
