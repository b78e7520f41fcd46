import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeTrouble } from "../../src/work/describe-commit.ts";
import { git } from "../support/git-repo.ts";
import { filesIn, hook, repoIn, save, statusOf, tell, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A repository with changes of each kind, whose index is locked by a git that is no more. */
async function locked(folder: string): Promise<{ readonly root: string; readonly lock: string }> {
  const root = await repoIn(folder);
  const lock = join(root, ".git/index.lock");
  await writeFile(lock, "");
  await writeFiles(root, { "a.txt": "changed\n", "new.txt": "new\n", ".env": "A=1\n" });
  await rm(join(root, "src/b.txt"));
  return { root, lock };
}

describe("a save while the index is locked", () => {
  it("commits, and names the lock that keeps the index behind", async () => {
    await using dir = await tempDir();
    const { root, lock } = await locked(dir.path);
    const saved = await save(root);
    expect([tell(saved).type, saved.indexLock]).toEqual(["committed", lock]);
    expect(describeTrouble(saved)).toEqual([
      "Another git holds the index, which therefore does not know of the commit yet: save again when it has ended.",
      `Its lock is ${lock}: remove that file only if no git runs.`,
    ]);
  });

  it("goes on with the next changes, and the index follows both commits when the lock is gone", async () => {
    await using dir = await tempDir();
    const { root, lock } = await locked(dir.path);
    await save(root);
    await writeFiles(root, { "c.txt": "c\n", "new.txt": "newer\n" });
    const second = await save(root);
    expect([tell(second), second.indexLock]).toMatchObject([
      { type: "committed", leftOut: [".env: environment"] },
      lock,
    ]);
    expect(second).not.toHaveProperty("staged");
    expect(await filesIn(root)).toEqual(["a.txt", "c.txt", "new.txt"]);
    await rm(lock);
    const third = await save(root);
    expect([tell(third).type, third.indexLock]).toEqual(["unchanged", undefined]);
    expect(await statusOf(root)).toEqual(["?? .env"]);
    expect(await git(root, "log", "--format=%s")).toBe("WIP: it - checkpoint\nWIP: it - checkpoint\nfirst");
  });

  it("lets the index follow later when there was nothing new, or a hook refused, in between", async () => {
    await using dir = await tempDir();
    const { root, lock } = await locked(dir.path);
    await save(root);
    const second = await save(root);
    expect([tell(second).type, second.indexLock]).toEqual(["unchanged", lock]);
    await hook(root, "pre-commit", "exit 1");
    await writeFiles(root, { "c.txt": "c\n" });
    expect(tell(await save(root)).type).toBe("refused");
    await rm(lock);
    expect(tell(await save(root)).type).toBe("refused");
    expect(await statusOf(root)).toEqual(["?? .env", "?? c.txt"]);
  });

  it("takes a file for what it is that is ignored, gone again or back since it was committed", async () => {
    await using dir = await tempDir();
    const { root, lock } = await locked(dir.path);
    await writeFiles(root, { "gone.txt": "gone\n" });
    await save(root);
    await rm(join(root, "gone.txt"));
    await writeFiles(root, { ".gitignore": "new.txt\n", "src/b.txt": "back\n" });
    expect(tell(await save(root)).type).toBe("committed");
    expect(await filesIn(root)).toEqual([".gitignore", "a.txt", "new.txt", "src/b.txt"]);
    await rm(lock);
    await save(root);
    expect(await statusOf(root)).toEqual(["?? .env"]);
  });
});
