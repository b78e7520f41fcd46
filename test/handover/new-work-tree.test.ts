import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { type BriefRequest, readBrief } from "../../src/memory/read-brief.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { briefParts, type TestHandover } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { noWarning } from "../support/no-warning.ts";
import { noon, openTestHandover } from "../support/project-handover.ts";

/** Opens another folder of the same user's project, with the same store. */
async function openBeside({ home }: Pick<TestHandover, "home">, root: string) {
  const here = await openProject({ cwd: root, home, store: undefined }, "write");
  const place = { ...here, machine: "here", clock: { now: () => noon } };
  const handover = await openProjectHandover({ ...place, warn: noWarning });
  const brief = (request?: BriefRequest) => readBrief(place, request);
  return { handover, brief, [Symbol.asyncDispose]: () => here[Symbol.asyncDispose]() };
}

/** Makes a new work tree of the project, or a clone of it. */
const makers = {
  "work tree": (root: string, path: string) => git(root, "worktree", "add", "--quiet", "-b", "topic", path),
  clone: (root: string, path: string) => git(root, "clone", "--quiet", root, path),
} as const;

async function openHandedOver() {
  const test = await openTestHandover();
  await test.handover.begin("one");
  await writeFile(join(test.root, "login.py"), "never committed\n");
  await test.decide("USER_DECISION", "use tea");
  await test.handover.polish({
    session: "one",
    next: ["brew it"],
    warnings: ["hot"],
    accomplished: ["kettle"],
  });
  return test;
}

const fromLog = (what: string, root: string) =>
  `This folder has no session.md. What is told of ${what} is from this user's log: it was written in another work tree or clone of this project, as of ${root}. Files that it names may be only there.`;

describe.each(["work tree", "clone"] as const)("a new %s of a project that the log knows", (kind) => {
  // The new work tree is on a branch of its own.
  const nextAction = kind === "clone" ? "Next action" : "Next action on main";

  it("is told what the last sessions left and decided, marked as from the log", async () => {
    await using test = await openHandedOver();
    const path = join(test.root, "..", "beside");
    await makers[kind](test.root, path);
    await using beside = await openBeside(test, path);
    const told = await briefParts(beside, "two");
    // What is only in the other folder is not gone.
    expect(told["Modified files"]).toContain("login.py");
    expect(told["Changes since"] ?? "").not.toContain("gone");
    expect(told).toMatchObject({
      [nextAction]: "brew it",
      Warnings: "- hot",
      "From the log": fromLog("session.md and the decisions", test.root),
    });
    expect(told["Latest decisions"]).toContain("D2 2026-11-16T12:00:00+00:00 USER_DECISION: use tea -- d");
    expect([told["First session"], told["From outside"], told.Problems]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    // The beginning that is written there is no news, and at the second reading all is as before.
    await beside.handover.begin("two");
    expect(await briefParts(beside, "two")).toEqual(told);
  });

  it("goes on from that in its own session.md, and the other one stays as it is", async () => {
    await using test = await openHandedOver();
    const path = join(test.root, "..", "beside");
    await makers[kind](test.root, path);
    await using beside = await openBeside(test, path);
    await beside.handover.begin("two");
    const { isChanged, problems } = await beside.handover.draft({ session: "two", done: ["cup"] });
    // What it refers to is in the decisions.md of the other folder.
    expect([isChanged, problems]).toEqual([true, []]);
    const told = await briefParts(beside, "three");
    expect(told).toMatchObject({
      [nextAction]: "brew it",
      Warnings: "- hot",
      "Decisions that continue": "1. use tea (D2)",
      Accomplished: "- cup",
    });
    expect([told["From the log"], told.Problems]).toEqual([undefined, undefined]);
    await beside.handover.draft({ session: "two", next: "pour it" });
    expect((await briefParts(beside, "three"))["Next action"]).toBe("pour it");
    expect((await briefParts(test))["Next action"]).toBe("brew it");
    expect((await test.doc()).accomplished).toBe("- kettle");
    await rm(join(test.root, "login.py"));
    expect((await briefParts(test))["Changes since"]).toContain("login.py is gone.");
  });
});

describe("a folder without documents", () => {
  it("is told of decisions alone, where nothing else was left", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "use tea");
    const path = join(test.root, "..", "beside");
    await makers["work tree"](test.root, path);
    await using beside = await openBeside(test, path);
    expect(await briefParts(beside)).toMatchObject({
      "First session": expect.any(String),
      "From the log": fromLog("the decisions", test.root),
      "Latest decisions": expect.stringContaining("use tea"),
    });
  });

  it("is offered the decisions for its own document, where the one that had them is gone", async () => {
    await using test = await openHandedOver();
    const path = join(test.root, "..", "beside");
    await makers.clone(test.root, path);
    await rm(test.root, { recursive: true });
    await using beside = await openBeside(test, path);
    const told = await briefParts(beside);
    expect([told["Next action"], told.Problems]).toEqual([
      "brew it",
      expect.stringContaining("`carryon decisions --restore` appends them again from the log"),
    ]);
    expect((await beside.handover.restoreDecisions()).length).toBeGreaterThan(0);
    expect((await briefParts(beside)).Problems).toBeUndefined();
  });

  it("is a first session where somebody took its own session.md away", async () => {
    await using test = await openHandedOver();
    await rm(test.path);
    const told = await briefParts(test);
    expect([told["First session"], told["From the log"]]).toEqual([expect.any(String), undefined]);
    await test.handover.draft({ done: ["anew"] });
    expect(await test.doc()).toMatchObject({ accomplished: "- anew", warnings: "" });
  });
});
