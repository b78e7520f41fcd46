import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
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

describe("a save in any place of git", () => {
  it("works in a repository with long hashes", async () => {
    await using dir = await tempDir();
    await git(dir.path, "init", "-q", "--object-format=sha256", "--initial-branch=main");
    await writeFiles(dir.path, { "a.txt": "a\n", ".env": "A=1\n" });
    await git(dir.path, "add", "-f", ".env");
    expect(tell(await save(dir.path))).toMatchObject({ type: "committed", leftOut: [".env: environment"] });
    await rm(join(dir.path, "a.txt"));
    expect(tell(await save(dir.path))).toMatchObject({ type: "committed", files: 1 });
    expect(await statusOf(dir.path)).toEqual(["A  .env"]);
  });

  it("commits on a detached HEAD", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "checkout", "-q", "--detach");
    await writeFiles(root, { "c.txt": "c\n" });
    expect(tell(await save(root))).toMatchObject({ type: "committed", branch: null });
    expect(await statusOf(root)).toEqual([]);
  });

  it("leaves out a repository that was added as a link, and takes a new submodule", async () => {
    await using dir = await tempDir();
    const root = await repoIn(join(dir.path, "main"));
    await repoIn(join(dir.path, "library"));
    await repoIn(join(root, "nested"));
    await git(root, "-c", "advice.addEmbeddedRepo=false", "add", "nested");
    await git(root, "submodule", "--quiet", "add", "../library", "library");
    expect(tell(await save(root))).toMatchObject({
      type: "committed",
      taken: [".gitmodules", "library"],
      leftOut: ["nested: repository"],
    });
    expect(await statusOf(root)).toEqual(["A  nested"]);
  });

  it("commits in a work tree and in a submodule, and not in the others", async () => {
    await using dir = await tempDir();
    const root = await repoIn(join(dir.path, "main"));
    await repoIn(join(dir.path, "library"));
    await git(root, "submodule", "--quiet", "add", "../library", "library");
    await git(root, "commit", "-qm", "with a submodule");
    const tree = join(dir.path, "tree");
    await git(root, "worktree", "add", "-q", "-b", "feature", tree);
    await writeFiles(tree, { "t.txt": "t\n" });
    expect(tell(await save(tree))).toMatchObject({ type: "committed", branch: "feature", taken: ["t.txt"] });
    expect(await statusOf(tree)).toEqual([]);
    expect(await statusOf(root)).toEqual([]);
    const library = join(root, "library");
    await writeFiles(library, { "l.txt": "l\n" });
    expect(tell(await save(root))).toMatchObject({
      type: "unchanged",
      leftOut: ["library: submodule-changes"],
    });
    expect(tell(await save(library))).toMatchObject({ type: "committed", taken: ["l.txt"] });
    expect(tell(await save(root))).toMatchObject({ type: "committed", taken: ["library"] });
    expect(await statusOf(root)).toEqual([]);
  });

  it.each(["moved", "staged"])(
    "takes a submodule that has %s, and names what has changed inside of it",
    async (way) => {
      await using dir = await tempDir();
      const root = await repoIn(join(dir.path, "main"));
      await repoIn(join(dir.path, "library"));
      await git(root, "submodule", "--quiet", "add", "../library", "library");
      if (way === "moved") {
        await git(root, "commit", "-qm", "with a submodule");
        await git(join(root, "library"), "commit", "-q", "--allow-empty", "-m", "moved");
      }
      await writeFiles(join(root, "library"), { "a.txt": "unsaved\n" });
      const checkedOut = await git(join(root, "library"), "rev-parse", "HEAD");
      expect(tell(await save(root))).toMatchObject({
        type: "committed",
        taken: way === "moved" ? ["library"] : [".gitmodules", "library"],
        leftOut: ["library: submodule-changes"],
      });
      expect(await git(root, "rev-parse", "HEAD:library")).toBe(checkedOut);
      expect(await statusOf(root)).toEqual(["M library"]);
    },
  );

  it("commits names in any encoding and with any characters", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const names = [
      "grün.txt",
      "日本.txt",
      'q"uo\\te.txt',
      "tab\tand\nline.txt",
      " lead",
      "-dash",
      ":(top)x",
      "*",
    ];
    await writeFiles(root, Object.fromEntries(names.map((name) => [name, "x\n"])));
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xe4, 0x2e])]), "latin");
    const before = await readHoldings(root);
    expect(tell(await save(root)).taken).toEqual([...names, "\\xff\\xe4."].sort());
    expect(await statusOf(root)).toEqual([]);
    expect(await findLost(root, before)).toEqual([]);
  });

  it("commits a file in the place of a folder, a folder in that of a file, and links", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "folder/one.txt": "1\n", "other/one.txt": "1\n", plain: "p\n" });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "second");
    await rm(join(root, "src"), { recursive: true });
    await rm(join(root, "plain"));
    await rename(join(root, "folder"), join(root, "moved"));
    await symlink("other", join(root, "folder"));
    await writeFiles(root, { src: "now a file\n", "plain/in.txt": "now a folder\n" });
    expect(tell(await save(root))).toMatchObject({ type: "committed" });
    expect(await statusOf(root)).toEqual([]);
    expect(await filesIn(root)).toEqual([
      "a.txt",
      "folder",
      "moved/one.txt",
      "other/one.txt",
      "plain/in.txt",
      "src",
    ]);
  });

  it("commits in a sparse checkout, also what was made outside of it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "far/away.txt": "far\n" });
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "second");
    await git(root, "sparse-checkout", "set", "src");
    await writeFiles(root, { "src/b.txt": "changed\n", "outside/o.txt": "o\n" });
    expect(tell(await save(root))).toMatchObject({ taken: ["outside/o.txt", "src/b.txt"] });
    expect(await filesIn(root)).toEqual(["a.txt", "far/away.txt", "outside/o.txt", "src/b.txt"]);
    expect(await statusOf(root)).toEqual([]);
  });
});
