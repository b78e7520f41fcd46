import { once } from "node:events";
import { chmod, cp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hangsAtTheEnd, openRunMachines, sessionIn, writesFiles } from "../support/run-machines.ts";

const firstLines = (text: string, count: number) => text.split("\n").slice(0, count).join("\n");

describe("a run on another machine", () => {
  // Seed 3: 1.3, 4.4, 5.3, 6.1, 8.4
  it("goes on from its session file, in the folder that is named, and keeps the file up to date", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada, ben } = world;
    const file = ada.path("session.json");
    const first = await ada.run("Write three files.", "-r", "1", "--session-file", file);
    const session = sessionIn(first);
    const other = ben.path("session.json");
    await cp(file, other);
    // A copy may be readable by all.
    await chmod(other, 0o644);

    const lost = await ben.run("--resume", "--session-file", other);
    expect([lost.code, lost.err]).toEqual([
      2,
      `carryon: The run worked in ${ada.folder}, which is another folder.\n` +
        `  Say which one it is to work in: \`-d .\` for this one, \`-d ${ada.folder}\` for that.\n`,
    ]);

    const second = await ben.run("--resume", "--session-file", other, "-d", ".", "-r", "1");
    expect([second.code, sessionIn(second)]).toEqual([0, session]);
    expect(second.err).toContain(
      `  Round: 1\n  Remaining: 1\n  The folder is ${ben.folder}; it was ${ada.folder}.\n`,
    );
    expect(await ben.parts()).toEqual(["part-2.txt"]);
    expect(JSON.parse(await readFile(other, "utf8"))).toMatchObject({
      ...{ sessionId: session, currentRound: 2, remainingRounds: 0 },
      config: { workDir: ben.folder, maxRounds: 1 },
    });
    expect((await stat(other)).mode & 0o777).toBe(0o600);

    // And back: what the file has more is taken over.
    const third = await ada.run("--resume", "--session-file", other, "-d", ".");
    expect([third.code, third.out, sessionIn(third)]).toEqual([0, "All parts are there.\n", session]);
    expect(third.err).toContain("  Round: 2\n  Remaining: 1\n");
    expect(third.err).toContain("  The file had more of this session than the store, which has it now.\n");
    expect(await ada.parts()).toEqual(["part-1.txt", "part-3.txt"]);
    expect(world.server.refusals).toEqual([]);
  });

  it("goes on in the middle of a round, and makes no call again that was made", async () => {
    await using world = await openRunMachines(hangsAtTheEnd(writesFiles(2)));
    const { ada, ben, server } = world;
    const file = ben.path("session.json");
    const child = ada.start("run", "Write two files.", "--yes", "--session-file", file);
    await server.waitFor(({ failure }) => failure !== undefined);
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).toBe(143);
    const resumed = await ben.run("--resume", "--session-file", file, "-d", ".");
    expect([resumed.code, resumed.out]).toEqual([0, "All parts are there.\n"]);
    expect(resumed.err).toContain("  Round: 1\n");
    expect([await ada.parts(), await ben.parts()]).toEqual([["part-1.txt", "part-2.txt"], []]);
    expect(server.refusals).toEqual([]);
  });

  it("asks on a terminal whether to work in the folder that it is in", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada, ben } = world;
    const file = ben.path("session.json");
    await ada.run("Write two files.", "-r", "1", "--session-file", file);
    const resume = ["--resume", "--session-file", file] as const;
    const asked: string[] = [];
    const no = await ben.type((question) => asked.push(question) < 0, ...resume);
    expect(no.code).toBe(2);
    const yes = await ben.type((question) => asked.push(question) > 0, ...resume);
    expect([yes.code, await ben.parts()]).toEqual([0, ["part-2.txt"]]);
    const question = `The run worked in ${ada.folder}. Go on in ${ben.folder}?`;
    expect(asked).toEqual([question, question, "Do you allow this?"]);
  });

  // Seed 3: 4.4
  it("goes on with what the store has where that is more, and says so", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    const file = ada.path("session.json");
    await ada.run("Write three files.", "-r", "1", "--session-file", file);
    const old = await readFile(file);
    const session = sessionIn(await ada.run("--resume", "-r", "1"));
    await writeFile(file, old);
    const last = await ada.run("--resume", "--session-file", file);
    expect([last.code, sessionIn(last)]).toEqual([0, session]);
    expect(last.err).toContain("  Round: 2\n");
    expect(last.err).toContain(
      "  The store has more of this session than the file, and that is gone on with.\n",
    );
    expect(await ada.parts()).toEqual(["part-1.txt", "part-2.txt", "part-3.txt"]);
  });

  // Seed 3: 4.4
  it("becomes a session beside the one in the store where both went on", async () => {
    await using world = await openRunMachines(writesFiles(5));
    const { ada, ben } = world;
    const file = ben.path("session.json");
    const session = sessionIn(await ada.run("Write three files.", "-r", "1", "--session-file", file));
    await ben.run("--resume", "More of it.", "--session-file", file, "-d", ".", "-r", "1");
    await ada.run("--resume", "Something else.", "-r", "1");
    const kept = await readFile(file, "utf8");
    const beside = `${session}-imported`;
    const both = await ada.run("--resume", "--session-file", file, "-d", ".", "-r", "1");
    expect([both.code, sessionIn(both)]).toEqual([0, beside]);
    expect(both.err).toContain(
      `  The file and session ${session} of the store have gone different ways; this is what the file has.\n` +
        `  The file stays as it is. To keep this session in a new one: --session ${beside} --session-file NEW\n`,
    );
    expect(await readFile(file, "utf8")).toBe(kept);
    const further = await ada.run("--resume", "And on.", "--session-file", file, "-d", ".", "-r", "1");
    expect([sessionIn(further), await readFile(file, "utf8")]).toEqual([beside, kept]);
    const other = ada.path("new.json");
    await ada.run("--resume", "On.", "--session", beside, "--session-file", other, "-r", "1");
    expect(JSON.parse(await readFile(other, "utf8"))).toMatchObject({ sessionId: beside });
    // Where the file comes from, it is still that of the session there.
    const back = await ben.run("--resume", "Back.", "--session-file", file, "-r", "1");
    expect([back.code, sessionIn(back)]).toEqual([0, session]);
  });

  // Seed 3: 8.4
  it("stays without a limit of rounds where it had none", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada, ben } = world;
    const file = ben.path("session.json");
    const stopped = await ada.run("Write three files.", "--max-tokens", "1", "--session-file", file);
    expect(stopped.err).toContain("The limit of tokens is reached.");
    const state = JSON.parse(await readFile(file, "utf8"));
    expect([state.config.maxRounds, state.remainingRounds]).toEqual([null, null]);
    const resumed = await ben.run("--resume", "--session-file", file, "-d", ".", "--max-tokens", "1000000");
    expect([resumed.code, resumed.out]).toEqual([0, "All parts are there.\n"]);
    expect(resumed.err).toContain("  Remaining: 1,000,000 tokens\n");
  });
});

