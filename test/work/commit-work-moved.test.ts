import { mkdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { filesIn, repoIn, save, statusOf, tell, writeFiles } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

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
    await writeFiles(root, { "d.py": `${token}\nmore\n`, "f.py": `${token}\ne\n${otherToken}\n` });
    expect(tell(await save(root))).toMatchObject({
      taken: ["c.py", "d.py", "e.py"],
      leftOut: ["f.py: secret-content"],
    });
  });

  it.each([
    { case: "of another name", old: ".env", now: "conf/.env.local", text: "A=1\nB=2\nC=3\n" },
    { case: "of the same name, whatever it says now", old: ".env", now: "conf/.env", text: "other\n" },
    {
      case: "of the same name, too big to be read",
      old: "a/film.bin",
      now: "film.bin",
      text: "x".repeat(6 << 20),
    },
  ])("keeps the old place of a file that is left out at its new one: $case", async ({ old, now, text }) => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { [old]: "A=1\nB=2\n", "gone.txt": "gone\n" });
    await rm(join(root, old));
    await rm(join(root, "gone.txt"));
    await writeFiles(root, { [now]: text });
    const saved = await save(root);
    expect(tell(saved)).toMatchObject({ type: "committed", taken: ["gone.txt"], deleted: 1 });
    expect(
      saved.leftOut.map(({ path, reason, detail }) => [path, reason === "moved-away" ? detail : ""]),
    ).toEqual([
      [old, now],
      [now, ""],
    ]);
    expect(await filesIn(root)).toContain(old);
    expect(await statusOf(root)).toEqual([`D ${old}`, `?? ${now}`]);
  });

  it("keeps the old place of settings that were moved and rewritten under another name", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { ".env": "A=1\nB=2\n", "docs/.env.example": "A=\n" });
    await rm(join(root, ".env"));
    await rm(join(root, "docs/.env.example"));
    await writeFiles(root, { "conf/.env.production": "HOST=db\n" });
    expect(tell(await save(root))).toMatchObject({
      taken: ["docs/.env.example"],
      leftOut: [".env: moved-away", "conf/.env.production: environment"],
    });
    expect(await filesIn(root)).toContain(".env");
  });

  it("keeps the old place also where the move was staged, which stays so", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { ".env": "A=1\nB=2\n" });
    await mkdir(join(root, "conf"));
    await git(root, "mv", ".env", "conf/.env");
    await writeFiles(root, { "conf/.env": "A=1\nB=2\nC=3\n", "new.txt": "new\n" });
    await git(root, "add", "conf/.env");
    expect(tell(await save(root))).toMatchObject({
      taken: ["new.txt"],
      leftOut: [".env: moved-away", "conf/.env: environment"],
    });
    expect(await filesIn(root)).toContain(".env");
    expect(await statusOf(root)).toEqual(["R  .env -> conf/.env"]);
  });

  it("leaves out a new .env that was an example, and all that is written into it later", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { ".env.example": "PASSWORD=\n" });
    await rename(join(root, ".env.example"), join(root, ".env"));
    const leftOut = [".env.example: moved-away", ".env: environment"].sort();
    expect(tell(await save(root))).toMatchObject({ type: "unchanged", leftOut });
    await writeFiles(root, { ".env": "PASSWORD=\nreal\n", "new.txt": "new\n" });
    expect(tell(await save(root))).toMatchObject({ taken: ["new.txt"], leftOut });
    expect(await filesIn(root)).toEqual([".env.example", "a.txt", "new.txt", "src/b.txt"]);
  });

  it("keeps an example in the commit that became a .env of which nothing is the same", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { "api/.env.example": "PASSWORD=\n", ".env.sample": "A=\n" });
    await rename(join(root, "api/.env.example"), join(root, "api/.env"));
    await rm(join(root, ".env.sample"));
    await writeFiles(root, { "api/.env": "PASSWORD=real\nHOST=db\n" });
    expect(tell(await save(root))).toMatchObject({
      taken: [".env.sample"],
      leftOut: ["api/.env.example: moved-away", "api/.env: environment"],
    });
  });

  it("leaves out a new .env also where the move was staged, which stays so", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { ".env.example": "PASSWORD=\n" });
    await git(root, "mv", ".env.example", ".env");
    await writeFiles(root, { "new.txt": "new\n" });
    expect(tell(await save(root))).toMatchObject({
      taken: ["new.txt"],
      leftOut: [".env.example: moved-away", ".env: environment"],
    });
    expect(await statusOf(root)).toEqual(["R  .env.example -> .env"]);
  });

  it("takes an example that was moved to another", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { "config.sample": "PASSWORD=\n" });
    await rename(join(root, "config.sample"), join(root, ".env.sample"));
    expect(tell(await save(root))).toMatchObject({ taken: [".env.sample", "config.sample"], leftOut: [] });
  });

  it("commits the deletion of files that nothing looks like", async () => {
    await using dir = await tempDir();
    const root = await committed(dir.path, { "c.txt": "one\ntwo\n", "old/.env": "A=1\n" });
    await rm(join(root, "c.txt"));
    await rename(join(root, "old"), join(root, "conf"));
    await writeFiles(root, { ".env.other": "nothing\nof it\n" });
    expect(tell(await save(root))).toMatchObject({
      taken: ["c.txt", "conf/.env", "old/.env"],
      leftOut: [".env.other: environment"],
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
