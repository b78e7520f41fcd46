import { mkdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../support/git-repo.ts";
import { filesIn, repoIn, save, statusOf, tell, writeFiles } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const otherToken = `ghp_${"Z9y8X7w6V5u4T3s2R1q0".repeat(2).slice(0, 36)}`;

async function committed(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await repoIn(folder);
  await writeFiles(root, files);
  await git(root, "add", "-Af");
  await git(root, "commit", "-qm", "on purpose");
  return root;
}

describe("a save of files that were moved", () => {
  it("takes what a commit had under another name, whatever it holds and whoever moved it", async () => {
    await using dir = await tempDir();
    const names = ['key"s.py', "tab\tand\nline.py", "grün.py"];
    const root = await committed(dir.path, {
      "asset.bin": "x".repeat(6 << 20),
      "large.bin": "y".repeat(6 << 20),
      "c.py": `token = "${token}"\n`,
      "conf/.env": "A=1\n",
      ...Object.fromEntries(names.map((name, at) => [`old${at}.py`, `token = "${token}" # ${name}\n`])),
    });
    await mkdir(join(root, "assets"));
    await git(root, "mv", "asset.bin", "assets/");
    await rename(join(root, "large.bin"), join(root, "larger.bin"));
    await rename(join(root, "c.py"), join(root, "d.py"));
    await rename(join(root, "conf"), join(root, "config"));
    for (const [at, name] of names.entries()) await rename(join(root, `old${at}.py`), join(root, name));
    expect(tell(await save(root))).toMatchObject({ type: "committed", leftOut: [] });
    expect((await filesIn(root)).length).toBe(9);
    expect(await statusOf(root)).toEqual([]);
  });

  it("takes a link that was moved, also one that leads nowhere", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await symlink("nowhere", join(root, ".env"));
    await git(root, "add", "-Af");
    await git(root, "commit", "-qm", "on purpose");
    await unlink(join(root, ".env"));
    await symlink("nowhere", join(root, ".env.local"));
    expect(tell(await save(root))).toMatchObject({ type: "committed", leftOut: [] });
    expect(await filesIn(root)).toEqual([".env.local", "a.txt", "src/b.txt"]);
  });

  it("takes a file that was moved and changed, and no secret that is new in it", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { "c.py": `${token}\n`, "e.py": `${token}\ne\n` });
    await rm(join(root, "c.py"));
    await rm(join(root, "e.py"));
    await writeFiles(root, { "d.py": `${token}\nmore\n`, "f.py": `${token}\n${otherToken}\n` });
    expect(tell(await save(root))).toMatchObject({
      taken: ["c.py", "d.py", "e.py"],
      leftOut: ["f.py: secret-content"],
    });
  });

  it("leaves copies out, also of what was only taken out of the index", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { ".env": "A=1\n", "c.py": `${token}\n` });
    await git(root, "rm", "-q", "--cached", ".env", "c.py");
    await writeFiles(root, {
      ".gitignore": "/.env\n/c.py\n",
      "copy/.env": "A=1\n",
      "d.py": `${token}\nmore\n`,
    });
    expect(tell(await save(root))).toMatchObject({
      taken: [".env", ".gitignore", "c.py"],
      leftOut: ["copy/.env: environment", "d.py: secret-content"],
    });
  });
});
