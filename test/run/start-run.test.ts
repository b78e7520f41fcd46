import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { resumeLastRun } from "../../src/run/resume-run.ts";
import type { RunEvent } from "../../src/run/run.ts";
import { noLimits } from "../../src/run/run-config.ts";
import { startRun } from "../../src/run/start-run.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { git, gitEnv } from "../support/git-repo.ts";
import { builders, builtFiles, openRunWorld } from "../support/run-world.ts";
import { asks, builds, decides, directs, fakeModel, readStep, words } from "../support/scripted-run.ts";
import { tempDir } from "../support/temp-dir.ts";

const kinds = (entries: readonly Entry[]) =>
  entries.map((entry) => {
    if (entry.kind === "message") return `${entry.strand} ${entry.role}`;
    return entry.kind === "event" ? entry.event : entry.kind;
  });

const roundsIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === "round" ? [entry.number] : []));

/** Waits until a file has a line. */
async function untilWritten(path: string, line: string): Promise<void> {
  while (!(await readFile(path, "utf8")).includes(`${line}\n`)) await sleep(5);
}

describe("a run", () => {
  // Seed 3: 2.4, 5.1, 5.2, 11.1, 11.3, 12.1, 12.2
  it("works through its task, and records each step as it happens", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const outcome = await world.start({ limits: { rounds: 5 } });
    const { session } = outcome;
    expect(outcome).toEqual({ session, reason: "done", rounds: 3, summary: "All parts are there." });
    expect(await world.files()).toEqual(builtFiles(3));
    const entries = await world.entries(session);
    const round = [
      ...["instructor assistant", "worker user", "worker assistant", "call-started", "worker tool"],
      ...["worker assistant", "call-started", "worker tool", "worker assistant", "instructor tool", "round"],
    ];
    expect(kinds(entries)).toEqual([
      ...["started", "instructor user", ...round, ...round, ...round],
      ...["instructor assistant", "instructor tool", "ended"],
    ]);
    const tree = await git(world.folder, "rev-parse", `refs/carryon/rounds/${session}/2^{tree}`);
    const commit = await git(world.folder, "rev-parse", `refs/carryon/rounds/${session}/2`);
    expect(entries.find((entry) => entry.kind === "round" && entry.number === 2)).toMatchObject({
      data: {
        ...{ instruction: "Do part 2.", thinking: "", workerModel: "openai/model-w" },
        ...{ shouldContinue: true, needsCorrection: false, files: { commit, tree } },
      },
    });
  });

  it("tells what happens, with tokens, time and what is left", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const clock = { now: () => new Date("2026-11-17T06:00:00Z") };
    await world.start({ ...builders(1), limits: { rounds: 5 }, clock });
    expect(world.events.map(({ type }) => type)).toEqual([
      ...["asked", "ruling-saved", "asked", "text", "tool-started", "tool-saved"],
      ...["asked", "tool-started", "tool-saved", "asked", "text", "round-saved", "asked", "ruling-saved"],
    ]);
    expect(world.events.find(({ type }) => type === "round-saved")).toMatchObject({
      ...{ round: 1, report: "Part 1 is written.", tokens: 44, ms: 0, remaining: 4 },
    });
    expect(world.events.find(({ type }) => type === "tool-started")).toMatchObject({
      description: "write part-1.txt (1 line)",
    });
  });

  it("says in each round why files are not kept outside of a repository", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir, "folder");
    await world.start(builders(1));
    expect(world.events.find(({ type }) => type === "round-saved")).toMatchObject({
      files: { reason: "the folder is in no git repository" },
    });
  });

  // Seed 3: 2.2, 2.5, 3.2, 6.1, 7.1, 7.4, 11.1
  it("writes the state of its session to a file that only its owner may read", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const sessionFile = dir.join("session.json");
    const { session } = await world.start({ sessionFile, limits: { rounds: 4 } });
    expect((await stat(sessionFile)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(sessionFile, "utf8"))).toMatchObject({
      ...{ sessionId: session, currentRound: 3, remainingRounds: 1, lastInstruction: "Do part 3." },
      config: {
        instructorModel: "anthropic/model-i",
        maxRounds: 4,
        useThinking: true,
        workDir: world.folder,
      },
    });
  });

  it("tells the worker which calls the user declined, and does not make them", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const worker = fakeModel("openai/model-w", (request) => {
      const { made } = readStep(request);
      return [made.length === 0 ? asks("bash", { command: "touch part-x" }) : words(made[0]?.output ?? "")];
    });
    await world.start({ ...builders(1), worker, approve: async () => false });
    expect(world.events.find(({ type }) => type === "round-saved")).toMatchObject({
      report: "The user declined this call. It was not run.",
    });
    expect(await world.files()).toEqual({});
  });

  it("objects to an instructor that does not decide, and stops when that does not help", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const instructor = fakeModel("anthropic/model-i", ({ messages }) =>
      messages.length > 2 ? [words("Well.")] : [decides({ shouldContinue: true })],
    );
    expect(await world.start({ instructor })).toMatchObject({ reason: "unclear", rounds: 0 });
    expect(world.events.filter(({ type }) => type === "objected").length).toBe(2);
  });

  it("goes on when its worker removes the folder that it works in, and says so", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const worker = fakeModel("openai/model-w", (request) => {
      const { made } = readStep(request);
      return [made.length === 0 ? asks("bash", { command: `rm -rf ${world.folder}` }) : words("It is gone.")];
    });
    expect(await world.start({ ...builders(2), worker })).toMatchObject({ reason: "done", rounds: 2 });
    const [first] = world.events.filter(({ type }) => type === "round-saved");
    expect(first).toMatchObject({ report: "It is gone.", files: { reason: expect.any(String) } });
  });

  it("is refused without a task, and with a limit of cost that cannot be held", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    await expect(world.start({ task: " " })).rejects.toMatchObject({ code: "no-task" });
    await expect(world.start({ limits: { cost: 1 } })).rejects.toMatchObject({ code: "no-price" });
  });
});

