import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { makeRepo } from "../support/git-repo.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, writes } from "../support/run-scenario.ts";
import { testContext } from "../support/test-context.ts";

const [older, newer] = ["2025-11-08-15-30-00", "0f8fad5b-d9cb-469f-a165-70867728950e"];
const config = {
  ...{ instructorModel: "claude-opus-4-1", workerModel: "claude-sonnet-4-5", maxRounds: 10 },
  ...{ useThinking: false, apiKey: "key-of-somebody" },
};
const history = [
  { role: "user", content: "Write two files" },
  { role: "assistant", content: [{ type: "text", text: "Tell worker: write one.txt" }] },
];

/** What claude-master kept first, as documents, and later, as lines. */
const state = (workDir: string) => ({
  ...{ sessionId: older, createdAt: "2025-11-08T15:30:00.000Z", lastUpdatedAt: "2025-11-08T16:00:00.000Z" },
  ...{ version: "1.0.0", config: { ...config, workDir }, currentRound: 1, remainingRounds: 9 },
  ...{ instructor: { conversationHistory: history, systemPrompt: "Say: Tell worker" } },
  ...{ worker: { conversationHistory: [] }, lastInstruction: "write one.txt", lastInstructorResponse: null },
});
const lines = (workDir: string) => [
  ...history.map((message) => ({
    type: "instructor-message",
    timestamp: "2025-11-09T10:00:00.000Z",
    message,
  })),
  {
    ...{ type: "session-metadata", timestamp: "2025-11-09T10:00:00.000Z", sessionId: newer, workDir, config },
    ...{ createdAt: "2025-11-09T10:00:00.000Z", lastUpdatedAt: "2025-11-09T10:00:00.000Z" },
    ...{ currentRound: 1, remainingRounds: 9 },
  },
];

async function openWorld() {
  const server = await openModelServer({
    rules: [
      {
        system: "You are the instructor",
        steps: [goesOn("Write two.txt."), ends("Both are there.")],
      },
      {
        system: "You are the worker",
        steps: [writes("two.txt"), { text: "Wrote it." }],
      },
    ],
  });
  const carryon = await openCarryon({ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url });
  const work = join(carryon.folder, "work");
  const folder = join(work, ".claude-master", "sessions");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `session-${older}.json`), JSON.stringify(state(work)));
  await writeFile(
    join(folder, `session-${newer}.jsonl`),
    lines(work)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  await writeFile(join(folder, "current.json"), JSON.stringify({ sessionId: newer }));
  await symlink("/etc/hostname", join(folder, "session-elsewhere.json"));
  return {
    ...{ server, carryon, work },
    sessions: async () =>
      JSON.parse(await carryon.ask(["sessions", "--json"])).sessions.map(
        ({ id, client, status }: { id: string; client: string; status: string }) =>
          `${client} ${id} ${status}`,
      ),
    [Symbol.asyncDispose]: async () => {
      await carryon[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("runs that claude-master has kept in a project", () => {
  // Seed 3: 3.1, 3.2, 3.3, 5.8
  it("are imported as a folder, in both of their forms", async () => {
    await using world = await openWorld();
    const { code, stdout, stderr } = await world.carryon.call(["import", ".claude-master/sessions"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(newer);
    expect(await world.sessions()).toEqual([
      `carryon-run ${newer} interrupted`,
      `carryon-run ${older} interrupted`,
    ]);
    expect(await world.carryon.ask(["export", older, newer])).not.toContain("key-of-somebody");
  });

  // Seed 3: 4.3, 6.4
  it.each([older, newer])("are resumed by their id: %s", async (id) => {
    await using world = await openWorld();
    await world.carryon.call(["import", ".claude-master/sessions"]);
    const { code, stdout, stderr } = await world.carryon.call(["run", "--resume", "--session", id, "--yes"]);
    expect([code, stdout]).toEqual([0, "Both are there.\n"]);
    expect(stderr).toMatch(/^Resuming session from \S+\n {2}Round: 1\n {2}Remaining: 9\nSession /);
    expect(stderr).toContain("Round 2 is saved");
    const [asked] = world.server.requests;
    expect(JSON.stringify(asked?.body)).toContain("Tell worker: write one.txt");
    expect(world.server.refusals).toEqual([]);
  });

  // Seed 3: 3.1
  it("are offered where there is no run to resume, and the latest goes on", async () => {
    await using world = await openWorld();
    const asked: string[] = [];
    const context = testContext(world.work, {
      env: world.carryon.env,
      isTerminal: { input: true, output: false, error: false },
      confirm: async (question) => asked.push(question) > 0,
    });
    expect(await runCli(["run", "--resume", "--yes"], context)).toBe(0);
    expect(asked).toEqual([
      "No session to resume: there is no run in this project. Take in 2 runs of claude-master from .claude-master/sessions, and go on with the latest?",
    ]);
    expect(context.said.out).toBe("Both are there.\n");
    expect(context.said.err).toContain(`Session ${newer}`);
  });

  it("are named where nobody can be asked, or their id is given, and left alone when declined", async () => {
    await using world = await openWorld();
    const ask = async (...args: readonly string[]) => {
      const { code, stderr } = await world.carryon.call(["run", "--resume", "--yes", ...args]);
      return [code, stderr];
    };
    expect([
      await ask(),
      await ask("--session", older.slice(0, 8)),
      await ask("--session", "xyz"),
    ]).toMatchInlineSnapshot(`
      [
        [
          2,
          "carryon: No session to resume: there is no run in this project. Found 2 runs of claude-master from .claude-master/sessions.
        Take them in with \`carryon import .claude-master/sessions\`.
      ",
        ],
        [
          2,
          "carryon: There is no session 2025-11- in this store. Found 1 run of claude-master from .claude-master/sessions.
        Take them in with \`carryon import .claude-master/sessions\`.
      ",
        ],
        [
          2,
          "carryon: There is no session xyz in this store.
        List the sessions with \`carryon sessions --all\`.
      ",
        ],
      ]
    `);
    const context = testContext(world.work, {
      env: world.carryon.env,
      isTerminal: { input: true, output: false, error: false },
      confirm: async () => false,
    });
    expect(await runCli(["run", "--resume", "--yes"], context)).toBe(2);
    expect(await world.sessions()).toEqual([]);
  });

  it("are named where the runs of a project are listed, and there are none", async () => {
    await using world = await openWorld();
    const list = () => world.carryon.call(["run", "--list-sessions"]);
    expect(await list()).toMatchObject({
      ...{ code: 0, stdout: "" },
      stderr:
        "No runs here. Found 2 runs of claude-master from .claude-master/sessions. Take them in with `carryon import .claude-master/sessions`.\n",
    });
    await world.carryon.call(["import", ".claude-master/sessions"]);
    expect(await list()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(older.slice(0, 6)),
      stderr: "",
    });
  });

  it("are offered by init once, and not when they are here", async () => {
    await using world = await openWorld();
    await makeRepo(world.work, ["first"]);
    const first = await world.carryon.call(["init", "--yes"]);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(newer)]);
    expect(await world.sessions()).toEqual([
      `carryon-run ${newer} interrupted`,
      `carryon-run ${older} interrupted`,
    ]);
    const second = await world.carryon.call(["init", "--yes"]);
    expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining(newer)]);
  });
});
