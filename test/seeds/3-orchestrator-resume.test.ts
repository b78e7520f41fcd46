import { once } from "node:events";
import { mkdir, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import {
  hangsAtTheEnd,
  openRunMachines,
  type RunMachines,
  sessionIn,
  writesFiles,
} from "../support/run-machines.ts";
import { ends, goesOn, runScenario, writes } from "../support/run-scenario.ts";

type Machine = RunMachines["ada"];

const sessions = ".claude-master/sessions";

async function readState(machine: Machine, name = "current.json") {
  return JSON.parse(await readFile(join(machine.folder, sessions, name), "utf8"));
}

/** Returns what is listed of the runs here, without what differs each time. */
async function listRuns(machine: Machine): Promise<readonly unknown[]> {
  const { out } = await machine.call(machine.folder, ["run", "--list-sessions", "--json"]);
  return JSON.parse(out).sessions.map(({ rounds, reason, status, title }: Record<string, unknown>) => ({
    ...{ rounds, reason, status, title },
  }));
}

/** Starts a run that hangs at its end, and stops it with Ctrl+C once all of its files are there. */
async function interrupt(machine: Machine): Promise<number | null> {
  const running = machine.start("run", "Long task", "--yes");
  while ((await machine.parts()).length < 2 && running.exitCode === null) await sleep(20);
  running.kill("SIGINT");
  const [code] = await once(running, "close");
  return code;
}

describe("use case 1: recovery after an unexpected interruption", () => {
  // Seed 3: 1.1, 4.2
  it.each(["--resume", "--continue"])("goes on with %s after Ctrl+C, and repeats no round", async (flag) => {
    await using world = await openRunMachines(hangsAtTheEnd(writesFiles(2)));
    const { ada } = world;
    expect(await interrupt(ada)).toBe(130);
    expect(await listRuns(ada)).toMatchObject([{ rounds: 1, reason: null, status: "interrupted" }]);
    const { code, err } = await ada.run(flag);
    expect([code, await ada.parts()]).toEqual([0, ["part-1.txt", "part-2.txt"]]);
    expect(err).toMatch(/^Resuming session from \S+\n {2}Round: 1\n {2}Remaining: without a limit\n/);
    expect(err).not.toContain("Round 1:");
  });

  // Seed 3: 6.2
  it("says so where there is no session to resume", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { code, err } = await world.ada.run("--resume");
    expect([code, err.split("\n")[0]]).toEqual([
      2,
      "carryon: No session to resume: there is no run in this project.",
    ]);
  });
});

describe("use case 2: work in stages", () => {
  // Seed 3: 8.2
  it("stops after -r rounds, and goes on later with further instructions", async () => {
    const parts = ["part-1.txt", "part-2.txt", "part-3.txt"];
    const [one = "", two = "", three = ""] = parts.map((part) => `Write ${part}.`);
    // The step that was decided at the limit is decided anew: the user has something to say first.
    const { rules = [] } = runScenario(
      [...[one, two, three, three].map(goesOn), ends("All parts are there.")],
      parts.flatMap((part) => [writes(part), { text: `Wrote ${part}.` }]),
    );
    await using world = await openRunMachines([...rules]);
    const { ada } = world;
    const first = await ada.run("Implement feature part 1", "-r", "2");
    expect([first.code, first.err.includes("The limit of rounds is reached.")]).toEqual([0, true]);
    expect(await listRuns(ada)).toEqual([
      { rounds: 2, reason: "rounds", status: "ended", title: "Implement feature part 1" },
    ]);
    const second = await ada.run("--resume", "Continue with part 2");
    expect([second.code, await ada.parts()]).toEqual([0, parts]);
    expect(second.err).toContain("You say: Continue with part 2");
    expect(await listRuns(ada)).toMatchObject([{ rounds: 3, reason: "done", status: "ended" }]);
  });
});

