import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateFile } from "../../src/work/work-state.ts";
import { git, makeRepo } from "../support/git-repo.ts";
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

describe("a save in git", () => {
  // Seed 1: 7.1
  it("commits changed, new and deleted files, and leaves the index clean", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "changed\n", "new file.txt": "new\n" });
    await rm(join(root, "src/b.txt"));
    const saved = await save(root);
    expect(tell(saved)).toEqual({
      ...{ type: "committed", files: 3, deleted: 1, branch: "main" },
      taken: ["a.txt", "new file.txt", "src/b.txt"],
      leftOut: [],
    });
    expect(saved.head).toBe(await git(root, "rev-parse", "HEAD"));
    expect(await statusOf(root)).toEqual([]);
    expect(await filesIn(root)).toEqual(["a.txt", "new file.txt"]);
    expect(await git(root, "log", "-1", "--format=%B")).toBe("WIP: it - checkpoint");
  });

  it("makes no commit without changes, and leaves the index as it is to the byte", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const before = await git(root, "rev-parse", "HEAD");
    expect(tell(await save(root))).toEqual({ type: "unchanged", branch: "main", taken: [], leftOut: [] });
    expect(await git(root, "rev-parse", "HEAD")).toBe(before);
  });

  it("makes the first commit of a repository", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    await writeFiles(dir.path, { "a.txt": "a\n" });
    expect(tell(await save(dir.path))).toMatchObject({ type: "committed", files: 1 });
    expect(await statusOf(dir.path)).toEqual([]);
  });

  // Seed 1: 6.1
  it("names what it leaves out, and leaves it in the work tree", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    await writeFiles(root, {
      ".env": "A=1\n",
      "app/.env.local": "A=1\n",
      id_rsa: "x\n",
      "big.bin": "x".repeat(5 * 1024 * 1024 + 1),
      "fits.bin": "x".repeat(5 * 1024 * 1024),
      "token.txt": `const token = "${token}";\n`,
      "key.pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq1\n-----END RSA PRIVATE KEY-----\n",
      "ignored.log": "x",
      ".gitignore": "*.log\n",
      [stateFile]: "{}",
    });
    await makeRepo(join(root, "vendor/lib"), ["theirs"]);
    const before = await readHoldings(root);
    expect(tell(await save(root))).toEqual({
      ...{ type: "committed", files: 2, deleted: 0, branch: "main" },
      taken: [".gitignore", "fits.bin"],
      leftOut: [
        ".claude/session-state.json: state-file",
        ".env: environment",
        "app/.env.local: environment",
        "big.bin: too-big",
        "id_rsa: secret-name",
        "key.pem: secret-content",
        "token.txt: secret-content",
        "vendor/lib/: repository",
      ],
    });
    expect(await filesIn(root)).toEqual([".gitignore", "a.txt", "fits.bin", "src/b.txt"]);
    expect(await findLost(root, before)).toEqual([]);
  });

  it("neither commits nor names a lock of ours, also where the user wants all of its folder", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const [lock, temp] = [".claude/.session-state.json.carryon-lock", "src/.a.json.0f-1-2-3.carryon-tmp"];
    await writeFiles(root, {
      ".gitignore": "!.claude/**\n",
      [lock]: "",
      [temp]: "{",
      "carryon-lock": "theirs",
    });
    await git(root, "add", temp);
    expect(tell(await save(root))).toMatchObject({ taken: [".gitignore", "carryon-lock"], leftOut: [] });
    expect(await filesIn(root)).toEqual([".gitignore", "a.txt", "carryon-lock", "src/b.txt"]);
    expect(await statusOf(root)).toEqual([`A  ${temp}`, `?? ${lock}`]);
    expect(tell(await save(root))).toMatchObject({ type: "unchanged", taken: [], leftOut: [] });
  });

  it("goes on committing an environment file and a secret that a commit has already", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const [one, other] = ["a1B2c3D4e5F6g7H8i9J0", "Z9y8X7w6V5u4T3s2R1q0"].map(
      (text) => `ghp_${text.repeat(2).slice(0, 36)}`,
    );
    await writeFiles(root, { ".env": "A=1\n", "fixture.txt": `${one}\n`, "clean.txt": "clean\n" });
    await git(root, "add", "-Af");
    await git(root, "commit", "-qm", "on purpose");
    await writeFiles(root, { ".env": "A=2\n", "fixture.txt": `${one}\nmore\n`, "clean.txt": `${other}\n` });
    expect(tell(await save(root))).toMatchObject({
      taken: [".env", "fixture.txt"],
      leftOut: ["clean.txt: secret-content"],
    });
    expect(await statusOf(root)).toEqual(["M clean.txt"]);
  });

  it("leaves what is staged of a file that it leaves out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { ".env": "A=1\n", "c.txt": "c\n" });
    await git(root, "add", "-f", ".env");
    expect(tell(await save(root))).toMatchObject({ type: "committed", leftOut: [".env: environment"] });
    expect(await statusOf(root)).toEqual(["A  .env"]);
    expect(await filesIn(root)).toEqual(["a.txt", "c.txt", "src/b.txt"]);
  });

  it("takes the work tree of a partly staged file, and keeps what was staged", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "staged\n", "gone.txt": "staged only\n" });
    await git(root, "add", "-A");
    await writeFiles(root, { "a.txt": "newer\n" });
    await rm(join(root, "gone.txt"));
    const before = await readHoldings(root);
    expect(tell(await save(root))).toMatchObject({ type: "committed", staged: "refs/carryon/staged" });
    expect(await git(root, "show", "HEAD:a.txt")).toBe("newer");
    expect(await git(root, "show", "refs/carryon/staged:a.txt")).toBe("staged");
    expect(await git(root, "show", "refs/carryon/staged:gone.txt")).toBe("staged only");
    expect(await statusOf(root)).toEqual([]);
    expect(await findLost(root, before)).toEqual([]);
    await writeFiles(root, { "a.txt": "staged again\n" });
    await git(root, "add", "-A");
    await writeFiles(root, { "a.txt": "newest\n" });
    await save(root);
    expect(await git(root, "show", "refs/carryon/staged^2:a.txt")).toBe("staged");
  });

  it("leaves staging alone when there is nothing to commit", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "a.txt": "staged\n" });
    await git(root, "add", "-A");
    await writeFiles(root, { "a.txt": "a\n" });
    expect(tell(await save(root))).toMatchObject({ type: "unchanged" });
    expect(await git(root, "show", ":a.txt")).toBe("staged");
  });

  it("leaves a file out that cannot be read", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "c.txt": "c\n" });
    await chmod(join(root, "c.txt"), 0o000);
    const isRoot = process.getuid?.() === 0;
    expect(tell(await save(root)).leftOut).toEqual(isRoot ? [] : ["c.txt: unreadable"]);
  });
});
