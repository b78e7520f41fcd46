import { mkdir, readFile, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../src/conversation/project.ts";
import { approve, type Purpose } from "../../../src/project/work/approvals.ts";
import { recover } from "../../../src/project/work/recover.ts";
import type { RecoveryDesk } from "../../../src/project/work/recovery-desk.ts";
import type { Blocker } from "../../../src/work/blockers/blocker.ts";
import { startChild } from "../../support/child.ts";
import { git, makeRepo } from "../../support/git-repo.ts";
import { readBlocker, stateFileKeeper, writeBlocker } from "../../support/state-file-keeper.ts";
import { tempDir } from "../../support/temp-dir.ts";

const blocker: Blocker = {
  ...{ type: "dependency", severity: "high", description: "A dependency is gone.", resolution: "Get it." },
  ...{ detectedAt: new Date("2026-11-16T11:00:00Z"), isAutoDetected: true, recoveryAgent: "cpp-builder" },
  ...{ recoveryAttempted: 0, maxRecoveryAttempts: 3 },
};
const project = { id: "path:/shop" as ProjectId };
const now = new Date("2026-11-16T12:00:00Z");
const node = (script: string) => [process.execPath, "-e", script];
const exit = (code: number) => node(`process.exit(${code})`);
/** Notes in a file of the project that it was run, and ends with a code. */
const noted = (word: string, code = 0) =>
  node(`require("node:fs").appendFileSync("ran", "${word}\\n"); process.exit(${code})`);

/** A repository with a blocker, and a home folder in which commands can be approved. */
async function openBlocked(given: Partial<Blocker> = {}) {
  const dir = await tempDir();
  const [root, home, path] = [dir.join("shop"), dir.join("home"), dir.join("session-state.json")];
  await makeRepo(root, ["first"]);
  await mkdir(home);
  const blocked = { ...blocker, ...given };
  await writeBlocker(path, blocked);
  return {
    ...{ root, home, path, blocked },
    child: () => startChild("recover-child.ts", path, home, project.id, root),
    allow: (purpose: Purpose, command: readonly string[]) =>
      approve(home, { project, command, purpose }, now),
    recover: (more: Partial<RecoveryDesk> = {}) =>
      recover({
        ...{ keeper: stateFileKeeper(path), home, project, root, env: { PATH: process.env.PATH } },
        ...{ isUnderAgent: false, ...more },
      }),
    ran: async () =>
      (await readFile(dir.join("shop", "ran"), "utf8").catch(() => "")).split("\n").slice(0, -1),
    blocker: () => readBlocker(path),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
type Blocked = Awaited<ReturnType<typeof openBlocked>>;

const dependency: Purpose = { kind: "recovery", name: "dependency" };
const attempted = (times: number): Blocker => ({ ...blocker, recoveryAttempted: times });

async function readWhenThere(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return text;
    await sleep(10);
  }
}

describe("an approved command", () => {
  it("clears the blocker when it ends well", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("fixed"));
    expect(await test.recover()).toEqual({
      ...{ type: "ran", blocker: attempted(1), command: noted("fixed"), blockerIs: "cleared" },
      end: { type: "exited", code: 0, output: "" },
      check: { by: "exit-code", isPassed: true },
    });
    expect([await test.blocker(), await test.ran()]).toEqual([null, ["fixed"]]);
    expect(await test.recover()).toEqual({ type: "no-blocker" });
  });

  it("leaves the blocker when it fails, is tried as often as allowed, and then given up", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("tried", 1));
    for (const attempt of [1, 2, 3]) {
      expect(await test.recover()).toMatchObject({
        ...{ type: "ran", blocker: attempted(attempt), blockerIs: "there" },
        end: { type: "exited", code: 1 },
      });
      expect(await test.blocker()).toEqual(attempted(attempt));
    }
    expect(await test.recover()).toEqual({ type: "given-up", attempts: 3, blocker: attempted(3) });
    expect([await test.blocker(), await test.ran()]).toEqual([attempted(3), ["tried", "tried", "tried"]]);
  });

  it("counts where it cannot be started, takes too long or is stopped", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, ["no-such-program-at-all"]);
    expect(await test.recover()).toMatchObject({ end: { type: "not-started" }, blockerIs: "there" });
    await test.allow(dependency, node("setInterval(() => {}, 1000)"));
    expect(await test.recover({ timeoutMs: 300 })).toMatchObject({
      ...{ end: { type: "timed-out" }, blockerIs: "there" },
    });
    expect(await test.blocker()).toEqual(attempted(2));
    const signal = AbortSignal.abort();
    expect(await test.recover({ signal })).toEqual({ type: "aborted" });
    expect(await test.blocker()).toEqual(attempted(2));
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
          const after = await stateFileKeeper(test.path).changeBlocker(decide);
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
    expect(await meanwhile(test, attempted(2))).toMatchObject({ type: "ran", blockerIs: "cleared" });
    expect(await test.blocker()).toBeNull();
  });

  it("before the attempt is left alone, and nothing is run", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("ran"));
    let asked = 0;
    const keeper = stateFileKeeper(test.path);
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

it("an agent is told whom to call, and that is an attempt", async () => {
  await using test = await openBlocked({ maxRecoveryAttempts: 1 });
  await writeFile(`${test.home}/config.yaml`, "recoveryAgents:\n  dependency: [mine, yours]\n");
  expect(await test.recover({ isUnderAgent: true })).toMatchObject({
    ...{ type: "call-agent", agents: ["mine", "yours"] },
    instruction: expect.stringContaining("Call the agent `mine`, then `yours`"),
  });
  expect(await test.recover({ isUnderAgent: true })).toMatchObject({ type: "given-up", attempts: 1 });
});

describe("processes", () => {
  it("that are killed while the command runs have made an attempt", async () => {
    await using test = await openBlocked();
    const stay = `require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)`;
    await test.allow(dependency, node(stay));
    await using child = test.child();
    const pid = Number(await readWhenThere(`${test.root}/pid`));
    child.kill("SIGKILL");
    await child.ended();
    process.kill(pid, "SIGKILL");
    expect(await test.blocker()).toEqual(attempted(1));
  });

  it("many at once make as many attempts as the blocker allows, each counted", async () => {
    await using test = await openBlocked();
    await test.allow(dependency, noted("tried", 1));
    const children = Array.from({ length: 6 }, () => test.child());
    const answers = await Promise.all(children.map((child) => child.next()));
    await Promise.all(children.map((child) => child.ended()));
    expect(answers.sort()).toEqual(["given-up", "given-up", "given-up", "ran", "ran", "ran"]);
    expect([await test.blocker(), (await test.ran()).length]).toEqual([attempted(3), 3]);
  });
});
