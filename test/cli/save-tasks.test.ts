import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ran } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const tasksOf = async (work: Work) => {
  const {
    completed_tasks: done,
    pending_tasks: left,
    next_steps: next,
    openspec,
    working_on,
  } = await work.state();
  return { done, left, next, openspec, working_on };
};
const change = (id: string, tasks: string) => ({
  [`openspec/changes/${id}/proposal.md`]: `# ${id}\n`,
  [`openspec/changes/${id}/tasks.md`]: tasks,
});

describe("the tasks that a save finds", () => {
  it("are those of the change in openspec, nested ones too", async () => {
    await using work = await openWork();
    await work.write(change("add-login", "- [x] 1. form\n  - [ ] 1.1 label\n- [x] list\n* [ ] tests\n"));
    const { stdout } = await work.call(["save"]);
    expect(stdout).toContain("2/4 tasks (50%), add-login IN_PROGRESS\nNext     tests\nSkipped  1.1 label\n");
    expect(await tasksOf(work)).toEqual({
      ...{ done: ["1. form", "list"], left: ["1.1 label", "tests"], next: ["tests"] },
      ...{ openspec: "add-login", working_on: "tests" },
    });
  });

  it.each([
    { tasks: "- [ ] a\n- [ ] b\n", status: "DRAFT" },
    { tasks: "- [x] a\n- [ ] b\n", status: "IN_PROGRESS" },
    { tasks: "- [x] a\n- [X] b\n", status: "DEPLOYED" },
  ])("make a change $status", async ({ tasks, status }) => {
    await using work = await openWork();
    await work.write(change("add-login", tasks));
    await work.call(["save"]);
    expect((await work.state()).openspec_status).toBe(status);
  });

  it("are those of the change that is named, and stay with it", async () => {
    await using work = await openWork();
    await work.write({ ...change("add-login", "- [ ] form\n"), ...change("add-list", "- [ ] rows\n") });
    expect((await work.call(["save"])).stderr).toBe(
      "There are several changes in openspec: choose one with --openspec: add-list, add-login.\n",
    );
    expect((await work.call(["save", "--openspec", "add-list"])).stderr).toBe("");
    await work.call(["save"]);
    expect(await tasksOf(work)).toMatchObject({ openspec: "add-list", left: ["rows"] });
    const { code, stderr } = await work.call(["save", "--openspec", "add-nothing"]);
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "carryon: There is no change add-nothing in openspec.",
    ]);
  });

  it("are the list that the client kept, else", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    const todos = [
      { content: "form", status: "completed", activeForm: "Making the form" },
      { content: "tests", status: "in_progress", activeForm: "Testing" },
      { content: "docs", status: "pending", activeForm: "Writing" },
    ];
    await work.record("one", ran(new Date(), { name: "TodoWrite", input: { todos }, output: "ok" }));
    await work.call(["save"]);
    expect(await tasksOf(work)).toMatchObject({
      done: ["form"],
      left: ["tests", "docs"],
      working_on: "tests",
    });
    expect((await work.json("save")).tasks).toEqual({ source: "client", next: "tests", skipped: [] });
  });

  describe("from a list of the client and from flags", () => {
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    const listAt = (work: Work, session: string, at: Date, ...items: readonly string[]) => {
      const todos = items.map((item) => {
        const status = item.startsWith("x ") ? "completed" : "pending";
        return { content: item.slice(2), status, activeForm: "Doing" };
      });
      return work.record(session, ran(at, { name: "TodoWrite", input: { todos }, output: "ok" }));
    };

    it("stay as the flags have them, which came later", async () => {
      await using work = await openWork();
      await listAt(work, "one", ago(60), "x form", "- tests", "- docs");
      await work.call(["save", "--done", "tests", "--todo", "pictures"]);
      const told = { done: ["form", "tests"], left: ["docs", "pictures"], working_on: "docs" };
      expect(await tasksOf(work)).toMatchObject(told);
      await work.call(["save"]);
      expect(await tasksOf(work)).toMatchObject(told);
      expect((await work.call(["load"])).stdout).toContain(" 2/4 tasks (50%)\n");
    });

    it("are those of the list again, once it was changed", async () => {
      await using work = await openWork();
      await listAt(work, "one", ago(60), "- form");
      await work.call(["save", "--done", "form"]);
      await listAt(work, "two", ago(-5), "- tests", "- docs");
      expect((await work.json("load")).next_task).toBe("tests");
      await work.call(["save"]);
      expect(await tasksOf(work)).toMatchObject({ done: [], left: ["tests", "docs"] });
    });

    it("do not come back with another task", async () => {
      await using work = await openWork();
      await listAt(work, "one", ago(60), "- form");
      await work.call(["save", "--new", "The list"]);
      await work.call(["save"]);
      expect(await tasksOf(work)).toMatchObject({ done: [], left: [], working_on: "The list" });
    });
  });

  it("are what is told, each time added to what was told before", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "form", "--todo", "tests"]);
    await work.call(["save", "--done", "form", "--todo", "docs"]);
    await work.call(["save"]);
    expect(await tasksOf(work)).toMatchObject({
      done: ["form"],
      left: ["tests", "docs"],
      next: ["tests", "docs"],
    });
    await work.call(["save", "--todo", "form"]);
    expect(await tasksOf(work)).toMatchObject({ done: [], left: ["tests", "docs", "form"] });
  });

  it("are the first three of many, as the next steps", async () => {
    await using work = await openWork();
    await work.call(["save", ...["a", "b", "c", "d"].flatMap((task) => ["--todo", task])]);
    expect(await tasksOf(work)).toMatchObject({ next: ["a", "b", "c"] });
  });
});