describe("use case 3: several devices", () => {
  // Seed 3: 1.3
  it("goes on elsewhere with --resume --session-file", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada, ben } = world;
    const file = ada.path("session.json");
    await ada.run("Start project", "-r", "1", "--session-file", file);
    const { code } = await ben.run("--resume", "--session-file", file, "-d", ".");
    expect([code, await ben.parts()]).toEqual([0, ["part-2.txt"]]);
  });

  it.each(["--session", "current.json"])(
    "goes on elsewhere from the folder of sessions, by %s",
    async (by) => {
      await using world = await openRunMachines(writesFiles(2));
      const { ada, ben } = world;
      const dir = ["--session-dir", join(ada.folder, sessions)];
      const id = sessionIn(await ada.run("Start project", "-r", "1", ...dir));
      const which = by === "--session" ? ["--session", id] : [];
      const { code, err } = await ben.run("--resume", ...which, ...dir, "-d", ".");
      expect([code, err.includes("  Round: 1\n")]).toEqual([0, true]);
      expect(await readState(ada)).toMatchObject({ sessionId: id, currentRound: 2 });
    },
  );
});

describe("file storage", () => {
  it("goes on being kept in its folder at a plain resume, and says so where the folder is gone", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    await ada.run("Three files", "-r", "1", "--session-dir", sessions);
    await ada.run("--resume", "-r", "1");
    expect(await readState(ada)).toMatchObject({ currentRound: 2 });
    await rm(join(ada.folder, sessions), { recursive: true });
    const { code, err } = await ada.run("--resume", "-r", "1");
    expect([code, await ada.parts()]).toEqual([0, ["part-1.txt", "part-2.txt", "part-3.txt"]]);
    expect(err).toMatch(
      /The copy of the session could not be written\. \S+\.json is gone, or cannot be read\./,
    );
  });

  it("takes in what another machine has written into its folder", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada, ben } = world;
    const dir = ["--session-dir", join(ada.folder, sessions)];
    await ada.run("Three files", "-r", "1", ...dir);
    await ben.run("--resume", "-r", "1", ...dir, "-d", ".");
    const { err } = await ada.run("--resume", "-r", "1", "-d", ".");
    expect([err.includes("  Round: 2\n"), await readState(ada)]).toMatchObject([true, { currentRound: 3 }]);
  });

  // Seed 3: 3.3
  it("keeps a file for each session and current.json, beside the store, for the owner alone", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const run = (task: string) => ada.run(task, "-r", "1", "--session-dir", sessions);
    const ids = [sessionIn(await run("First task")), sessionIn(await run("Second task"))];
    const folder = join(ada.folder, sessions);
    const [first = "", second = ""] = ids.map((id) => `${id}.json`);
    expect(await readdir(folder)).toEqual(["current.json", ...[first, second].sort()]);
    expect(await readlink(join(folder, "current.json"))).toBe(second);
    expect((await stat(join(folder, first))).mode & 0o777).toBe(0o600);
    const state = await readState(ada, first);
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining([
        ...["sessionId", "createdAt", "lastUpdatedAt", "version", "config", "currentRound"],
        ...["remainingRounds", "instructor", "worker", "lastInstruction", "lastInstructorResponse"],
      ]),
    );
    expect(state).toMatchObject({
      ...{ sessionId: ids[0], currentRound: 1, remainingRounds: 0, lastInstruction: "Write part-1.txt." },
      config: { instructorModel: "anthropic/claude-sonnet-5-5", maxRounds: 1, useThinking: true },
      lastInstructorResponse: { shouldContinue: true, needsCorrection: false },
    });
    expect(JSON.stringify(state)).not.toContain("sk-ant-test");
    // They are no work of a round, and nothing to import.
    const kept = await git(ada.folder, "ls-tree", "-r", "--name-only", `refs/carryon/rounds/${ids[1]}/1`);
    expect(kept.split("\n").sort()).toEqual(["part-1.txt"]);
    const { err } = await ada.run("--resume", "--session", `${ids[0]}`.slice("session-".length));
    expect(err).not.toContain("claude-master");
  });

  it("is left out of saves, by any name, and where claude-master wrote it", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    await ada.run("One file", "-r", "1", "--session-dir", "kept [1]");
    await mkdir(join(ada.folder, sessions), { recursive: true });
    await writeFile(join(ada.folder, sessions, "session-2025-11-08-15-30-00.json"), "{}");
    await ada.call(ada.folder, ["save"]);
    const committed = await git(ada.folder, "ls-tree", "-r", "--name-only", "HEAD");
    expect(committed.trim().split("\n").sort()).toEqual(["part-1.txt"]);
  });

  it.each([sessions, "kept"])("belongs to no round, also where git tracks it: %s", async (dir) => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    await ada.run("Three files", "-r", "1", "--session-dir", dir);
    await git(ada.folder, "add", "--force", dir);
    await ada.run("--resume", "-r", "1");
    const fork = ["--fork-at-round", "1", "--restore-files", "-r", "1"];
    const said = await ada.run("--resume", ...fork);
    expect(said).toMatchObject({ code: 0, err: expect.not.stringContaining("could not be written") });
    const written = await readlink(join(ada.folder, dir, "current.json"));
    expect(written).toBe(`${sessionIn(said)}.json`);
  });

  it("is not there without --session-dir, and is offered where claude-master had it", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const hint = "`--session-dir .claude-master/sessions` keeps a file of the run there too.\n";
    expect((await ada.run("First task")).err).not.toContain(hint);
    expect(await readdir(ada.folder)).not.toContain(".claude-master");
    await mkdir(join(ada.folder, sessions), { recursive: true });
    expect((await ada.run("Second task", "-r", "1")).err).toContain(hint);
    expect((await ada.run("Third task", "-r", "1", "--session-dir", sessions)).err).not.toContain(hint);
    expect((await ada.run("Fourth task", "-r", "1", "--session-dir", sessions, "--no-auto-save")).code).toBe(
      0,
    );
    expect(await readdir(join(ada.folder, sessions))).toHaveLength(2);
  });
});

