import { mkdir, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { chooseHandoverPlace } from "../../src/workspace/choose-handover-place.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A project and a home, and where the documents are. */
async function open() {
  const dir = await tempDir();
  const [home, root] = [dir.join("home"), dir.join("shop")];
  for (const folder of [home, root]) await mkdir(folder);
  return {
    join: (...names: readonly string[]) => dir.join("shop", ...names),
    configure: (text: string) => writeFile(dir.join("home", "config.yaml"), text),
    choose: async () => (await chooseHandoverPlace({ home, root })).sddDir,
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

describe("the documents of a project", () => {
  it("are in .claude/sdd, or in .sdd where the project has that folder", async () => {
    await using project = await open();
    expect(await project.choose()).toBe(".claude/sdd");
    await mkdir(project.join(".sdd"));
    expect(await project.choose()).toBe(".sdd");
  });

  it("stay in .claude/sdd when a .sdd without documents comes up", async () => {
    await using project = await open();
    await mkdir(project.join(".claude/sdd/handover"), { recursive: true });
    await mkdir(project.join(".sdd/project"), { recursive: true });
    expect(await project.choose()).toBe(".claude/sdd");
    await mkdir(project.join(".sdd/handover"));
    expect(await project.choose()).toBe(".sdd");
  });

  it("are not in what is called .sdd and is no folder of the project", async () => {
    await using project = await open();
    await writeFile(project.join(".sdd"), "");
    expect(await project.choose()).toBe(".claude/sdd");
    await using other = await open();
    await symlink(project.join(), other.join(".sdd"));
    expect(await other.choose()).toBe(".claude/sdd");
  });

  it("are where the configuration says, though the project has .sdd", async () => {
    await using project = await open();
    await mkdir(project.join(".sdd"));
    await project.configure("sddDir: ./docs/sdd/\n");
    expect(await project.choose()).toBe("docs/sdd");
    await project.configure("# sddDir: docs/sdd\n");
    expect(await project.choose()).toBe(".sdd");
  });

  it("are nowhere while the configuration is wrong", async () => {
    await using project = await open();
    await project.configure("sddDir: ../docs\n");
    await expect(project.choose()).rejects.toMatchObject({ kind: "config", code: "bad-config" });
  });
});
