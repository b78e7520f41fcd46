import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWork, type Work } from "../support/work-project.ts";

/** Saves twice, on two branches, with another task done. */
async function openSaved() {
  const work = await openWork();
  await work.call(["save", "-m", "The form", "--todo", "form", "--todo", "tests"]);
  await work.git("checkout", "-qb", "feature");
  await work.write({ "new.txt": "new\n" });
  await work.call(["save", "--sync", "-m", "The tests", "--done", "form"]);
  return work;
}
/** Returns the ids as they are: elsewhere those of tests are made the same. */
async function idsOf(work: Work): Promise<readonly string[]> {
  let said = "";
  const out = (text: string) => {
    said += text;
  };
  await work.answer(["load", "--list", "--json"], {}, { out });
  return JSON.parse(said).checkpoints.map(({ id }: { readonly id: string }) => id);
}
const asideIn = async (work: Work) =>
  (await readdir(join(work.root, ".claude"))).filter((name) => name.includes("broken"));

describe("carryon load --list", () => {
  it("shows the checkpoints, the newest first", async () => {
    await using work = await openSaved();
    const { code, stdout } = await work.call(["load", "--list"]);
    expect([code, stdout]).toMatchInlineSnapshot(`
      [
        0,
        "ID            WHEN                 BRANCH   COMMIT        DONE  WORK
      <commit>  <day> <clock>  feature  <commit>   1/2  The tests
      <commit>  <day> <clock>  main     <commit>   0/2  The form
      ",
      ]
    `);
    const { checkpoints } = await work.json("load", "--list");
    const some = { id: expect.stringMatching(/^ent_/), at: expect.any(String), saved_at: expect.any(String) };
    expect(checkpoints).toEqual([
      {
        ...{ ...some, mode: "sync", git_branch: "feature", git_commit: "<commit>", working_on: "The tests" },
        ...{ task_progress: { completed: 1, total: 2, percentage: 50 }, blocker: null, machine: null },
      },
      {
        ...{ ...some, mode: "quick", git_branch: "main", git_commit: "<commit>", working_on: "The form" },
        ...{ task_progress: { completed: 0, total: 2, percentage: 0 }, blocker: null, machine: null },
      },
    ]);
  });

  it.each([
    { by: "a save", args: ["save", "-m", "The form"] },
    { by: "a blocker", args: ["blocker", "add", "other", "power cut"] },
  ])("has the words of a person that $by replaced, once", async ({ args }) => {
    await using work = await openWork();
    const hand = { working_on: "By hand", saved_at: "2026-01-04T10:30:00Z", pending_tasks: ["mine"] };
    await work.write({ ".claude/session-state.json": JSON.stringify(hand) });
    await work.call(args);
    await work.call(["save", "-m", "The tests"]);
    const { checkpoints } = await work.json("load", "--list");
    const named = checkpoints.map((each: { readonly working_on: string }) => each.working_on);
    expect(named).toEqual(["The tests", args[0] === "save" ? "The form" : "By hand", "By hand"]);
    expect(checkpoints.at(-1)).toMatchObject({ task_progress: { total: 1 }, blocker: null });
  });

  it("says that there is none", async () => {
    await using work = await openWork();
    const none = { code: 0, stdout: "", stderr: "No checkpoint of this folder is in the log.\n" };
    expect(await work.call(["load", "--list"])).toEqual(none);
    expect(await work.json("load", "--list")).toEqual({ checkpoints: [] });
  });

  it("is not asked for together with what it is not about", async () => {
    await using work = await openSaved();
    for (const other of ["--resume", "--restore"])
      expect((await work.call(["load", "--list", other])).code).toBe(2);
  });
});

describe("carryon load --restore ID", () => {
  it("takes an older checkpoint, by its id or the end of it, and loses none", async () => {
    await using work = await openSaved();
    const newer = await work.state();
    const [second = "", first = ""] = await idsOf(work);
    const { code, stdout } = await work.call(["load", "--restore", first.slice(-12)]);
    expect([code, stdout.includes("Work     The form"), stdout.includes("BRANCH_MISMATCH")]).toEqual([
      0,
      true,
      true,
    ]);
    expect(stdout).not.toContain("not written by you here");
    expect((await work.state()).working_on).toBe("The form");
    expect(await work.git("symbolic-ref", "--short", "HEAD")).toBe("feature");
    expect((await idsOf(work)).slice(1)).toEqual([second, first]);
    await work.call(["load", "--restore", second]);
    expect([await work.state(), await asideIn(work)]).toEqual([newer, []]);
  });

  it("takes one where the state is gone or broken, which is kept aside", async () => {
    await using work = await openSaved();
    const [, first = ""] = await idsOf(work);
    await rm(join(work.root, ".claude/session-state.json"));
    expect((await work.call(["load", "--restore", first])).code).toBe(0);
    expect((await work.state()).working_on).toBe("The form");
    await work.write({ ".claude/session-state.json": "{" });
    expect((await work.call(["load", "--restore", first])).stderr).toContain(
      "The file that was there is now",
    );
    expect([(await work.state()).working_on, (await asideIn(work)).length]).toEqual(["The form", 1]);
  });

  it("keeps aside what somebody else wrote", async () => {
    await using work = await openSaved();
    const [, first = ""] = await idsOf(work);
    await work.write({
      ".claude/session-state.json": JSON.stringify({ ...(await work.state()), working_on: "Theirs" }),
    });
    expect((await work.call(["load", "--restore", first])).stderr).toContain(
      "The file that was there is now",
    );
    expect([(await work.state()).working_on, (await asideIn(work)).length]).toEqual(["The form", 1]);
  });

  it.each([{ id: "ent_00000000-0000-7000-8000-000000000000" }, { id: "1" }, { id: "" }])(
    "changes nothing for an id that there is not: $id",
    async ({ id }) => {
      await using work = await openSaved();
      const before = await work.state();
      const { code, stderr } = await work.call(["load", "--restore", id]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("There is no checkpoint")]);
      expect([await work.state(), (await idsOf(work)).length]).toEqual([before, 2]);
    },
  );
});
