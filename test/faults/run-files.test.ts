import { mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openRunMachines, sessionIn, writesFiles } from "../support/run-machines.ts";
import { ends, goesOn, runScenario, runs, writes } from "../support/run-scenario.ts";

/** Returns the sessions whose files a repository keeps, with the number of rounds. */
async function keptIn(folder: string): Promise<Readonly<Record<string, number>>> {
  const refs = await git(folder, "for-each-ref", "--format=%(refname)", "refs/carryon/rounds");
  const sessions = refs.split("\n").flatMap((ref) => ref.split("/")[3] ?? []);
  return Object.fromEntries(
    sessions.map((session) => [session, sessions.filter((each) => each === session).length]),
  );
}

describe("the files of a run", () => {
  it("that are not kept are told once, and by a restore", async () => {
    const { rules = [] } = runScenario(
      [goesOn("Make big.bin."), goesOn("Let it grow."), ends("Done.")],
      [
        ...[runs("head -c 6000000 /dev/zero > big.bin"), { text: "Made it." }],
        ...[runs("head -c 7000000 /dev/zero > big.bin"), writes("small.txt"), { text: "It grew." }],
      ],
    );
    await using world = await openRunMachines(rules);
    const { ada } = world;
    const { err } = await ada.run("Make a large file.");
    expect(err.match(/^Not kept.*$/gm)).toEqual([
      "Not kept of its files: big.bin (it is over 5 MB, 6.0 MB).",
    ]);
    const forked = await ada.run("--fork-at-round", "1", "--worktree", "../other", "-r", "1");
    expect(forked.err).toContain(
      `  The files that were kept are as they were then: 0 files restored in ${ada.path("other")}.\n` +
        "  Not kept then, and not brought back: big.bin (it is over 5 MB, 6.0 MB).\n",
    );
  });

  // Seed 3: 5.7
  it("go with it, in its repository, wherever it is deleted from", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const first = sessionIn(await ada.run("Write two files."));
    const second = sessionIn(await ada.run("Write them again."));
    expect(await keptIn(ada.folder)).toEqual({ [first]: 2, [second]: 2 });
    const before = await git(ada.folder, "status", "--porcelain");
    const elsewhere = ada.path("elsewhere");
    await mkdir(elsewhere);
    const { err } = await ada.call(elsewhere, ["delete", first, "--yes"]);
    expect(err).toContain(`Removed the files of 2 rounds in ${ada.folder}.\n`);
    expect(await keptIn(ada.folder)).toEqual({ [second]: 2 });
    expect(await git(ada.folder, "status", "--porcelain")).toBe(before);
  });

  it("stay as long as a fork needs them, and go with it", async () => {
    await using world = await openRunMachines(writesFiles(3));
    const { ada } = world;
    const origin = sessionIn(await ada.run("Write three files."));
    const fork = sessionIn(await ada.run("--resume", "--fork-at-round", "2"));
    await ada.ask(ada.folder, ["delete", origin, "--yes"]);
    expect(await keptIn(ada.folder)).toEqual({ [origin]: 2, [fork]: 1 });
    const again = await ada.run(
      ...["--resume", "--session", fork, "--fork-at-round", "1", "--worktree", "../try", "-r", "1"],
    );
    expect([again.code, await ada.parts(ada.path("try"))]).toEqual([0, ["part-1.txt", "part-2.txt"]]);
    const { err } = await ada.call(ada.folder, ["delete", fork, sessionIn(again), "--yes"]);
    // The two work trees are of one repository.
    expect(err.match(/^Removed the files of .*$/gm)).toEqual([
      expect.stringMatching(/^Removed the files of 4 rounds in /),
    ]);
    expect([await keptIn(ada.folder), err.includes("Git said")]).toEqual([{}, false]);
  });

  it("are told before a clean, and go where their session was deleted from another place", async () => {
    await using world = await openRunMachines(writesFiles(2));
    const { ada } = world;
    const session = sessionIn(await ada.run("Write two files."));
    const clean = ["clean", "--older-than", "30d", "--all"];
    const dry = await ada.inAYear(...clean, "--dry-run");
    expect(dry.err).toBe(
      `1 session would be deleted.\nThe files of 2 rounds in ${ada.folder} would be removed.\n`,
    );
    expect(await keptIn(ada.folder)).toEqual({ [session]: 2 });
    const moved = ada.path("moved");
    await git(ada.path(), "clone", "--quiet", "--mirror", ada.folder, moved);
    await git(ada.folder, "update-ref", "-d", `refs/carryon/rounds/${session}/1`);
    const { err } = await ada.inAYear(...clean, "--yes");
    expect(err).toContain(`Removed the files of 1 round in ${ada.folder}.\n`);
    await git(ada.folder, "fetch", "--quiet", moved, "refs/carryon/*:refs/carryon/*");
    const left = await ada.call(ada.folder, ["clean", "--dry-run"]);
    expect([left.out, left.err]).toEqual(["", `The files of 2 rounds in ${ada.folder} would be removed.\n`]);
    await ada.ask(ada.folder, ["clean", "--yes"]);
    expect(await keptIn(ada.folder)).toEqual({});
    expect((await ada.call(ada.folder, ["clean", "--yes"])).err).toBe("There is nothing to clean.\n");
  });

  it("of a session that this store never had are left alone", async () => {
    await using world = await openRunMachines(writesFiles(1));
    const { ada } = world;
    const session = sessionIn(await ada.run("Write a file."));
    const commit = await git(ada.folder, "rev-parse", `refs/carryon/rounds/${session}/1`);
    await git(ada.folder, "update-ref", "refs/carryon/rounds/of-another-store/1", commit);
    await ada.ask(ada.folder, ["delete", session, "--yes"]);
    expect(await keptIn(ada.folder)).toEqual({ "of-another-store": 1 });
  });
});
