import { describe, expect, it } from "vitest";
import { replayDry } from "../../src/run/replay-dry.ts";
import { type ReplayRunOptions, replayRun } from "../../src/run/start-run.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import { openToolbox } from "../../src/tools/open-toolbox.ts";
import type { Tool, Toolbox } from "../../src/tools/tool.ts";
import { gitEnv } from "../support/git-repo.ts";
import { builders, builtFiles, openRunWorld, type RunWorld, readFiles } from "../support/run-world.ts";
import { asks, directs, fakeModel, readStep, words } from "../support/scripted-run.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const forever = new AbortController().signal;

async function replay(dir: TempDir, { folder }: RunWorld, options: Partial<ReplayRunOptions>) {
  await using run = await replayRun({
    ...{ cwd: folder, home: dir.join("home"), env: gitEnv },
    ...{ instructor: fakeModel("anthropic/other-i", directs(3)) },
    ...{ worker: fakeModel("openai/other-w", () => [words("Done.")]) },
    ...options,
  });
  return { ...(await run.drive(forever)), replays: run.replays };
}

describe("a replay", () => {
  it("is given the task and all that the user added, with the limits of the run", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({ limits: { rounds: 2 } });
    await world.resume({ more: "Part 2, please." });
    await world.resume({ more: "And quickly." });
    const heard: string[] = [];
    const instructor = fakeModel("anthropic/other-i", (request) => {
      const [first] = request.messages;
      heard.push(first?.role === "user" ? first.parts.map(({ text }) => text).join("|") : "");
      return directs(9)(request);
    });
    const again = await replay(dir, world, { session, instructor });
    expect(again).toMatchObject({ replays: session, reason: "rounds", rounds: 2 });
    expect(heard[0]).toBe("Build it.|Part 2, please.|And quickly.");
    const [start] = await world.entries(again.session);
    expect(start).toMatchObject({
      event: "started",
      data: {
        replays: { session },
        config: { instructorModel: "anthropic/other-i", workerModel: "openai/other-w", maxRounds: 2 },
      },
    });
  });

  it("from a round on hears what the user added after it, and leaves the run as it was", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({ limits: { rounds: 2 } });
    await world.resume({ more: "Part 2, please." });
    const before = await world.entries(session);
    const again = await replay(dir, world, { session, fromRound: 2 });
    const entries = await world.entries(again.session);
    const shared = entries.findIndex((entry) => entry.kind === "round" && entry.number === 1) + 1;
    expect(entries.slice(0, shared)).toEqual(before.slice(0, shared));
    expect(entries.slice(shared, shared + 2)).toMatchObject([
      { event: "resumed", data: { config: { workerModel: "openai/other-w" } } },
      { role: "user", parts: [{ text: "Part 2, please." }] },
    ]);
    expect(await world.entries(session)).toEqual(before);
  });

  it("from a round on works on the files of then in a work tree of its own", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({});
    const worktree = dir.join("try");
    const worker = fakeModel("openai/other-w", (request) =>
      readStep(request).made.length === 0
        ? [asks("list", {})]
        : [words(readStep(request).made[0]?.output ?? "")],
    );
    const again = await replay(dir, world, { session, fromRound: 2, files: { worktree }, worker });
    const [round] = (await world.entries(again.session)).filter(
      (entry) => entry.kind === "round" && entry.number === 2,
    );
    expect(await readFiles(worktree)).toEqual(builtFiles(1));
    expect(await world.files()).toEqual(builtFiles(3));
    expect(round).toMatchObject({ data: { files: { commit: expect.any(String) } } });
  });

  it("makes no session where its model cannot be asked, or where there is no such round", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({});
    const named = { instructor: "anthropic/x", worker: "openai/x" };
    await expect(replay(dir, world, { session, ...named, fromRound: 2 })).rejects.toMatchObject({
      code: "no-model-key",
    });
    await expect(replay(dir, world, { session, fromRound: 7 })).rejects.toMatchObject({
      code: "no-such-round",
    });
    await expect(replay(dir, world, { session: "latest" })).resolves.toMatchObject({ replays: session });
  });
});

describe("a dry replay", () => {
  const dry = (dir: TempDir, { folder }: RunWorld, session: SessionId) =>
    replayDry({ cwd: folder, home: dir.join("home"), session });

  it("of a run in a repository finds it as it was", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({});
    expect(await dry(dir, world, session)).toMatchObject({ session, rounds: 3, difference: null });
  });

  it("of a run that was stopped, declined and resumed with another model finds it as it was", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const stop = new AbortController();
    let asked = 0;
    const approve = async () => {
      asked += 1;
      if (asked === 4) stop.abort(new Error("Stopped."));
      return asked !== 2;
    };
    await expect(world.start({ approve }, stop.signal)).rejects.toThrow("Stopped.");
    const { session } = await world.resume({ worker: fakeModel("openai/other-w", () => [words("Done.")]) });
    expect(await dry(dir, world, session)).toMatchObject({ rounds: 3, difference: null });
  });

  it("names a tool that the worker of today does not have", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const usual = await openToolbox({ folder: world.folder, env: gitEnv });
    const teleport: Tool = {
      ...{ name: "teleport", effect: "runs", description: "Goes elsewhere.", input: { type: "object" } },
      describe: () => "teleport",
      preview: async () => undefined,
      run: async () => ({ output: "There.", failed: false }),
    };
    const tools: Toolbox = {
      ...{ ...usual, tools: [teleport], find: () => teleport },
      run: async () => ({ output: "There.", failed: false }),
    };
    const worker = fakeModel("openai/model-w", (request) =>
      readStep(request).made.length === 0 ? [asks("teleport", {})] : [words("There.")],
    );
    const { session } = await world.start({ ...builders(1), worker, tools });
    expect((await dry(dir, world, session)).difference).toEqual({
      ...{ seq: 6, entry: expect.any(String), round: 1 },
      recorded: expect.stringContaining('"event":"call-started"'),
      now: expect.stringContaining("nothing is recorded of teleport"),
    });
  });
});
