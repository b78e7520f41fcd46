import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GatedRepo, makeGatedRepo } from "../../support/gates/gated-repo.ts";
import { blocking, configOf } from "../../support/gates/gates.ts";
import { tempDir } from "../../support/temp-dir.ts";

const plan = blocking({ skills: ["plan-review"] });

/** What can lie in the place of the state file, or of its folder. */
const broken: readonly { readonly what: string; readonly make: (repo: GatedRepo, path: string) => void }[] = [
  { what: "an empty file", make: (_repo, path) => writeFileSync(path, "") },
  { what: "a file that is cut off", make: (_repo, path) => writeFileSync(path, '{"version": "1.0", "bra') },
  { what: "a file of a newer version", make: (_repo, path) => writeFileSync(path, '{"version": "2.0"}') },
  { what: "a folder", make: (_repo, path) => mkdirSync(path) },
  { what: "a link", make: (repo, path) => symlinkSync(join(repo.root, "elsewhere"), path) },
];

describe("with the state of the gates in disorder", () => {
  it.each(broken)("$what stops nobody, and is told", async ({ make }) => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    mkdirSync(repo.folder, { recursive: true });
    const path = join(repo.folder, "feature-plan.json");
    make(repo, path);
    const session = repo.session("s-1");
    expect(await session.tell("PreToolUse", { tool_name: "Edit", tool_input: { file_path: "a" } })).toEqual({
      type: "nothing",
    });
    expect(await session.tell("Stop", {})).toEqual({ type: "nothing" });
    expect(repo.problems.map((problem) => problem.path)).toContain(path);
  });

  it.each(broken)("$what holds no stop after an edit that it let through", async ({ make }) => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    mkdirSync(repo.folder, { recursive: true });
    make(repo, join(repo.folder, "feature-plan.json"));
    const session = repo.session("s-1");
    expect(await session.use("Edit", { file_path: "a" })).toEqual({ type: "nothing" });
    expect(await session.run("echo one > a.txt")).toEqual({ type: "nothing" });
    expect(await session.tell("Stop", {})).toEqual({ type: "nothing" });
    expect(readdirSync(repo.folder).filter((name) => name.includes("broken"))).toEqual([]);
  });

  it("gates hold again once one is satisfied, which moves the file aside", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    mkdirSync(repo.folder, { recursive: true });
    writeFileSync(join(repo.folder, "feature-plan.json"), "{");
    await repo.session("s-1").use("Skill", { skill: "plan-review" });
    expect(readdirSync(repo.folder).filter((name) => name.includes("broken"))).toHaveLength(1);
    expect((await repo.session("s-1").use("Edit", { file_path: "a" })).type).toBe("nothing");
    expect((await repo.session("s-2").use("Edit", { file_path: "a" })).type).toBe("deny");
  });
});

describe("where nothing can be written", () => {
  it("the work goes on, since nobody could satisfy a gate, and it is told", async () => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    writeFileSync(join(repo.root, ".git", "requirements"), "a file in the place of the folder");
    chmodSync(join(repo.root, ".git", "requirements"), 0o400);
    const session = repo.session("s-1");
    await session.tell("SessionStart", { source: "startup" });
    expect(await session.use("Edit", { file_path: "a" })).toEqual({ type: "nothing" });
    await session.use("Skill", { skill: "plan-review" });
    expect(await session.run("echo one > a.txt")).toEqual({ type: "nothing" });
    expect(await session.tell("Stop", {})).toEqual({ type: "nothing" });
    await session.tell("SessionEnd", {});
    expect(repo.problems.map(({ path }) => path)).toContain(repo.folder);
  });
});
