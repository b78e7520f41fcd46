import { readFile, rename, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Move, readTimesOnBranch, timesOnBranch } from "../../src/git/branch-times.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 12, number));
const move = (at: number, from: string, to: string, isSameCommit = false): Move => ({
  ...{ at: minute(at), from, to, isSameCommit },
});
const countingOf = (test: (at: Date) => boolean) =>
  [5, 15, 25, 35].map((at) => test(minute(at))).map((counts) => (counts ? "+" : "-"));

describe("the times on a branch", () => {
  it.each([
    { case: "are all times where nothing else was checked out", moves: [], counts: "++++" },
    {
      case: "are those since it was checked out",
      moves: [move(20, "main", "fix"), move(10, "old", "main")],
      counts: "--++",
    },
    {
      case: "are also those before it was left",
      moves: [move(30, "fix", "main"), move(20, "other", "fix"), move(10, "main", "other")],
      counts: "+--+",
    },
    {
      case: "are also those on the branch that it was made of, up to when that was checked out",
      moves: [move(20, "main", "fix", true), move(10, "old", "main")],
      counts: "-+++",
    },
    {
      case: "are not those on another branch of the same commit that led elsewhere",
      moves: [move(30, "other", "fix"), move(20, "main", "other", true)],
      counts: "---+",
    },
  ])("$case", ({ moves, counts }) => {
    expect(countingOf(timesOnBranch(moves)).join("")).toBe(counts);
  });

  it("are what git remembers of a work tree", async () => {
    await using dir = await tempDir();
    const [root, log] = [dir.join("repo"), dir.join("repo/.git/logs/HEAD")];
    await makeRepo(root, ["first"]);
    await git(root, "switch", "--quiet", "-c", "fix");
    await git(root, "commit", "--quiet", "--allow-empty", "-m", "checkout: moving from a to b");
    await git(root, "switch", "--quiet", "main");
    await git(root, "switch", "--quiet", "fix");
    // The commits and the moves, one after the other: first, fix, its commit, main, fix.
    const times = [0, 10, 11, 20, 30];
    const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
    const dated = lines.map((line, index) =>
      line.replace(/> \d+ /, `> ${minute(times[index] ?? 0).getTime() / 1000} `),
    );
    await writeFile(log, `${dated.join("\n")}\n`);
    expect(countingOf(await readTimesOnBranch(root)).join("")).toBe("++-+");
    // Git itself is asked where its file is not a plain one.
    await rename(log, dir.join("log"));
    await symlink(dir.join("log"), log);
    expect(countingOf(await readTimesOnBranch(root)).join("")).toBe("++-+");
    await git(root, "worktree", "add", "--quiet", dir.join("other"), "main");
    expect(countingOf(await readTimesOnBranch(dir.join("other"))).join("")).toBe("++++");
  });

  it("are all times outside git", async () => {
    await using dir = await tempDir();
    expect(countingOf(await readTimesOnBranch(dir.path)).join("")).toBe("++++");
  });
});
