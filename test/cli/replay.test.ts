import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Scenario } from "../support/model-server/scenario.ts";
import { openRunning } from "../support/open-running.ts";
import { ends, goesOn, writes } from "../support/run-scenario.ts";

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
  const world = await openRunning(twoWays);
  const { folder } = world.carryon;
  return { ...world, files: (name = "work") => readdir(join(folder, name)) };
}

const gpt = ["--with-model", "openai/gpt-5.6"];

describe("carryon replay", () => {
  // Seed 3: 10.4
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
    const { sessions } = JSON.parse(await world.carryon.ask(["sessions", "--all", "--json"]));
    const [replay, first] = sessions.map(({ id }: { readonly id: string }) => id);
    expect(await world.carryon.ask(["diff", first, replay])).toContain("2  B     Write 2.txt.");
    const later = await world.carryon.call([
      ...["replay", first, ...gpt, "--from-round", "2", "-d", "other", "--yes"],
    ]);
    expect([later.code, later.stdout]).toEqual([0, "Done in three.\n"]);
    expect(world.server.refusals).toEqual([]);
  });

  // Seed 3: 10.4
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

  // Seed 3: 8.5
  it("goes through a run without a model and without effects, twice the same", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes", "-r", "1"]);
    await world.carryon.call(["run", "--resume", "--yes"]);
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
      ...{ session: JSON.parse(before).sessions[0].id, rounds: 2, steps: 15, entries: 20, unchecked: 0 },
      ...{ prompt: "same", difference: null },
    });
    expect(await world.carryon.ask(["sessions", "--json"])).toBe(before);
    expect(world.server.requests.length).toBe(asked);
  });

  // Seed 3: 10.5
  it("is compared with what it replays: rounds with their instructions, calls, files, tokens", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes"]);
    await world.carryon.call(["replay", "latest", ...gpt, "--yes"]);
    const { sessions } = JSON.parse(await world.carryon.ask(["sessions", "--json"]));
    const alone = await world.carryon.call(["diff", "latest"]);
    expect(await world.carryon.ask(["diff", "latest", "--html"])).toContain(
      '<li><span class="tag">1 both</span>Write one.txt.</li>\n<li><span class="tag">2 A</span>Write two.txt.</li>',
    );
    expect(alone).toEqual(await world.carryon.call(["diff", sessions[1].id, sessions[0].id]));
    expect(
      alone.stdout.replaceAll(/[\d,]+ in, [\d,]+ out/g, "N in, N out").replaceAll(/\d+ s\b/g, "N s"),
    ).toMatchInlineSnapshot(`
      "A  Write two files.
      session-00000000-000000-0001
      carryon-run · work · ended · 15 messages · <day> <clock>

      B  Write two files.
      session-00000000-000000-0002
      carryon-run · work · ended · 21 messages · <day> <clock>

      4 messages at the beginning say the same, until <day> <clock>

      A
      tool #7 · worker · <clock>
        Wrote one.txt: 1 line, a new file.

      B
      tool #7 · worker · <clock>
        one.txt already has this content.

      ═ 3 entries, the same in both
      assistant #8 · worker · <clock>
        Wrote one.
      tool #9 · instructor · <clock>
        Wrote one.
      round 1 #10 · instructor · <clock>
        Write one.txt.

      A
      assistant #11 · instructor · <clock>
        → next_step  Write two.txt.
      user #12 · worker · <clock>
        Write two.txt.
      assistant #13 · worker · <clock>
        → write  two.txt
      assistant #16 · worker · <clock>
        Wrote two.

      B
      assistant #11 · instructor · <clock>
        → next_step  Write 2.txt.
      user #12 · worker · <clock>
        Write 2.txt.
      assistant #13 · worker · <clock>
        → write  2.txt
      assistant #16 · worker · <clock>
        Wrote 2.

      A
      round 2 #18 · instructor · <clock>
        Write two.txt.
      assistant #19 · instructor · <clock>
        → next_step  Both are there.

      B
      round 2 #18 · instructor · <clock>
        Write 2.txt.
      assistant #19 · instructor · <clock>
        → next_step  Check them.
      user #20 · worker · <clock>
        Check them.
      assistant #21 · worker · <clock>
        → list
      assistant #23 · worker · <clock>
        Both there.
      round 3 #25 · instructor · <clock>
        Check them.
      assistant #26 · instructor · <clock>
        → next_step  Done in three.


                     A                                B
      entries        16                               23
      messages       1 user, 5 assistant, 5 tool      2 user, 8 assistant, 7 tool
      tool calls     3                                5
      tools          next_step ×2, write ×1           next_step ×3, write ×1, list ×1
      files changed  1                                1
      rounds         2                                3
      tokens         N in, N out                N in, N out
      duration       N s                              N s
      models         anthropic/claude-sonnet-5-5      openai/gpt-5.6

      Rounds
          1  both  Write one.txt.
          2  A     Write two.txt.
          2  B     Write 2.txt.
          3  B     Check them.

      Files changed
        A            two.txt
        B            2.txt
      "
    `);
  });

  // Seed 3: 10.6
  it("is merged into what it replays, which then goes on from its own round and knows of the other", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Write two files.", "--yes", "-r", "1"]);
    await world.carryon.call(["replay", "latest", ...gpt, "-r", "5", "--yes"]);
    const { sessions } = JSON.parse(await world.carryon.ask(["sessions", "--json"]));
    const [replay, first] = sessions.map(({ id }: { readonly id: string }) => id);
    const merged = await world.carryon.call(["merge", first, replay]);
    expect([merged.code, merged.stderr]).toMatchInlineSnapshot(`
      [
        0,
        "Merged 28 entries of session-00000000-000000-0002 into session-00000000-000000-0001
      ",
      ]
    `);
    const { code, stdout, stderr } = await world.carryon.call([
      ...["run", "--resume", "--session", first, "--yes"],
    ]);
    expect([code, stdout]).toEqual([0, "Both are there.\n"]);
    expect(stderr).toContain("  Round: 1\n");
    expect(stderr).toContain("Round 2 is saved");
    const asked = world.server.requests.filter(({ path }) => path.endsWith("/messages")).at(-1);
    expect(JSON.stringify(asked?.body)).toContain("Another run was merged into this one.");
    expect(JSON.stringify(asked?.body)).toContain("Instruction: Write 2.txt.");
    expect((await world.carryon.call(["verify", first])).code).toBe(0);
    const dry = await world.carryon.call(["replay", first, "--dry"]);
    expect([dry.code, dry.stderr]).toEqual([0, ""]);
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
      await ask("latest", "--restore-files", "--yes"),
      await ask("latest", "--worktree", "x", "--from-round", "1", "--yes"),
    ]).toMatchInlineSnapshot(`
      [
        "2 carryon: There is no store at <folder>/home/store.db yet.",
        "2 carryon: No session to resume: there is no run in this project.",
        "2 carryon: session-00000000-000000-0001 is a session of carryon-append, and no run.",
        "2 carryon: Option '--dry' cannot be used with option '--with-model <model>'.",
        "2 carryon: Nobody can be asked here before the worker writes or runs something.",
        "2 carryon: Files are restored as they were after a round, and none was named.",
        "2 carryon: Files are restored as they were after a round, and none was named.",
      ]
    `);
  });
});
