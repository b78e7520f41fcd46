import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { openRunning } from "../support/open-running.ts";
import { ends, goesOn, runScenario } from "../support/run-scenario.ts";

const openWorld = () =>
  openRunning(runScenario([goesOn("Look."), goesOn("Look again."), ends("Done.")], [{ text: "Seen." }]));

describe("carryon run", () => {
  it("needs a task before anything else", async () => {
    await using world = await openWorld();
    for (const args of [["run"], ["run", ""]]) {
      const { code, stderr } = await world.carryon.call(args);
      expect([code, stderr]).toEqual([
        2,
        'carryon: A run needs a task.\n  Say what is to be done: `carryon run "TASK"`.\n',
      ]);
    }
  });

  it("names a session file that it cannot read", async () => {
    await using world = await openWorld();
    await writeFile(join(world.carryon.folder, "work", "bad.json"), '{\n  "sessionId": \n');
    const { code, stderr } = await world.carryon.call([
      ...["run", "--resume", "--session-file", "bad.json", "--yes"],
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^carryon: <folder>\/work\/bad\.json is no session file, or it is damaged\. Line/);
    expect(stderr).not.toContain("--partial");
  });

  it("warns of an instruction that looks like a run", async () => {
    await using world = await openWorld();
    await world.carryon.call(["run", "Look.", "-r", "1", "--yes"]);
    const { stderr } = await world.carryon.call(["run", "--resume", "latest", "--yes", "-r", "1"]);
    expect(stderr).toContain('"latest" is taken as an instruction; --session names a run.\n');
    const other = await world.carryon.call(["run", "--resume", "the latest part", "--yes", "-r", "1"]);
    expect(other.stderr).not.toContain("is taken as an instruction");
  });

  it("does not list and clean at once", async () => {
    await using world = await openWorld();
    const { code, stderr } = await world.carryon.call([
      "run",
      "--list-sessions",
      "--clean-sessions",
      "--yes",
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--clean-sessions")]);
  });

  it("does not offer a folder that is gone", async () => {
    await using world = await openWorld();
    const { folder } = world.carryon;
    await git(join(folder, "work"), "init", "-q");
    await mkdir(join(folder, "work", "before"));
    await world.carryon.call(["run", "Look.", "-r", "1", "--yes", "-d", "before"]);
    await rename(join(folder, "work", "before"), join(folder, "work", "after"));
    const { stderr } = await world.carryon.call(["run", "--resume", "--yes"]);
    expect(stderr).toContain("`-d .` for this one; that one is gone.");
  });
});