describe("the subject of a checkpoint", () => {
  it("is not wrapped again where only the last checkpoint tells what was done", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    await work.call(["save", "-m", "The form"]);
    await rm(join(work.root, ".claude"), { recursive: true });
    await work.write({ "new.txt": "newer\n" });
    await work.call(["save"]);
    expect(await work.git("log", "--format=%s")).toBe(
      "WIP: The form - checkpoint\nWIP: The form - checkpoint\nfirst",
    );
  });

  it("is one line, however long and of however many lines the words are, and without secrets", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    await work.call(["save", "-m", `first\nsecond ghp_${"a1B2c3D4e5F6".repeat(3)} ${"word ".repeat(100)}`]);
    const subject = await work.git("log", "-1", "--format=%B");
    expect([subject.startsWith("WIP: first second "), subject.includes("ghp_a1")]).toEqual([true, false]);
    expect([subject.split("\n").length, subject.length < 200]).toEqual([1, true]);
  });

  it("begins with no sign that git would take for its own", async () => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    await work.call(["save", "-m", "# Heading"]);
    expect(await work.git("log", "-1", "--format=%s")).toBe("WIP: # Heading - checkpoint");
  });
});

describe("a next step that was named", () => {
  const nexts = async (work: Work) => [
    (await work.state()).next_steps,
    (await work.json("load")).next_task,
    (await work.json("status")).next_task,
  ];

  it("comes first in save, load and status, and after a plain save, until a task is done", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "C", "--todo", "D", "--next", "N1", "--next", "N2"]);
    expect(await nexts(work)).toEqual([["N1", "N2"], "N1", "N1"]);
    await work.call(["save"]);
    expect(await nexts(work)).toEqual([["N1", "N2"], "N1", "N1"]);
    await work.call(["save", "--done", "C"]);
    expect(await nexts(work)).toEqual([["D"], "D", "D"]);
  });

  it("is kept where it is a later one of the tasks", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "C", "--todo", "D", "--next", "D"]);
    await work.call(["save"]);
    expect(await nexts(work)).toEqual([["D"], "D", "D"]);
    await work.call(["save", "--done", "D"]);
    expect(await nexts(work)).toEqual([["C"], "C", "C"]);
  });

  it("comes first before the tasks of a change too, until one is checked", async () => {
    await using work = await openWork();
    const path = "openspec/changes/one/tasks.md";
    await work.write({ [path]: "- [ ] C\n- [ ] D\n", "openspec/changes/one/proposal.md": "Why\n" });
    await work.call(["save", "--next", "N1"]);
    await work.call(["save"]);
    expect(await nexts(work)).toEqual([["N1"], "N1", "N1"]);
    await work.write({ [path]: "- [x] C\n- [ ] D\n" });
    expect(await nexts(work)).toEqual([["N1"], "D", "D"]);
    await work.call(["save"]);
    expect(await nexts(work)).toEqual([["D"], "D", "D"]);
  });

  it("is left when all tasks are done, until it is done itself", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "C", "--next", "N1"]);
    await work.call(["save", "--done", "C"]);
    expect(await nexts(work)).toEqual([["N1"], "N1", "N1"]);
    await work.call(["save", "--done", "N1"]);
    expect(await nexts(work)).toEqual([[], null, null]);
  });
});