describe("CLI options", () => {
  it("lists the sessions with their rounds and why each ended, and cleans old ones", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const list = async () => {
      const { out, err } = await ada.call(ada.folder, ["run", "--list-sessions"]);
      return `${out}${err}`.split("\n").map((row) => row.split(/ {2,}/).slice(2).join(" | "));
    };
    await ada.run("Two files", "-r", "1");
    expect(await list()).toContain("1 | limit of rounds | carryon-run | main | Two files");
    await ada.run("--resume");
    expect(await list()).toContain("2 | done | carryon-run | main | Two files");
    expect((await ada.inAYear("run", "--clean-sessions", "--older-than", "7d", "--yes")).code).toBe(0);
    expect(await listRuns(ada)).toEqual([]);
  });
});

describe("future enhancements", () => {
  // Seed 3: 10.3, 10.4, 10.5, 10.6
  it("forks at a round, replays with another model by its short name, compares and merges", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const origin = sessionIn(await ada.run("Write two files"));
    const replayed = await ada.run("--replay", origin, "--with-model", "haiku");
    expect([replayed.code, replayed.err.includes(`, a replay of ${origin}\n`)]).toEqual([0, true]);
    const asked = new Set(world.server.requests.map(({ body }) => body?.model));
    expect([...asked]).toEqual(["claude-sonnet-5-5", "claude-haiku-5-5"]);
    const fork = sessionIn(await ada.run("--resume", "--fork-at-round", "1"));
    expect((await ada.call(ada.folder, ["run", "--diff", origin, fork])).code).toBe(0);
    expect((await ada.call(ada.folder, ["run", "--merge", origin, fork])).code).toBe(0);
  });
});
