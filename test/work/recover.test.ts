import { mkdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Blocker } from "../../src/work/blocker.ts";
import {
  attempted,
  type Blocked,
  blocker,
  dependency,
  exit,
  node,
  noted,
  now,
  openBlocked,
} from "../support/blocked-project.ts";
import { blockerFileKeeper, writeBlocker } from "../support/blocker-file-keeper.ts";
import { git } from "../support/git-repo.ts";

describe("an approved command", () => {
  // Seed 1: 12.2
  it("clears the blocker when it ends well", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("fixed"));
    expect(await test.recover()).toEqual({
      ...{
        type: "ran",
        blocker: attempted(1, noted("fixed")),
        command: noted("fixed"),
        blockerIs: "cleared",
      },
      end: { type: "exited", code: 0, output: "" },
      check: { by: "exit-code", isPassed: true },
    });
    expect([await test.blocker(), await test.ran()]).toEqual([null, ["fixed"]]);
    expect(await test.recover()).toEqual({ type: "no-blocker" });
  });

  it("leaves the blocker when it fails, is tried as often as allowed, and then given up", async () => {
    await using test = await openBlocked();
    const command = noted("tried", 1);
    await test.allow(dependency, command);
    for (const attempt of [1, 2, 3]) {
      expect(await test.recover()).toMatchObject({
        ...{ type: "ran", blocker: attempted(attempt, command), blockerIs: "there" },
        end: { type: "exited", code: 1 },
      });
      expect(await test.blocker()).toEqual(attempted(attempt, command));
    }
    const [after, ran] = [attempted(3, command), ["tried", "tried", "tried"]];
    expect(await test.recover()).toEqual({ type: "given-up", attempts: 3, blocker: after });
    expect([await test.blocker(), await test.ran()]).toEqual([after, ran]);
    await test.allow(dependency, command);
    expect(await test.recover()).toMatchObject({ type: "given-up", attempts: 3 });
  });

  it("counts where it cannot be started, takes too long or is stopped", async () => {
    await using test = await openBlocked();
    const [missing, slow] = [["no-such-program-at-all"], node("setInterval(() => {}, 1000)")];
    await test.allow(dependency, missing);
    expect(await test.recover()).toMatchObject({ end: { type: "not-started" }, blockerIs: "there" });
    expect(await test.blocker()).toEqual(attempted(1, missing));
    await test.allow(dependency, slow);
    expect(await test.recover({ timeoutMs: 300 })).toMatchObject({
      ...{ end: { type: "timed-out" }, blockerIs: "there" },
    });
    expect(await test.blocker()).toEqual(attempted(1, slow));
    const signal = AbortSignal.abort();
    expect(await test.recover({ signal })).toEqual({ type: "aborted" });
    expect(await test.blocker()).toEqual(attempted(1, slow));
  });

  it("is not run where it is not the one that was approved, and that is no attempt", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("approved"));
    const path = `${test.home}/approvals.json`;
    await writeFile(path, (await readFile(path, "utf8")).replace("approved", "evil"));
    expect(await test.recover({ isUnderAgent: true })).toMatchObject({
      ...{ type: "not-allowed", hint: expect.stringContaining("not the one that was approved") },
    });
    await writeFile(path, "{}");
    await expect(test.recover()).rejects.toMatchObject({ code: "bad-approvals" });
    expect([await test.blocker(), await test.ran()]).toEqual([blocker, []]);
  });

  it("comes from the user's configuration too, unless the project has one", async () => {
    await using test = await openBlocked();
    const config = `recovery:\n  dependency: ${JSON.stringify(noted("of all", 1))}\n`;
    await writeFile(`${test.home}/config.yaml`, config);
    await test.recover();
    await test.allow(dependency, noted("of the project", 1));
    await test.recover();
    expect(await test.ran()).toEqual(["of all", "of the project"]);
  });

  it("never comes from the repository", async () => {
    await using test = await openBlocked();
    const other = await openBlocked();
    await other.allow(dependency, noted("evil"));
    const approvals = await readFile(`${other.home}/approvals.json`, "utf8");
    await other[Symbol.asyncDispose]();
    await mkdir(`${test.root}/.carryon`);
    for (const folder of [test.root, `${test.root}/.carryon`]) {
      await writeFile(`${folder}/approvals.json`, approvals);
      await writeFile(`${folder}/config.yaml`, `recovery:\n  dependency: ${JSON.stringify(noted("evil"))}\n`);
    }
    expect(await test.recover()).toMatchObject({ type: "not-allowed" });
    expect([await test.blocker(), await test.ran()]).toEqual([blocker, []]);
  });
});

