import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { gitEnv } from "../support/git-repo.ts";
import { noon, openTestHandover } from "../support/project-handover.ts";

describe("a next action that a person gave", () => {
  // Seed 0: 1.3
  it("stays until it is done", async () => {
    await using test = await openTestHandover();
    await mkdir(test.join(".claude/sdd/project/specs/login"), { recursive: true });
    const spec = test.join(".claude/sdd/project/specs/login/spec.yaml");
    await writeFile(spec, "phase: initialized\n");
    await test.handover.draft();
    await test.handover.draft({ next: "/sdd-design login" });
    await writeFile(spec, "phase: design-generated\n");
    await test.handover.draft();
    expect((await test.doc()).nextAction).toBe("/sdd-design login");
    await test.handover.draft({ done: ["/sdd-design login"] });
    expect((await test.doc()).nextAction).toBe("/sdd-impl login");
    await writeFile(spec, "phase: implementation-complete\n");
    await test.handover.draft();
    expect((await test.doc()).nextAction).toBe("Wait for the user's instruction.");
  });

  // Seed 0: 1.3
  it("goes with a command that completes after it", async () => {
    await using test = await openTestHandover();
    await mkdir(test.join(".claude/sdd/project/specs/login"), { recursive: true });
    await writeFile(test.join(".claude/sdd/project/specs/login/spec.yaml"), "phase: design-generated\n");
    await test.handover.draft({ next: "Ask Ada" });
    const before = new Date(noon.getTime() - 1000);
    await test.handover.draft({ done: ["/sdd-design login"], commandFrom: before });
    expect((await test.doc()).nextAction).toBe("Ask Ada");
    const after = new Date(noon.getTime() + 1000);
    await test.handover.draft({ done: ["/sdd-design login"], commandFrom: after });
    expect((await test.doc()).nextAction).toBe("/sdd-impl login");
  });

  it.each([
    { case: "a commit that does it at once", minutes: 1, subject: "Ask Ada about the colours", stays: false },
    { case: "another commit soon after it", minutes: 5, subject: "Update the notes", stays: true },
    { case: "another commit later", minutes: 20, subject: "Update the notes", stays: false },
    { case: "a checkpoint later", minutes: 20, subject: "WIP: Ask Ada - checkpoint", stays: true },
  ])("goes, or stays, with $case", async ({ minutes, subject, stays }) => {
    await using test = await openTestHandover();
    const commit = (at: number, ...args: readonly string[]) => {
      const env = { ...gitEnv, GIT_COMMITTER_DATE: new Date(noon.getTime() + at * 60_000).toISOString() };
      return promisify(execFile)("git", ["commit", "-q", "--allow-empty", ...args], { cwd: test.root, env });
    };
    await commit(-60, "--amend", "--no-edit");
    await test.handover.draft({ next: "Ask Ada about colours" });
    await commit(minutes, "-m", subject);
    await test.handover.draft();
    const { nextAction } = await test.doc();
    expect(nextAction).toBe(stays ? "Ask Ada about colours" : "Wait for the user's instruction.");
  });
});