describe("a run that was stopped", () => {
  // Seed 3: 9.3
  it("in the middle of a command goes on from there, and tells the worker", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const stop = new AbortController();
    const worker = fakeModel("openai/model-w", (request) => {
      const { instruction, made } = readStep(request);
      return instruction === "Do part 2." && made.length === 1
        ? [asks("bash", { command: "echo part-2 >> journal.txt; sleep 600" }, "slow")]
        : builds(request);
    });
    const tell = (event: RunEvent) => {
      if (event.type === "tool-started" && event.call.call === "slow")
        void untilWritten(join(world.folder, "journal.txt"), "part-2").then(() =>
          stop.abort(new Error("Enough.")),
        );
    };
    await expect(world.start({ worker, tell }, stop.signal)).rejects.toThrow("Enough.");
    const outcome = await world.resume({});
    expect(outcome).toMatchObject({ reason: "done", rounds: 3 });
    expect(await world.files()).toEqual(builtFiles(3));
    const entries = await world.entries(outcome.session);
    expect(roundsIn(entries)).toEqual([1, 2, 3]);
    expect(JSON.stringify(entries)).toContain("Interrupted: it was stopped while it was running.");
  });

  // Seed 3: 8.6
  it("by a model that fails says why, and goes on from there with what had come", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const failing = {
      ...fakeModel("openai/model-w", builds),
      stream: async function* () {
        yield { type: "text" as const, text: "I will" };
        throw new AppError("The reply of OpenAI broke off.", { kind: "io", code: "model-lost" });
      },
    };
    await expect(world.start({ worker: failing })).rejects.toThrow("The reply of OpenAI broke off.");
    const { session } = await world.resume({});
    const entries = await world.entries(session);
    expect(await world.files()).toEqual(builtFiles(3));
    expect(entries.filter((entry) => entry.kind === "message" && entry.interrupted === true)).toMatchObject([
      { strand: "worker", parts: [{ type: "text", text: "I will" }] },
    ]);
    expect(kinds(entries).filter((kind) => kind === "interrupted" || kind === "resumed")).toEqual([
      "interrupted",
      "resumed",
    ]);
  });

  // Seed 3: 8.2
  it("by its limit goes on with as many rounds again, and with the models that it is given", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const { session } = await world.start({ ...builders(5), limits: { rounds: 2 } });
    const here = { cwd: world.folder, home: dir.join("home"), env: gitEnv };
    const worker = fakeModel("anthropic/model-v", builds);
    {
      await using run = await resumeLastRun({ ...here, ...builders(5), worker });
      expect(run.restored).toEqual({
        ...{
          since: expect.any(Date),
          rounds: 2,
          remaining: 2,
          left: { ...noLimits, rounds: 2 },
          file: undefined,
        },
        changes: [{ setting: "workerModel", before: "openai/model-w", now: "anthropic/model-v" }],
      });
      expect(await run.drive(new AbortController().signal)).toMatchObject({
        session,
        reason: "rounds",
        rounds: 4,
      });
    }
    const sessionFile = dir.join("session.json");
    const last = await world.resume({ ...builders(5), limits: { rounds: 9 }, session, sessionFile });
    expect(last).toMatchObject({ reason: "done", rounds: 5 });
    expect(JSON.parse(await readFile(sessionFile, "utf8"))).toMatchObject({
      currentRound: 5,
      remainingRounds: 8,
    });
    expect(await world.files()).toEqual(builtFiles(5));
  });
});

describe("a run that is done", () => {
  it("is resumed with further instructions only, which the instructor gets", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    await world.start(builders(1));
    await expect(world.resume({})).rejects.toMatchObject({ code: "run-done" });
    const seen: string[] = [];
    const instructor = fakeModel("anthropic/model-i", (request) => {
      const last = request.messages.at(-1);
      if (last?.role === "user") seen.push(...last.parts.map(({ text }) => text));
      return directs(3)(request);
    });
    expect(await world.resume({ instructor, more: "Part 2, please." })).toMatchObject({ reason: "done" });
    expect(seen).toEqual(["Part 2, please."]);
  });
});

describe("a session", () => {
  it("that another process drives cannot be resumed meanwhile", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const here = { cwd: world.folder, home: dir.join("home"), env: gitEnv };
    await using _run = await startRun({ ...here, ...builders(1), task: "Build it." });
    await expect(world.resume({})).rejects.toMatchObject({ code: "session-in-use" });
  });

  // Seed 3: 4.3, 6.2
  it("must be a run, and there, to be resumed", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    await expect(world.resume({})).rejects.toMatchObject({ code: "no-run" });
    await expect(world.resume({ session: "nothing" })).rejects.toMatchObject({ code: "session-not-found" });
    await rm(dir.join("home"), { recursive: true });
  });
});
