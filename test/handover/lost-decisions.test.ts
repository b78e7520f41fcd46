import { readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { examineDecisions } from "../../src/handover/examine-decisions.ts";
import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { commitAll, type TestHandover } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { noWarning } from "../support/no-warning.ts";
import { noon, openTestHandover } from "../support/project-handover.ts";

/** Returns what is wrong with decisions.md, without its hints. */
async function problemsOf({ here }: Pick<TestHandover, "here">) {
  const { store, project, root } = here;
  const site = {
    log: store.log,
    project,
    root,
    machine: "here",
    clock: { now: () => noon },
    random: () => Buffer.alloc(16),
  };
  const { problems, notes } = await examineDecisions(site, { root, sddDir: ".claude/sdd" }, "decisions.md");
  return { problems: problems.map(({ what }) => what), notes: notes.map(({ what }) => what) };
}

const fine = { problems: [], notes: [] };
const numbers = async ({ handover }: TestHandover) =>
  (await handover.decisions()).map(({ seq, summary }) => `${seq} ${summary}`);

/** Another folder of the same project. */
async function openAt(test: TestHandover, root: string) {
  const here = await openProject({ cwd: root, home: test.home, store: undefined }, "write");
  const handover = await openProjectHandover({ ...here, machine: "here", warn: noWarning });
  return { ...test, here, handover, [Symbol.asyncDispose]: () => here[Symbol.asyncDispose]() };
}

describe("decisions that are gone from the document", () => {
  it("are named, are appended again from the log, and never lose their numbers to others", async () => {
    await using test = await openTestHandover();
    for (const summary of ["one", "two"]) await test.decide("USER_DECISION", summary);
    const before = await readFile(test.handover.paths.decisions, "utf8");
    await rm(test.handover.paths.folder, { recursive: true });
    expect(await problemsOf(test)).toEqual({
      problems: ["decisions.md: D1, D2 are gone after being written here."],
      notes: [],
    });
    expect(await test.decide("USER_DECISION", "three")).toMatchObject({ seq: 3 });
    expect(await test.handover.restoreDecisions()).toEqual([1, 2]);
    expect(await numbers(test)).toEqual(["3 three", "1 one", "2 two"]);
    expect(await readFile(test.handover.paths.decisions, "utf8")).toContain(before);
    expect(await problemsOf(test)).toEqual(fine);
    expect(await test.handover.restoreDecisions()).toEqual([]);
    expect(await test.decide("USER_DECISION", "four")).toMatchObject({ seq: 4 });
    expect(await problemsOf(test)).toEqual(fine);
  });

  it("are appended again to a document that is longer than others may be", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    await writeFile(test.handover.paths.decisions, `${"x".repeat(1 << 20)}\n`);
    expect(await test.handover.restoreDecisions()).toEqual([1]);
    expect(await numbers(test)).toEqual(["1 one"]);
  });

  it("are appended again between those that are there", async () => {
    await using test = await openTestHandover();
    for (const summary of ["one", "two", "three"]) await test.decide("USER_DECISION", summary);
    const path = test.handover.paths.decisions;
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.slice(0, text.indexOf("\n[", 1) + 1) + text.slice(text.lastIndexOf("\n[") + 1),
    );
    expect(await numbers(test)).toEqual(["1 one", "3 three"]);
    expect(await test.handover.restoreDecisions()).toEqual([2]);
    expect(await numbers(test)).toEqual(["1 one", "3 three", "2 two"]);
    expect(await problemsOf(test)).toEqual(fine);
  });

  it("are not missed in another work tree, where numbers go on", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "here");
    await git(test.root, "worktree", "add", "--quiet", "--detach", test.join("../tree"));
    await using tree = await openAt(test, test.join("../tree"));
    const fields = { context: "c", decision: "d", reason: "r", impact: "none", source: "test" };
    expect(await tree.handover.decide({ type: "USER_DECISION", summary: "there", ...fields })).toMatchObject({
      seq: 2,
    });
    expect(await test.decide("USER_DECISION", "here too")).toMatchObject({ seq: 3 });
    expect(await problemsOf(test)).toEqual(fine);
    expect(await problemsOf(tree)).toEqual(fine);
    expect(await tree.handover.restoreDecisions()).toEqual([]);
  });

  it("are only noted where the branch does not have them", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "on main");
    await commitAll(test, "documents");
    await git(test.root, "checkout", "--quiet", "-b", "feature");
    await test.decide("USER_DECISION", "on the feature");
    await commitAll(test, "more");
    await git(test.root, "checkout", "--quiet", "main");
    expect(await problemsOf(test)).toEqual({
      problems: [],
      notes: ["decisions.md: D2 is not on this branch; written here before."],
    });
    expect(await test.decide("USER_DECISION", "on main again")).toMatchObject({ seq: 3 });
  });

  it("are missed after the folder has moved", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    await git(test.root, "commit", "--quiet", "--allow-empty", "--message", "x");
    const { rename } = await import("node:fs/promises");
    await rename(test.root, test.join("../moved"));
    await using moved = await openAt(test, test.join("../moved"));
    expect(await problemsOf(moved)).toEqual(fine);
    await rm(moved.handover.paths.decisions);
    expect((await problemsOf(moved)).problems).toEqual([
      "decisions.md: D1 is gone after being written here.",
    ]);
  });
});

describe("decisions that were changed", () => {
  const change = async ({ handover }: TestHandover, from: string, to: string) => {
    const path = handover.paths.decisions;
    await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
  };

  it("stay a problem, whatever was said of them before", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "Pay Alice 10");
    await test.decide("USER_DECISION", "as D1 says");
    await change(test, "Alice 10", "Mallory 99");
    const problem = "decisions.md: D1 says something else than was written here.";
    expect((await problemsOf(test)).problems).toEqual([problem]);
    const path = test.handover.paths.decisions;
    const foreign = "\n[2026-11-16T09:00:00Z] D9: USER_DECISION | D1 is right\n- Context: c\n- Decision: d\n";
    await writeFile(path, (await readFile(path, "utf8")) + foreign);
    expect((await problemsOf(test)).problems).toEqual([problem]);
    await test.decide("USER_DECISION", "D1 is about Alice; the change counts for nothing");
    expect((await problemsOf(test)).problems).toEqual([]);
    await change(test, "Mallory 99", "Mallory 999");
    expect((await problemsOf(test)).problems).toEqual([problem]);
  });

  it("are named when they were cut off, or have lost their fields", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    const path = test.handover.paths.decisions;
    await writeFile(
      path,
      `${await readFile(path, "utf8")}\n[2026-11-16T09:00:00Z] D7: USER_DECISION | bare\n\n[2026-11-16T09:`,
    );
    expect(await problemsOf(test)).toEqual({
      problems: [],
      notes: ["decisions.md: D7 has no fields: cut off, or taken by a merge."],
    });
    await test.decide("USER_DECISION", "D7 was about bears");
    expect(await problemsOf(test)).toEqual(fine);
  });

  it("are read behind a byte order mark", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    const path = test.handover.paths.decisions;
    await writeFile(path, `\uFEFF${await readFile(path, "utf8")}`);
    expect(await numbers(test)).toEqual(["1 one"]);
    expect(await test.decide("USER_DECISION", "two")).toMatchObject({ seq: 2 });
  });

  it("are not looked for in bytes", async () => {
    await using test = await openTestHandover();
    await test.decide("USER_DECISION", "one");
    await writeFile(test.handover.paths.decisions, Buffer.from([0, 1, 2]));
    await expect(problemsOf(test)).rejects.toMatchObject({ code: "document-unreadable" });
  });
});
