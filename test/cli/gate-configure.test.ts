import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const local = "work/.claude/requirements.local.yaml";

describe("carryon gate enable and disable", () => {
  it("turn a gate on and off for this user, and keep the file out of commits", async () => {
    await using carryon = await openGated();
    expect(await carryon.call(["gate", "disable", "commit_plan"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "commit_plan is off, says .claude/requirements.local.yaml.\n",
    });
    await carryon.call(["gate", "enable", "idle"]);
    const { gates } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
    expect(gates.map(({ name }: { name: string }) => name)).toEqual([
      ...["reviewed", "each_commit", "not_main", "size", "idle"],
    ]);
    expect(await git(carryon.root, "status", "--short", "--untracked-files=all")).toBe(
      "?? .claude/requirements.yaml",
    );
    expect((await carryon.call(["gate", "enable", "idle", "--json"])).stdout).toBe('{"changed":false}\n');
    expect((await carryon.call(["gate", "disable", "idle", "--json"])).stdout).toBe('{"changed":true}\n');
  });

  it("leave comments and everything else as they are", async () => {
    await using carryon = await openGated();
    const text =
      "# mine\nrequirements:\n  commit_plan: # why\n    enabled: true # yes\n    message: Plan it.\n";
    await carryon.write(local, text);
    await carryon.call(["gate", "disable", "commit_plan"]);
    expect(await readFile(join(carryon.folder, local), "utf8")).toBe(text.replace("true", "false"));
  });

  it.each([
    { case: "not YAML", text: "requirements: [\n" },
    { case: "not UTF-8", text: Buffer.from([0x23, 0xff, 0x0a]) },
    { case: "too large", text: `#${"x".repeat(1 << 20)}\n` },
  ])("leave a file alone that is $case", async ({ text }) => {
    await using carryon = await openGated();
    await writeFile(join(carryon.folder, local), text);
    // What cannot be read turns all gates off, so that none can be named.
    const { code, stderr } = await carryon.call(["gate", "pause", "--json"]);
    expect([code, JSON.parse(stderr).error.code]).toEqual([3, "bad-requirements"]);
    expect(await readFile(join(carryon.folder, local))).toEqual(Buffer.from(text));
  });

  it("write through no link", async () => {
    await using carryon = await openGated();
    await carryon.write("elsewhere.yaml", "# mine\n");
    await symlink(join(carryon.folder, "elsewhere.yaml"), join(carryon.folder, local));
    const { code, stderr } = await carryon.call(["gate", "pause", "--json"]);
    expect([code, JSON.parse(stderr).error.code]).toEqual([74, "symlink-refused"]);
    expect(await readFile(join(carryon.folder, "elsewhere.yaml"), "utf8")).toBe("# mine\n");
  });

  it("are refused where they would not count", async () => {
    await using carryon = await openGated({ trust: false });
    await carryon.write(".claude/requirements.yaml", "requirements: { own: { enabled: true } }\n");
    for (const args of [["disable", "own"], ["enable", "own"], ["pause"], ["unpause"]]) {
      const { code, stderr } = await carryon.call(["gate", ...args, "--json"]);
      expect([code, JSON.parse(stderr).error.code]).toEqual([2, "not-trusted"]);
    }
    expect((await carryon.call(["gate", "disable", "commit_plan"])).stderr).toContain("There is no gate");
  });
});

describe("carryon gate pause and unpause", () => {
  it("turn all gates off and on", async () => {
    await using carryon = await openGated();
    expect((await carryon.call(["gate", "pause"])).stderr).toBe(
      "All gates are off, says .claude/requirements.local.yaml.\n",
    );
    expect((await carryon.call(["gate"])).stdout).toBe(
      "Gates    on feature/plan, no session\n         All gates are turned off: by `carryon gate pause`, which `carryon gate unpause` ends, or by `enabled: false` in a file.\n",
    );
    expect((await carryon.call(["gate", "unpause"])).code).toBe(0);
    expect(await carryon.satisfied()).toEqual(["not_main", "size"]);
    const local = join(carryon.root, ".claude", "requirements.local.yaml");
    expect(await readFile(local, "utf8")).not.toContain("enabled");
    expect(await git(carryon.root, "status", "--short", "--untracked-files=all")).not.toContain("local");
  });
});

describe("carryon gate init", () => {
  it.each(["strict", "relaxed", "minimal"])(
    "writes the preset %s, which reads without a problem",
    async (preset) => {
      await using carryon = await openGated({ gates: "" });
      expect((await carryon.call(["gate", "init", "--preset", preset])).stderr).toBe(
        `The gates of the preset ${preset} are in .claude/requirements.yaml. See how they stand with \`carryon gate\`.\n`,
      );
      await carryon.write("work/.claude/requirements.local.yaml", "enabled: true\n");
      expect(await git(carryon.root, "status", "--short", "--untracked-files=all")).not.toContain("local");
      const { gates, problems } = JSON.parse((await carryon.call(["gate", "--json"])).stdout);
      expect([gates.length > 0, problems]).toEqual([true, []]);
    },
  );

  it("says that they wait in a project that is not trusted, and what it wrote", async () => {
    await using carryon = await openGated({ gates: "", trust: false });
    expect((await carryon.call(["gate", "init", "--json"])).stdout).toBe(
      '{"path":"<folder>/work/.claude/requirements.yaml","preset":"relaxed"}\n',
    );
    await using other = await openGated({ gates: "", trust: false });
    expect((await other.call(["gate", "init"])).stderr).toContain("They count once you trust this project");
    expect((await other.call(["gate"])).stdout).toBe(
      [
        "Gates    on feature/plan, no session",
        "         no gate counts",
        "Waits    <folder>/work/.claude/requirements.yaml",
        "         It counts once you trust this project: `carryon trust`.\n",
      ].join("\n"),
    );
  });

  it("leaves what is there as it is", async () => {
    await using carryon = await openGated({ gates: "# mine\n" });
    const { code, stderr } = await carryon.call(["gate", "init", "--json"]);
    expect([code, JSON.parse(stderr).error.code]).toEqual([4, "already-there"]);
    expect(await readFile(join(carryon.root, ".claude", "requirements.yaml"), "utf8")).toBe("# mine\n");
  });

  it("says that there is no folder for it where something else is in its place", async () => {
    await using carryon = await openGated({ gates: "" });
    await carryon.write("work/.claude", "no folder");
    for (const what of ["init", "pause"]) {
      const { code, stderr } = await carryon.call(["gate", what, "--json"]);
      expect([code, JSON.parse(stderr).error.code]).toEqual([74, "not-a-folder"]);
    }
    await using linked = await openGated({ gates: "" });
    await mkdir(join(linked.folder, "elsewhere"));
    await symlink(join(linked.folder, "elsewhere"), join(linked.root, ".claude"));
    expect((await linked.call(["gate", "init"])).code).toBe(74);
  });
});