describe("a run in a folder that was moved", () => {
  it("goes on in the new place when that is said", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    await ada.run("Write two files.", "-r", "1");
    const moved = ada.path("moved");
    await rename(ada.folder, moved);
    const lost = await ada.call(moved, ["run", "--resume", "--yes"]);
    expect([lost.code, firstLines(lost.err, 1)]).toEqual([
      2,
      `carryon: The run worked in ${ada.folder}, which is another folder.`,
    ]);
    const found = await ada.call(ada.path(), ["run", "--resume", "-d", moved, "--yes"]);
    expect([found.code, await ada.parts(moved)]).toEqual([0, ["part-1.txt", "part-2.txt"]]);
    const asked = world.server.requests.at(-1);
    expect(JSON.stringify(asked)).not.toContain(ada.folder);
  });
});

describe("the argument of a resume", () => {
  // Seed 3: 1.2
  it("is never taken for a session, whatever it looks like", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const one = sessionIn(await ada.run("First.", "-r", "1"));
    const other = sessionIn(await ada.run("Second.", "-r", "1"));
    const resumed = await ada.run("--resume", one, "-r", "1");
    expect([resumed.code, sessionIn(resumed)]).toEqual([0, other]);
    expect(await ada.ask(ada.folder, ["show", other])).toContain(one);
  });
});

