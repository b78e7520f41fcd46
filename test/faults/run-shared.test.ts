import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../support/postgres-database.ts";
import {
  hangsAtTheEnd,
  openRunMachines,
  type RunMachines,
  sessionIn,
  writesFiles,
} from "../support/run-machines.ts";
import { ends, goesOn, runScenario, runs } from "../support/run-scenario.ts";

async function setCloud({ ada, ben }: RunMachines, address: string): Promise<void> {
  for (const { home } of [ada, ben])
    await writeFile(join(home, "config.yaml"), `cloud: ${JSON.stringify(address)}\n`, { mode: 0o600 });
}

/** Goes from one machine to the other and back; each knows nothing of the other but the cloud. */
async function goAround({ ada, ben, server }: RunMachines): Promise<void> {
  const first = await ada.run("Write three files.", "-r", "1", "--save-to-cloud");
  const session = sessionIn(first);
  expect([first.code, first.err]).toEqual([0, expect.stringContaining("Resume with: ")]);
  const second = await ben.run("--resume", "--from-cloud", "-d", ".", "-r", "1", "--save-to-cloud");
  expect([second.code, sessionIn(second)]).toEqual([0, session]);
  expect(second.err).toContain("  Round: 1\n  Remaining: 1\n");
  const third = await ada.run("--from-cloud", "--session", session, "-d", ".", "--save-to-cloud");
  expect([third.code, sessionIn(third), third.out]).toEqual([0, session, "All parts are there.\n"]);
  expect(third.err).toContain("  Round: 2\n");
  expect([await ada.parts(), await ben.parts()]).toEqual([["part-1.txt", "part-3.txt"], ["part-2.txt"]]);
  expect(server.refusals).toEqual([]);
}

describe("a run in the cloud", () => {
  // Seed 3: 10.1
  it("goes from machine to machine on a disk", async () => {
    await using world = await openRunMachines(writesFiles(3));
    await setCloud(world, world.ada.path("drive", "carryon"));
    await goAround(world);
  });

  // Seed 3: 10.1, 10.2
  it("goes from machine to machine through a server", async () => {
    await using database = await openDatabase();
    await using world = await openRunMachines(writesFiles(3));
    await setCloud(world, database.url);
    await goAround(world);
  });

  // Seed 3: 10.2
  it("that went on in both places goes on as the one of the cloud, beside the one that is here", async () => {
    await using world = await openRunMachines(writesFiles(4));
    const { ada, ben } = world;
    await setCloud(world, ada.path("drive"));
    const session = sessionIn(await ada.run("Write.", "-r", "1", "--save-to-cloud"));
    await ben.run("--from-cloud", "-d", ".", "-r", "1", "Say it so.", "--save-to-cloud");
    await ada.run("--resume", "-r", "1", "Say it otherwise.");
    const both = await ada.run("--from-cloud", "-d", ".", "-r", "1");
    expect([both.code, sessionIn(both)]).toEqual([0, `${session}-ben-desktop`]);
    expect(await ada.ask(ada.folder, ["show", sessionIn(both)])).toContain("Say it so.");
    expect(await ada.ask(ada.folder, ["show", session])).toContain("Say it otherwise.");
  });

  it("that cannot be reached any more does not stop the run, and is told at its end", async () => {
    const script = runScenario(
      [goesOn("Take the disk away."), ends("It is away.")],
      [runs("rm -rf ../drive && touch ../drive"), { text: "Done." }],
    );
    await using world = await openRunMachines(script.rules ?? []);
    const { ada } = world;
    await setCloud(world, ada.path("drive"));
    const { code, out, err } = await ada.run("Take it away.", "--save-to-cloud");
    expect([code, out]).toEqual([74, "It is away.\n"]);
    expect(err).toContain(
      `The copy of the session could not be written. The store cannot be in ${ada.path("drive")}: `,
    );
    expect((await ada.call(ada.folder, ["run", "--list-sessions"])).out).toContain("done");
  });

  // Seed 3: 10.2
  it("is refused before anything is asked where there is none, or where it is this store", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const ask = async (...args: readonly string[]) => {
      const { code, err } = await ada.run(...args);
      return `${code} ${err.split("\n")[0]}`;
    };
    expect(await ask("Write.", "--save-to-cloud")).toBe("3 carryon: No store in the cloud is set.");
    expect(await ask("--from-cloud")).toBe("3 carryon: No store in the cloud is set.");
    await setCloud(world, ada.home);
    expect(await ask("Write.", "--save-to-cloud")).toMatch(
      /^2 carryon: \S+ is the store of this machine itself\.$/,
    );
    await setCloud(world, `${ada.folder}/cloud`);
    expect(await ask("Write.", "--save-to-cloud")).toMatch(/^2 carryon: \S+ is in the git repository \S+: a/);
    await setCloud(world, ada.path("empty"));
    expect(await ask("--from-cloud")).toMatch(/^2 carryon: There is no store at \S+ yet\.$/);
    expect(await ask("Write.", "--save-to-cloud", "--no-auto-save")).toMatch(/cannot be used with option/);
    expect(world.server.requests).toEqual([]);
    expect((await ada.call(ada.folder, ["run", "--list-sessions"])).out).toBe("");
  });
});

describe("a run in a store that machines share", () => {
  // Seed 3: 1.3
  it("is gone on with from another home, in another clone", async () => {
    await using database = await openDatabase();
    await using world = await openRunMachines(writesFiles(3), { CARRYON_STORE: database.url });
    const { ada, ben, server } = world;
    const session = sessionIn(await ada.run("Write three files.", "-r", "1"));
    const second = await ben.run("--resume", "-d", ".", "-w", "openai/gpt-5.6", "-r", "1");
    expect([second.code, sessionIn(second)]).toEqual([0, session]);
    expect(second.err).toContain(
      `  Round: 1\n  Remaining: 1\n  The worker's model is openai/gpt-5.6; it was anthropic/claude-sonnet-5-5.\n` +
        `  The folder is ${ben.folder}; it was ${ada.folder}.\n`,
    );
    const third = await ada.run("--resume", "-d", ".");
    expect([third.code, sessionIn(third), third.out]).toEqual([0, session, "All parts are there.\n"]);
    expect([await ada.parts(), await ben.parts()]).toEqual([["part-1.txt", "part-3.txt"], ["part-2.txt"]]);
    expect(server.refusals).toEqual([]);
  });

  it("that was killed on one machine is gone on with on another, which does not repeat what was done", async () => {
    await using database = await openDatabase();
    const script = hangsAtTheEnd(writesFiles(2));
    await using world = await openRunMachines(script, { CARRYON_STORE: database.url });
    const { ada, ben, server } = world;
    const child = ada.start("run", "Write two files.", "--yes");
    await server.waitFor(({ failure }) => failure !== undefined);
    child.kill("SIGKILL");
    await once(child, "close");
    const resumed = await ben.run("--resume", "-d", ".");
    expect([resumed.code, resumed.out]).toEqual([0, "All parts are there.\n"]);
    expect(resumed.err).toContain("  Round: 1\n");
    expect([await ada.parts(), await ben.parts()]).toEqual([["part-1.txt", "part-2.txt"], []]);
  });
});
