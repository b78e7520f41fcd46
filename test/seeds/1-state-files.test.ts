import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWork } from "../support/work-project.ts";

const stateFile = ".claude/session-state.json";

/** The state file of the document, with values in the place of its descriptions. */
const asTheSchemaSays = {
  ...{
    mode: "quick",
    saved_at: "2026-01-04T10:30:00Z",
    git_branch: "feature/user-auth",
    git_commit: "abc1234",
  },
  ...{
    git_pushed: true,
    openspec: "change-id",
    openspec_status: "IN_PROGRESS",
    working_on: "현재 작업 설명",
  },
  ...{ next_steps: ["다음 작업 1", "다음 작업 2"], blocker: null },
  ...{ completed_tasks: ["완료된 태스크"], pending_tasks: ["대기 중인 태스크"] },
  task_progress: { completed: 5, total: 12, percentage: 42 },
};

/** A file as its author kept it by hand: phases in the list, tasks in the count. */
const kept = JSON.parse(readFileSync("test/fixtures/seeds/session-state.as-an-author-kept-it.json", "utf8"));
const asAnAuthorKeptIt = { ...kept, openspec_status: "APPROVED", reviewer: "kim" };

describe("a state file as its author wrote it", () => {
  // Seed 1: 6.2, 11.3
  it.each([
    {
      ...{ case: "the example of the document", file: asTheSchemaSays, progress: "5/12 tasks (42%)" },
      warnings: ["task_progress.completed", "task_progress.total"],
    },
    {
      ...{ case: "one that an author kept", file: kept, progress: "46/47 tasks (98%)" },
      warnings: ["task_progress.completed", "task_progress.total"],
    },
    {
      ...{ case: "one with a status of another tool", file: asAnAuthorKeptIt, progress: "46/47 tasks (98%)" },
      warnings: ["openspec_status", "task_progress.completed", "task_progress.total"],
    },
  ])("$case is loaded, with a warning for what does not add up", async ({ file, progress, warnings }) => {
    await using work = await openWork();
    await work.write({ [stateFile]: JSON.stringify(file) });
    const loaded = await work.json("load");
    expect(loaded.integrity.ok).toBe(true);
    expect(loaded.integrity.warnings.map(({ field }: { field: string }) => field)).toEqual(warnings);
    expect(loaded.state).toMatchObject({
      openspec_status: file.openspec_status,
      task_progress: file.task_progress,
    });
    const { code, stdout } = await work.call(["load"]);
    expect([code, stdout.includes(progress)]).toEqual([0, true]);
  });

  it("is gone on with by a save: nothing is moved aside, and what is not known stays", async () => {
    await using work = await openWork();
    await work.write({ [stateFile]: JSON.stringify(asAnAuthorKeptIt) });
    expect((await work.call(["save"])).stderr).not.toContain("It is now");
    expect((await readdir(join(work.root, ".claude"))).filter((name) => name.includes("broken"))).toEqual([]);
    const { mode, saved_at, git_branch, git_commit, git_pushed, ...kept } = asAnAuthorKeptIt;
    expect(await work.state()).toMatchObject({ ...kept, working_on: "F.1 코드 리뷰 통과" });
    await work.call(["save", "--done", "F.1 코드 리뷰 통과"]);
    expect(await work.state()).toMatchObject({
      pending_tasks: [],
      task_progress: { completed: 47, total: 47, percentage: 100 },
    });
  });

  // Seed 1: 3.2
  it("has only the fields of the document and those that the format names", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "a"]);
    const { version, session, modified_files, ...rest } = await work.state();
    expect(new Set(Object.keys(rest))).toEqual(new Set(Object.keys(asTheSchemaSays)));
  });

  it("keeps a type and a severity of a blocker that Carryon does not know", async () => {
    await using work = await openWork();
    const blocker = {
      ...{ type: "env_issue", severity: "urgent", description: "no license server" },
      ...{ detected_at: "2026-01-04T10:30:00.000Z", auto_detected: false },
    };
    await work.write({ [stateFile]: JSON.stringify({ ...asTheSchemaSays, blocker }) });
    expect((await work.call(["load"])).stdout).toContain("no license server");
    await work.call(["save"]);
    expect((await work.state()).blocker).toMatchObject(blocker);
  });
});
