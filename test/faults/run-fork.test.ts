import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openRunMachines, type RunMachines, sessionIn, writesFiles } from "../support/run-machines.ts";

type Machine = RunMachines["ada"];

const all = ["part-1.txt", "part-2.txt", "part-3.txt"];

/** Three rounds of a run, whose files are there and not committed. */
async function openForked() {
  const world = await openRunMachines(writesFiles(3));
  const session = sessionIn(await world.ada.run("Write three files."));
  return { ...world, session };
}

async function commitAll({ folder }: Machine): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "All parts");
}

async function countSessions(machine: Machine): Promise<number> {
  return JSON.parse(await machine.ask(machine.folder, ["sessions", "--json"])).sessions.length;
}

describe("a run that is forked at a round", () => {
  // Seed 3: 10.3
  it("shares the rounds up to it, goes on from there, and leaves the first as it is", async () => {
    await using world = await openForked();
    const { ada, session } = world;
    const forked = await ada.run("--resume", "--fork-at-round", "1", "-r", "1");
    const fork = sessionIn(forked);
    expect([forked.code, fork === session]).toEqual([0, false]);
    expect(forked.err).toContain(
      `  Round: 1\n  Remaining: 1\n  Forked from ${session} after round 1.\n  The files are as they are now.\n`,
    );
    expect(await ada.parts()).toEqual(all);
    const state = async (id: string) =>
      JSON.parse(await ada.ask(ada.folder, ["export", id, "--format", "claude-master"]));
    const [first, other] = [await state(session), await state(fork)];
    expect([first.currentRound, other.currentRound]).toEqual([3, 2]);
    expect(other.rounds[0]).toEqual(first.rounds[0]);
    expect(world.server.refusals).toEqual([]);
  });

  // Seed 3: 8.5, 9.1
  it("brings the files back as they were after that round, into a clean tree", async () => {
    await using world = await openForked();
    const { ada, session } = world;
    await commitAll(ada);
    const forked = await ada.run(
      "--resume",
      "--session",
      session,
      "--fork-at-round",
      "1",
      "--restore-files",
      "-r",
      "1",
    );
    expect(forked.code).toBe(0);
    expect(forked.err).toContain(`  The files are as they were then: 2 files restored in ${ada.folder}.\n`);
    expect(forked.err).toContain("  Another commit was checked out then; the branch stays where it is.\n");
    expect(await ada.parts()).toEqual(["part-1.txt", "part-2.txt"]);
    expect(await git(ada.folder, "status", "--porcelain")).toBe("D part-3.txt");
  });

  it("brings them back right after the run, and again after the fork, since their rounds keep all that is there", async () => {
    await using world = await openForked();
    const { ada, session } = world;
    const args = ["--session", session, "--fork-at-round", "1", "--restore-files", "-r", "1"];
    for (const count of [2, 1]) {
      const forked = await ada.run(...args);
      expect(forked.code).toBe(0);
      expect(forked.err).toContain(
        `then: ${count} file${count === 1 ? "" : "s"} restored in ${ada.folder}.\n`,
      );
      expect(await ada.parts()).toEqual(["part-1.txt", "part-2.txt"]);
    }
  });

  // Seed 3: 9.1
  it("is refused before anything is written where something is in the way that no round has", async () => {
    await using world = await openForked();
    const { ada } = world;
    await writeFile(join(ada.folder, "part-1.txt"), "mine\n");
    await writeFile(join(ada.folder, "part-3.txt"), "mine\n");
    const refused = await ada.run("--resume", "--fork-at-round", "1", "--restore-files");
    expect([refused.code, refused.err]).toEqual([
      4,
      "carryon: The files were not restored: this would overwrite part-1.txt, and remove part-3.txt.\n" +
        "  Commit or move away what is there, or restore into a new work tree: `--worktree`.\n",
    ]);
    expect([await ada.parts(), await countSessions(ada)]).toEqual([all, 1]);
  });

  // Seed 3: 9.2, 10.3
  it("goes on in a new work tree, in the same folder of it, and touches nothing of the first", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    const inner = join(ada.folder, "inner");
    await mkdir(inner);
    await ada.call(inner, ["run", "Write three files.", "--yes"]);
    const stopped = await ada.call(inner, [
      ...["run", "--resume", "--fork-at-round", "1", "--worktree", "../../first", "-r", "1", "--yes"],
    ]);
    expect(stopped.err).toContain(
      `Resume with: carryon run --resume --session ${sessionIn(stopped)} -d ${ada.path("first", "inner")}\n`,
    );
    const forked = await ada.call(inner, [
      ...["run", "--session", "latest", "-d", ada.path("first", "inner"), "--fork-at-round", "2"],
      ...["--worktree", "../../other", "--yes"],
    ]);
    expect([forked.code, forked.out]).toEqual([0, "All parts are there.\n"]);
    const other = ada.path("other", "inner");
    expect(forked.err).toContain(`  The folder is ${other}; it was ${ada.path("first", "inner")}.\n`);
    expect(await ada.parts(other)).toEqual(all);
    expect(await ada.parts(inner)).toEqual(all);
    expect(await git(ada.folder, "worktree", "list", "--porcelain")).toContain(ada.path("other"));
    await rm(join(other, "part-3.txt"));
    expect(await ada.parts(inner)).toEqual(all);
  });

  it("works in its own folder of a new work tree, wherever it is started, or in one that is named", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    const [sub, inner] = [join(ada.folder, "sub"), join(ada.folder, "sub", "in")];
    await mkdir(inner, { recursive: true });
    const session = sessionIn(await ada.call(inner, ["run", "Write three files.", "--yes"]));
    const fork = (cwd: string, ...args: readonly string[]) =>
      ada.call(cwd, ["run", "--session", session, "--fork-at-round", "1", "-r", "1", "--yes", ...args]);
    await fork(sub, "--worktree", "../../one");
    expect(await ada.parts(ada.path("one", "sub", "in"))).toEqual(["part-1.txt", "part-2.txt"]);
    await fork(inner, "-d", sub, "--worktree", "../../../two");
    expect(await ada.parts(ada.path("two", "sub"))).toEqual(["part-2.txt"]);
    await rm(inner, { recursive: true });
    await fork(ada.folder, "--worktree", "../three");
    expect(await ada.parts(ada.path("three", "sub", "in"))).toEqual(["part-1.txt", "part-2.txt"]);
  });

  it("says which round there is not, and which files are not kept", async () => {
    await using world = await openForked();
    const { ada, ben, session } = world;
    const ask = async (machine: Machine, ...args: readonly string[]) => {
      const { code, err } = await machine.run(...args);
      return `${code} ${err.split("\n")[0]}`;
    };
    expect(await ask(ada, "--resume", "--fork-at-round", "4")).toBe(
      `2 carryon: ${session} has no finished round 4.`,
    );
    expect(await ask(ada, "--resume", "--restore-files")).toBe(
      "2 carryon: Files are restored as they were after a round, and none was named.",
    );
    await ada.ask(ada.folder, ["push", ben.home, "--create"]);
    const elsewhere = ["--resume", "--session", session, "--fork-at-round", "1", "-d", "."];
    expect(await ask(ben, ...elsewhere, "--restore-files")).toBe(
      "2 carryon: The files after round 1 are not in this repository.",
    );
    expect([await countSessions(ada), await countSessions(ben)]).toEqual([1, 1]);
    const plain = ada.path("plain");
    await mkdir(plain);
    await ada.call(plain, ["run", "Write three files.", "--yes"]);
    const none = await ada.call(plain, ["run", "--fork-at-round", "1", "--restore-files", "--yes"]);
    expect(none.err.split("\n")[0]).toBe(
      "carryon: The files after round 1 were not kept: the folder is in no git repository.",
    );
  });

  it("writes no session over the file of another", async () => {
    await using world = await openForked();
    const { ada } = world;
    const file = ada.path("session.json");
    await writeFile(file, "{}");
    const refused = await ada.run("--fork-at-round", "1", "--session-file", file);
    expect([refused.code, refused.err.split("\n")[0]]).toEqual([
      2,
      `carryon: ${file} is there already, and a run begins anew.`,
    ]);
  });
});