describe("the check", () => {
  const types = [
    { type: "build_error", name: "build" },
    { type: "test_failure", name: "test" },
  ] as const;

  // Seed 1: 12.2
  it.each(types)(
    "of $name says whether a $type is gone, whatever the command says",
    async ({ type, name }) => {
      await using test = await openBlocked({ type });
      await test.allow({ kind: "recovery", name: type }, exit(0));
      await test.allow({ kind: "check", name }, noted("check", 1));
      expect(await test.recover()).toMatchObject({
        check: { by: "check", end: { type: "exited", code: 1 }, isPassed: false },
        blockerIs: "there",
      });
      await test.allow({ kind: "recovery", name: type }, exit(1));
      await test.allow({ kind: "check", name }, noted("check"));
      expect(await test.recover()).toMatchObject({
        check: { by: "check", isPassed: true },
        blockerIs: "cleared",
      });
      expect([await test.blocker(), await test.ran()]).toEqual([null, ["check", "check"]]);
    },
  );

  it("is not run after a command that was stopped", async () => {
    await using test = await openBlocked({ type: "build_error" });
    await test.allow({ kind: "recovery", name: "build_error" }, node(`process.kill(process.pid, "SIGKILL")`));
    await test.allow({ kind: "check", name: "build" }, noted("check"));
    expect(await test.recover()).toMatchObject({ check: { by: "exit-code", isPassed: false } });
    expect(await test.ran()).toEqual([]);
  });

  it("that is not the approved one is not run, and clears nothing", async () => {
    await using test = await openBlocked({ type: "build_error" });
    await test.allow({ kind: "recovery", name: "build_error" }, exit(0));
    await test.allow({ kind: "check", name: "build" }, noted("check"));
    const path = `${test.home}/approvals.json`;
    await writeFile(path, (await readFile(path, "utf8")).replace("ran", "run"));
    expect(await test.recover()).toMatchObject({
      check: { by: "nothing", isPassed: false, hint: expect.stringContaining("carryon check allow build") },
      blockerIs: "there",
    });
    expect(await test.ran()).toEqual([]);
  });

  it("of a conflict is that no file is left unmerged", async () => {
    await using test = await openBlocked({ type: "merge_conflict" });
    const write = (text: string) => writeFile(`${test.root}/a\tb.txt`, text);
    for (const branch of ["one", "two"]) {
      await git(test.root, "switch", "--quiet", "-c", branch, "main");
      await write(branch);
      await git(test.root, "add", ".");
      await git(test.root, "commit", "--quiet", "-m", branch);
    }
    await expect(git(test.root, "merge", "one")).rejects.toThrow();
    await test.allow({ kind: "recovery", name: "merge_conflict" }, exit(0));
    expect(await test.recover()).toMatchObject({
      ...{ check: { by: "git", unmerged: ["a\tb.txt"], isPassed: false }, blockerIs: "there" },
    });
    await test.allow({ kind: "recovery", name: "merge_conflict" }, ["git", "merge", "--abort"]);
    expect(await test.recover()).toMatchObject({ check: { by: "git", unmerged: [] }, blockerIs: "cleared" });
  });
});

describe("a blocker that another process has changed", () => {
  const meanwhile = (test: Blocked, change: Blocker | null) =>
    test.recover({
      keeper: {
        changeBlocker: async (decide) => {
          const after = await blockerFileKeeper(test.path).changeBlocker(decide);
          // Right after the attempt was counted, so that the command finds it changed.
          if (after?.recoveryAttempted === 1) await writeBlocker(test.path, change);
          return after;
        },
      },
    });

  it.each([
    { what: "another type", change: { ...blocker, type: "ci_failure" } as const },
    { what: "another description", change: { ...blocker, description: "Another." } },
    { what: "another time", change: { ...blocker, detectedAt: now } },
  ])("while the command ran is not cleared: $what", async ({ change }) => {
    await using test = await openBlocked();
    await test.allow(dependency, exit(0));
    expect(await meanwhile(test, change)).toMatchObject({ type: "ran", blockerIs: "changed" });
    expect(await test.blocker()).toEqual(change);
  });

  it("and only counted another attempt is cleared", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, exit(0));
    expect(await meanwhile(test, attempted(2, exit(0)))).toMatchObject({ type: "ran", blockerIs: "cleared" });
    expect(await test.blocker()).toBeNull();
  });

  it("before the attempt is left alone, and nothing is run", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("ran"));
    let asked = 0;
    const keeper = blockerFileKeeper(test.path);
    const result = await test.recover({
      keeper: {
        changeBlocker: async (decide) => {
          if (++asked === 2) await writeBlocker(test.path, { ...blocker, description: "Another." });
          return keeper.changeBlocker(decide);
        },
      },
    });
    expect([result, await test.ran()]).toEqual([{ type: "changed" }, []]);
    expect(await test.blocker()).toEqual({ ...blocker, description: "Another." });
  });
});

// Seed 1: 12.1
it("an agent is told whom to call, and that is an attempt", async () => {
  await using test = await openBlocked({ maxRecoveryAttempts: 1 });
  await writeFile(`${test.home}/config.yaml`, "recoveryAgents:\n  dependency: [mine, yours]\n");
  expect(await test.recover({ isUnderAgent: true })).toMatchObject({
    ...{ type: "call-agent", agents: ["mine", "yours"] },
    instruction: expect.stringContaining("Call the agent `mine`, then `yours`"),
  });
  expect(await test.recover({ isUnderAgent: true })).toMatchObject({ type: "given-up", attempts: 1 });
});
