import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { openRemedies } from "../../src/gates/remedies.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

function put(dir: TempDir, path: string, text = "", mode = 0o644): void {
  mkdirSync(dirname(dir.join(path)), { recursive: true });
  writeFileSync(dir.join(path), text, { mode });
}

const open = (dir: TempDir, path = "/usr/bin:/bin") =>
  openRemedies({
    root: dir.join("work"),
    clientFolder: dir.join(".claude"),
    env: { PATH: path },
    launcher: dir.join("home/bin/carryon"),
  });

/** The list of plugins, as Claude Code 2.1.325 and 2.1.197 write it. */
const plugins = (dir: TempDir, more: object = {}) =>
  JSON.stringify({
    version: 2,
    plugins: { "session@carryon": [{ scope: "user", installPath: dir.join("plugin"), ...more }] },
  });

describe("the skill that a refusal names", () => {
  it.each([
    { where: "the project", path: "work/.claude/skills/arch-review/SKILL.md", call: "arch-review" },
    { where: "the user's folder", path: ".claude/skills/arch-review/SKILL.md", call: "arch-review" },
    { where: "a command of the project", path: "work/.claude/commands/arch-review.md", call: "arch-review" },
    { where: "a plugin", path: "plugin/skills/arch-review/SKILL.md", call: "session:arch-review" },
    { where: "a command of a plugin", path: "plugin/commands/arch-review.md", call: "session:arch-review" },
  ])("is one that is installed: in $where", async ({ path, call }) => {
    await using dir = await tempDir();
    put(dir, ".claude/plugins/installed_plugins.json", plugins(dir));
    const { findSkill } = open(dir);
    expect(findSkill(["pre-commit", "arch-review"])).toBe(undefined);
    put(dir, path);
    expect(findSkill(["pre-commit", "/arch-review"])).toBe(call);
  });

  it("is called as the configuration calls it where several have it", async () => {
    await using dir = await tempDir();
    put(dir, ".claude/plugins/installed_plugins.json", plugins(dir));
    put(dir, "plugin/skills/review/SKILL.md");
    put(dir, ".claude/skills/review/SKILL.md");
    put(dir, ".claude/commands/team/review.md");
    const calls = ["review", "session:review", "team:review", "gone:review"];
    const { findSkill } = open(dir);
    expect(calls.map((call) => findSkill([call]))).toEqual([
      "review",
      "session:review",
      "team:review",
      "review",
    ]);
  });

  it.each([
    { case: "a plugin of another project", text: (dir: TempDir) => plugins(dir, { projectPath: "/other" }) },
    { case: "a list that is cut off", text: (dir: TempDir) => plugins(dir).slice(0, 40) },
    { case: "a list of another form", text: () => '{"plugins":[{"installPath":7},null]}' },
  ])("is none of $case", async ({ text }) => {
    await using dir = await tempDir();
    put(dir, "plugin/skills/review/SKILL.md");
    put(dir, ".claude/plugins/installed_plugins.json", text(dir));
    expect(open(dir).findSkill(["review", "../review", "a b"])).toBe(undefined);
  });
});

describe("the program that a refusal names", () => {
  it("is carryon where PATH has it, else the launcher that init wrote", async () => {
    await using dir = await tempDir();
    expect(open(dir).findProgram()).toBe("carryon");
    put(dir, "home/bin/carryon", "", 0o755);
    expect(open(dir).findProgram()).toBe(dir.join("home/bin/carryon"));
    put(dir, "bin/carryon", "", 0o755);
    expect(open(dir, dir.join("bin")).findProgram()).toBe("carryon");
  });
});
