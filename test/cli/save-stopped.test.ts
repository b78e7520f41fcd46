import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openWork } from "../support/work-project.ts";

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