describe("the model of a resumed run", () => {
  // Seed 3: 9.4, 11.2
  it("may be another one, which is said once", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    await ada.run("Write two files.", "-r", "1");
    const { code, err } = await ada.run("--resume", "-w", "openai/gpt-5.6");
    expect(code).toBe(0);
    expect(err.match(/worker's model.*/g)).toEqual([
      "worker's model is openai/gpt-5.6; it was anthropic/claude-sonnet-5-5.",
    ]);
  });

  // Seed 3: 9.4, 11.2
  it("is named, with the option for another one, where it is gone", async () => {
    const gone = { model: "gpt-old", story: [{ error: { status: 404, message: "no such model" } }] };
    await using world = await openRunMachines([gone, ...writesFiles(2)]);
    const { ada } = world;
    const lost = await ada.run("Write two files.", "-w", "openai/gpt-old");
    expect([lost.code, lost.err.split("\n").slice(-4)]).toEqual([
      2,
      [
        expect.stringMatching(/^carryon: \S+ has no model gpt-old/),
        "  It is the worker's: name another one with -w.",
        expect.stringMatching(/^ {2}Resume with: carryon run --resume --session \S+$/),
        "",
      ],
    ]);
    expect((await ada.run("--resume", "-w", "openai/gpt-5.6")).code).toBe(0);
  });

  it("is named where this machine cannot reach it, or another program wrote its name", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const file = ada.path("session.json");
    await ada.run("Write two files.", "-r", "1", "--session-file", file);
    const state = JSON.parse(await readFile(file, "utf8"));
    const config = { ...state.config, instructorModel: "glm" };
    const elsewhere = ada.path("glm.json");
    await writeFile(elsewhere, JSON.stringify({ ...state, sessionId: "session-glm", config }));
    const { code, err } = await ada.run("--resume", "--session-file", elsewhere);
    expect([code, firstLines(err, 2)]).toEqual([
      2,
      expect.stringMatching(
        /^carryon: The instructor of this run was glm\. glm names no provider that there is\.\n {2}Name another model with `-i`\./,
      ),
    ]);
  });
});

describe("a session file", () => {
  it("is not overwritten by a new run, and not begun by a resume that does not name its session", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const file = ada.path("session.json");
    await ada.run("Write two files.", "-r", "1", "--session-file", file);
    const before = await readFile(file, "utf8");
    const ask = async (...args: readonly string[]) => {
      const { code, err } = await ada.run(...args);
      return `${code} ${firstLines(err, 1)}`;
    };
    expect(await ask("Another task.", "--session-file", file)).toBe(
      `2 carryon: ${file} is there already, and a run begins anew.`,
    );
    expect(await readFile(file, "utf8")).toBe(before);
    await rm(file);
    expect(await ask("--resume", "--session-file", file)).toBe(
      `2 carryon: There is no session file ${file}.`,
    );
    const nowhere = ada.path("no", "where.json");
    expect(await ask("Another task.", "--session-file", nowhere)).toBe(
      `2 carryon: The folder of ${nowhere} does not exist.`,
    );
    await writeFile(file, before);
    const other = sessionIn(await ada.run("Another task.", "-r", "1"));
    expect(await ask("--resume", "--session", other, "--session-file", file)).toMatch(
      /^2 carryon: The session file holds session \S+, and another one was named\.$/,
    );
  });

  it("is refused by its name before anything is done where a link or a folder is in its place", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const link = ada.path("link.json");
    await symlink(ada.path("gone.json"), link);
    const ask = async (...args: readonly string[]) => (await ada.run(...args)).err.split("\n")[0];
    expect(await ask("Write a file.", "--session-file", link)).toContain(link);
    const folder = ada.path();
    for (const args of [["Write a file."], ["--resume", "--session", "latest"]])
      expect(await ask(...args, "--session-file", folder)).toBe(`carryon: ${folder} is not a regular file.`);
    expect([await ada.parts(), world.server.requests.length]).toEqual([[], 0]);
  });

  // Seed 3: 4.7
  it("is read and not written without auto-save, and everything is in the log all the same", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const file = ada.path("session.json");
    const session = sessionIn(await ada.run("Write.", "-r", "1", "--session-file", file, "--no-auto-save"));
    await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" });
    await ada.ask(ada.folder, ["export", session, "--format", "claude-master", "--output", file]);
    const before = await readFile(file, "utf8");
    const resumed = await ada.run("--resume", "--session-file", file, "--no-auto-save");
    expect([resumed.code, resumed.out, await readFile(file, "utf8")]).toEqual([
      0,
      "All parts are there.\n",
      before,
    ]);
    expect(await ada.ask(ada.folder, ["show", session])).toContain("Wrote part-2.txt.");
  });
});
