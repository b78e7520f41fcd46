import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, SaveUnfinished, type WritableProject } from "../../src/index.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const noon = new Date("2026-11-16T12:00:00.000Z");

/** Opens the work of a project as a program does that uses the library. */
function workOf(project: WritableProject) {
  return project.work({ machine: "laptop", env: gitEnv, clock: { now: () => noon } });
}

async function openRepo(root: string): Promise<WritableProject> {
  await makeRepo(root, ["first"]);
  return openProject({ cwd: root, home: join(root, "..", "home") }, "write");
}

describe("the work of a project, for a program", () => {
  it("is saved with a commit and without a push, unless told", async () => {
    await using dir = await tempDir();
    const root = dir.join("shop");
    await using project = await openRepo(root);
    await writeFile(join(root, "form.html"), "<form>");
    const work = await workOf(project);
    const { state, push } = await work.save({ workingOn: "The form" });
    expect({ push, mode: state.mode, head: await git(root, "log", "-1", "--format=%s") }).toEqual({
      push: undefined,
      mode: "quick",
      head: "WIP: The form - checkpoint",
    });
    expect(JSON.parse(await readFile(work.path, "utf8"))).toMatchObject({
      working_on: "The form",
      saved_at: noon.toISOString(),
    });
  });

  it("is saved without a commit when told", async () => {
    await using dir = await tempDir();
    const root = dir.join("shop");
    await using project = await openRepo(root);
    await writeFile(join(root, "form.html"), "<form>");
    const { work } = await (await workOf(project)).save({ commit: false });
    expect(work?.outcome).toEqual({ type: "not-wanted" });
    expect(await git(root, "log", "-1", "--format=%s")).toBe("first");
  });

  it("goes to the default branch only when the program says so", async () => {
    await using dir = await tempDir();
    const root = dir.join("shop");
    await using project = await openRepo(root);
    await git(dir.path, "init", "--quiet", "--bare", "remote.git");
    await git(root, "remote", "add", "origin", dir.join("remote.git"));
    const work = await workOf(project);
    const target = { remote: "origin", branch: "main", isDefault: true };
    expect((await work.save({ mode: "sync" })).push).toEqual({ type: "not-allowed", target });
    const { push } = await work.save({ mode: "sync", mayPushToDefault: async () => true });
    expect(push).toEqual({ type: "pushed", target, isFollowed: true });
  });

  it("is loaded and resumed, and tells of what stops it", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.join("shop"));
    const work = await workOf(project);
    expect(await work.load()).toEqual({ type: "none", checkpoint: undefined });
    await work.save({ workingOn: "The form", todo: ["Check"] });
    const blocker = await work.addBlocker({ type: "design_issue", description: "Two owners" });
    expect(await work.load()).toMatchObject({
      type: "loaded",
      next: "Check",
      validation: [{ code: "BLOCKER_EXISTS" }],
    });
    expect(await work.blocker()).toEqual(blocker);
    expect(await work.resolveBlocker("one owner now")).toEqual(blocker);
    expect(await work.resolveBlocker()).toBeNull();
    expect(await work.resume({ isUnderAgent: false })).toMatchObject({
      recovery: { type: "no-blocker" },
      returned: { type: "there", forwarded: 0 },
      loaded: { next: "Check", validation: [{ code: "ALL_VALID" }] },
    });
  });

  it("begins with another task, and comes back from the log when its file is broken", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.join("shop"));
    const work = await workOf(project);
    await work.save({ workingOn: "The form", todo: ["Check"] });
    const begun = await work.begin("The basket");
    expect(begun).toMatchObject({ workingOn: "The basket", completed: [], pending: [] });
    await writeFile(work.path, "{");
    expect(await work.load()).toMatchObject({ type: "broken", checkpoint: begun });
    expect(await work.restore()).toEqual({
      state: begun,
      aside: { path: expect.stringContaining("broken"), was: "broken" },
    });
    expect(await work.load()).toMatchObject({ type: "loaded", state: begun });
  });

  it("goes back to any checkpoint by its id", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.join("shop"));
    const work = await workOf(project);
    for (const workingOn of ["The form", "The basket"]) await work.save({ workingOn });
    const [newest, oldest] = await work.checkpoints();
    expect([newest?.state.workingOn, oldest?.state.workingOn]).toEqual(["The basket", "The form"]);
    expect(await work.restore(oldest?.id)).toEqual({ state: oldest?.state });
    expect(await work.load()).toMatchObject({ type: "loaded", state: oldest?.state });
    expect((await work.checkpoints()).map(({ state }) => state.workingOn)).toEqual([
      ...["The form", "The basket", "The form"],
    ]);
  });

  it("is looked at before it is saved", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.join("shop"));
    const work = await workOf(project);
    await writeFile(dir.join("shop", "form.html"), "<form>");
    const found = { path: "form.html", isDeleted: false };
    expect([await work.preview(), await work.preview({ mode: "sync", commit: false })]).toMatchObject([
      { outcome: { type: "would-commit" }, files: [found], push: undefined },
      { outcome: { type: "not-wanted" }, files: [found], push: { type: "no-remote" } },
    ]);
    expect(await work.load()).toEqual({ type: "none", checkpoint: undefined });
  });

  it("is saved where a push breaks off, which is thrown with what was done", async () => {
    await using dir = await tempDir();
    const root = dir.join("shop");
    await using project = await openRepo(root);
    await git(dir.path, "init", "--quiet", "--bare", "remote.git");
    await git(root, "remote", "add", "origin", dir.join("remote.git"));
    const work = await workOf(project);
    const mayPushToDefault = () => Promise.reject(new Error("nobody answers"));
    const thrown = await work.save({ mode: "sync", workingOn: "The form", mayPushToDefault }).catch((e) => e);
    expect(thrown).toBeInstanceOf(SaveUnfinished);
    expect(thrown).toMatchObject({
      ...{ kind: "busy", code: "save-unfinished", cause: new Error("nobody answers") },
      message: "The work is saved, but what was to follow broke off: nobody answers",
      report: { state: { workingOn: "The form", isPushed: false }, push: undefined },
    });
    expect(JSON.parse(await readFile(work.path, "utf8"))).toMatchObject({ working_on: "The form" });
  });
});
