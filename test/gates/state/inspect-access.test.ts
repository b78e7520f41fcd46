import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { inspectFile, inspectFolder, inspectSource } from "../../../src/gates/state/inspect-access.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ownUser = process.getuid?.() ?? 0;

describe("a file that is written", () => {
  it("is fine where it is one's own, where there is none, and where something else lies there", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("own.json"), "{}");
    await symlink("own.json", dir.join("link.json"));
    await mkdir(dir.join("folder.json"));
    for (const name of ["own.json", "none.json", "link.json", "folder.json", "own.json/below"])
      expect([name, inspectFile(dir.join(name))]).toEqual([name, []]);
  });

  it("is named where it is somebody else's, and where it is read-only", async () => {
    await using dir = await tempDir();
    const path = dir.join("state.json");
    await writeFile(path, "{}");
    await chmod(path, 0o444);
    expect(inspectFile(path, ownUser + 1)).toEqual([
      {
        path,
        problem: `belongs to another user, of the number ${ownUser}`,
        hint: "What it says counts; make sure that it is meant for you, and give it to yourself or move it away.",
      },
      {
        path,
        problem: "is read-only",
        hint: "What it says counts; the next change puts a new file in its place, if its folder allows that.",
      },
    ]);
    expect(inspectFile(path, undefined)).toHaveLength(1);
  });
});

describe("a file that is only read", () => {
  it("is named where it is somebody else's, but for the administrator's", async () => {
    await using dir = await tempDir();
    const path = dir.join("requirements.yaml");
    await writeFile(path, "");
    await chmod(path, 0o444);
    expect(inspectSource(path)).toEqual([]);
    expect(inspectSource(path, ownUser + 1)).toHaveLength(ownUser === 0 ? 0 : 1);
    expect(inspectSource(dir.join("none"), ownUser + 1)).toEqual([]);
  });
});

describe("a folder", () => {
  it("is fine where something can be written, also where it is not there yet", async () => {
    await using dir = await tempDir();
    expect([inspectFolder(dir.path), inspectFolder(dir.join("a/b/c"))]).toEqual([[], []]);
  });
});
