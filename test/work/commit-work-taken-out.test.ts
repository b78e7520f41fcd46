import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readWorkTreeStatus } from "../../src/git/git-status.ts";
import { stateFile } from "../../src/work/work-state.ts";
import { git, gitEnv } from "../support/git-repo.ts";
import {
  filesIn,
  findLost,
  readHoldings,
  repoIn,
  save,
  statusOf,
  tell,
  writeFiles,
} from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a save of a file that was taken out of the index", () => {
  it("commits that, and leaves the file untracked from then on", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "rm", "-q", "--cached", "a.txt");
    const before = await readHoldings(root);
    const leftOut = ["a.txt: untracked-on-purpose"];
    expect(tell(await save(root))).toMatchObject({ type: "committed", taken: [], leftOut });
    expect(await filesIn(root)).toEqual(["src/b.txt"]);
    expect(await statusOf(root)).toEqual(["?? a.txt"]);
    expect(await findLost(root, before)).toEqual([]);
    await writeFiles(root, { "a.txt": "changed\n", "c.txt": "c\n" });
    expect(tell(await save(root))).toMatchObject({ taken: ["c.txt"], leftOut });
    expect(tell(await save(root))).toMatchObject({ type: "unchanged", leftOut });
    expect(await filesIn(root)).toEqual(["c.txt", "src/b.txt"]);
  });

  it("lists it once, with the hash of what is there", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "rm", "-q", "--cached", "a.txt");
    const { changes } = await readWorkTreeStatus({ cwd: root, env: gitEnv });
    expect(changes.map(({ path, isTakenOut }) => [path, isTakenOut])).toEqual([["a.txt", true]]);
    const [left] = (await save(root)).leftOut;
    expect(left?.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes it again once the user has added it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "rm", "-q", "--cached", "a.txt");
    await save(root);
    await git(root, "add", "a.txt");
    expect(tell(await save(root))).toMatchObject({ type: "committed", taken: ["a.txt"], leftOut: [] });
    await writeFiles(root, { "a.txt": "changed\n" });
    await git(root, "rm", "-q", "--cached", "src/b.txt");
    expect(tell(await save(root))).toMatchObject({
      taken: ["a.txt"],
      leftOut: ["src/b.txt: untracked-on-purpose"],
    });
  });

  it("commits that the state file was taken out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { [stateFile]: "{}" });
    await git(root, "add", "-f", stateFile);
    await git(root, "commit", "-qm", "by mistake");
    await git(root, "rm", "-q", "--cached", stateFile);
    await writeFiles(root, { ".git/info/exclude": `${stateFile}\n` });
    expect(tell(await save(root))).toMatchObject({ type: "committed", leftOut: [] });
    expect(await filesIn(root)).toEqual(["a.txt", "src/b.txt"]);
  });

  it.each(["lost", "emptied"])("takes no file for removed when the index was %s", async (how) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    if (how === "lost") await rm(join(root, ".git/index"));
    else await git(root, "rm", "-q", "-r", "--cached", ".");
    await writeFiles(root, { "c.txt": "c\n" });
    expect(tell(await save(root))).toMatchObject({ type: "committed", leftOut: [] });
    expect(await filesIn(root)).toEqual(["a.txt", "c.txt", "src/b.txt"]);
    expect(await statusOf(root)).toEqual([]);
  });
});
