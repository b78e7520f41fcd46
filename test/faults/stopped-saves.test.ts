import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { Interrupted } from "../../src/cli/interrupted.ts";
import { hook } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("ends a check that runs when it is interrupted, and has saved the work", async () => {
  await using work = await openWork();
  await work.addRemote();
  await work.git("checkout", "-qb", "feature");
  await work.write({ "new.txt": "new\n" });
  const script = "echo $$ > ../pid.new; mv ../pid.new ../pid; exec sleep 600";
  await work.call(["check", "allow", "test", "--yes", "--", "sh", "-c", script]);
  const child = work.carryon.start(["save", "--full", "-m", "The form"], { cwd: work.root });
  const pid = Number(
    await vi.waitFor(() => readFile(join(work.folder, "pid"), "utf8"), { timeout: 60_000, interval: 50 }),
  );
  child.kill("SIGINT");
  await once(child, "close");
  expect([child.exitCode, isThere(pid)]).toEqual([130, false]);
  expect(await work.state()).toMatchObject({
    ...{ mode: "full", working_on: "The form", blocker: null, git_pushed: true },
    git_commit: (await work.git("rev-parse", "HEAD")).slice(0, 12),
  });
  expect(await work.git("log", "-1", "--format=%s")).toBe("WIP: The form - checkpoint");
});

/** Returns what is known of the work after a save that was stopped: whose it is, its tasks, and those of the next save. */
async function knownAfter(work: Work) {
  const { origin } = await work.json("load");
  const { checkpoints } = await work.json("load", "--list");
  const stopped = await work.state();
  const { code, stderr } = await work.call(["save"]);
  const pending = [stopped.pending_tasks, (await work.state()).pending_tasks];
  return { origin, newest: checkpoints[0]?.working_on, pending, next: { code, stderr } };
}

const known = {
  ...{ origin: "own", newest: "The form", next: { code: 0, stderr: "" } },
  pending: [
    ["t1", "t2"],
    ["t1", "t2"],
  ],
};

const form = ["-m", "The form", "--todo", "t1", "--todo", "t2"];

it("knows the state as its own when it is killed while it pushes", async () => {
  await using work = await openWork();
  await work.addRemote();
  await work.git("checkout", "-qb", "feature");
  await hook(work.root, "pre-push", "echo $$ > ../pid.new; mv ../pid.new ../pid; exec sleep 600");
  const child = work.carryon.start(["save", "--sync", ...form], { cwd: work.root });
  const pid = Number(
    await vi.waitFor(() => readFile(join(work.folder, "pid"), "utf8"), { timeout: 60_000, interval: 50 }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  process.kill(pid, "SIGKILL");
  expect(await knownAfter(work)).toEqual(known);
});

it("says what is saved, and knows it as its own, when the question about the push is interrupted", async () => {
  await using work = await openWork();
  await work.addRemote();
  const { code, stdout } = await work.answer(
    ["save", "--sync", ...form],
    {},
    {
      confirm: () => Promise.reject(new Interrupted("SIGINT")),
    },
  );
  expect([code, stdout.split("\n")[1]]).toEqual([130, "Work     The form"]);
  expect(await knownAfter(work)).toEqual(known);
});

it("says what is saved and pushed where the approvals cannot be read", async () => {
  await using work = await openWork();
  await work.addRemote();
  await work.git("checkout", "-qb", "feature");
  await work.call(["check", "allow", "test", "--yes", "--", "true"]);
  await writeFile(join(work.env.CARRYON_HOME, "approvals.json"), "{");
  const { code, stdout, stderr } = await work.call(["save", "--full", ...form]);
  expect([code, stderr.split("\n")[0]]).toEqual([
    3,
    expect.stringContaining("approvals.json cannot be read"),
  ]);
  expect(stdout).toContain(
    "Work     The form\nBranch   feature at <commit>, nothing to commit, pushed to origin/",
  );
  expect(await work.state()).toMatchObject({ mode: "full", git_pushed: true });
  expect(await knownAfter(work)).toEqual(known);
});
