import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/sessions/chain.ts";
import { validateState } from "../../../src/work/validate/validate-state.ts";
import { git } from "../../support/git-repo.ts";
import { inConflict, repoIn, tryGit, writeFiles } from "../../support/save-repo.ts";
import { bareState, codesOf, saveState, validate } from "../../support/saved-state.ts";
import { tempDir } from "../../support/temp-dir.ts";

const commitThem = "Commit them (`carryon save` does) or stash them before you switch to another branch.";
const readAgain = "Read it again, for it is not as it was when the work was saved.";
const lookWhere = "Look with `git log --stat` where it went, before you go on.";
const allValid = ["ALL_VALID"];

describe("UNCOMMITTED_CHANGES", () => {
  // Seed 1: 10.4
  it("counts the files and names the first few", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const { state } = await saveState(root);
    await writeFiles(root, { "a.txt": "changed\n" });
    const single = await validate(root, state);
    await writeFiles(root, { "new/c": "", "new/d": "" });
    await rm(dir.join("repo", "src", "b.txt"));
    await git(root, "add", "new/c");
    expect([...single, ...(await validate(root, state))]).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message: "A file has changes that are not committed: a.txt.",
        action: commitThem,
      },
      {
        code: "UNCOMMITTED_CHANGES",
        message: "4 files have changes that are not committed: a.txt, new/c, src/b.txt and 1 more.",
        action: commitThem,
      },
    ]);
  });

  it("leaves out the handover, the state itself, its lock, and what git ignores", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { ".gitignore": "/dist\n" });
    const { state } = await saveState(root);
    await writeFiles(root, { ".sdd/handover/session.md": "x", ".sdd/handover/archive/old.md": "x" });
    await writeFiles(root, {
      ".claude/session-state.json": "{}",
      ".claude/.session-state.json.carryon-lock": "",
      "dist/x.js": "",
    });
    expect(await codesOf(validate(root, state))).toEqual(allValid);
    await writeFiles(root, { ".sdd/handover.md": "x", ".claude/session-state.json.bak": "x" });
    expect(await validate(root, state)).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message:
          "2 files have changes that are not committed: .claude/session-state.json.bak, .sdd/handover.md.",
        action: commitThem,
      },
    ]);
  });

  it("leaves out what the last save left out, until it changes", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await repoIn(dir.join("repo", "inner"));
    await writeFiles(root, { "a.txt": "changed\n", ".env": "A=1", "big.bin": "x".repeat(5_300_000) });
    const { state, leftOut } = await saveState(root);
    expect(leftOut.map(({ path }) => path).sort()).toEqual([".env", "big.bin", "inner/"]);
    expect(await codesOf(validate(root, state, leftOut))).toEqual(allValid);
    expect(await codesOf(validate(root, state, []))).toEqual(["UNCOMMITTED_CHANGES"]);
    await writeFiles(root, { ".env": "A=2" });
    expect(await validate(root, state, leftOut)).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message:
          "A file has changes that `carryon save` leaves out: .env (an environment file that no commit has yet).",
        action:
          "Commit it with git yourself if it belongs there; else let git ignore it, or keep it elsewhere.",
      },
      { code: "FILE_CHANGED", message: "A file has changed since it was saved: .env.", action: readAgain },
    ]);
  });

  it("tells apart what a save commits and what it leaves out, with what to do about each", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const { state } = await saveState(root);
    await writeFiles(root, { "a.txt": "changed\n", ".env": "A=1", "film.mp4": "x".repeat(5_300_000) });
    expect(await validate(root, state)).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message: "A file has changes that are not committed: a.txt.",
        action: commitThem,
      },
      {
        code: "UNCOMMITTED_CHANGES",
        message:
          "2 files have changes that `carryon save` leaves out: " +
          ".env (an environment file that no commit has yet), film.mp4 (it is over 5 MB, 5.3 MB).",
        action:
          "Commit them with git yourself if they belong there; else let git ignore them, or keep them elsewhere.",
      },
    ]);
  });

  it("does not judge each of very many", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const { state } = await saveState(root);
    const names = Array.from({ length: 1000 }, (_, index) => `new/${index}`);
    await writeFiles(root, { ...Object.fromEntries(names.map((name) => [name, ""])), ".env": "A=1" });
    expect(await validate(root, state)).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message: "1001 files have changes that are not committed: .env, new/0, new/1 and 998 more.",
        action: commitThem,
      },
    ]);
  });

  it("names renamed files, files in conflict, and names that are not UTF-8", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await inConflict(root);
    await git(root, "mv", "src/b.txt", "src/가.txt");
    const { state } = await saveState(root);
    await tryGit(root, "merge", "-q", "other");
    await writeFile(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]), "x");
    await git(root, "mv", "src/가.txt", "나 다.txt");
    expect(await validate(root, { ...state, modifiedFiles: [] })).toEqual([
      {
        code: "UNCOMMITTED_CHANGES",
        message: "4 files have changes that are not committed: src/가.txt, 나 다.txt, a.txt and 1 more.",
        action: commitThem,
      },
    ]);
  });
});

describe("FILE_MISSING and FILE_CHANGED", () => {
  // Seed 1: 10.7
  it("tell of the files that were saved, in a repository and outside one", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { "a.txt": "1", b: "1", c: "1", d: "1", e: "1", f: "1" });
    await rm(dir.join("repo", "src", "b.txt"));
    const { state } = await saveState(root);
    for (const name of ["a.txt", "b", "c", "d"]) await rm(dir.join("repo", name));
    await writeFiles(root, { e: "2", "src/b.txt": "back again" });
    const missing = {
      code: "FILE_MISSING",
      message: "4 files that were saved are missing: a.txt, b, c and 1 more.",
      action: lookWhere,
    };
    const changed = {
      code: "FILE_CHANGED",
      message: "2 files have changed since they were saved: src/b.txt, e.",
      action: readAgain,
    };
    const outside = { root, run: undefined };
    const saved = { ...state, branch: null, commit: null };
    expect(await validateState(outside, saved, { folders: [], leftOut: [] })).toEqual([missing, changed]);
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "later");
    expect((await validate(root, state)).slice(1)).toEqual([missing, changed]);
    await writeFiles(root, { "a.txt": "1", b: "1", c: "1", e: "1" });
    await rm(dir.join("repo", "src", "b.txt"));
    expect(
      (await validateState(outside, saved, { folders: [], leftOut: [] })).map(({ message }) => message),
    ).toEqual(["A file that was saved is missing: d."]);
  });

  it("leave out the handover and the state itself", async () => {
    await using dir = await tempDir();
    await writeFiles(dir.path, { ".sdd/handover/session.md": "new" });
    const modifiedFiles = [
      ".sdd/handover/session.md",
      ".sdd/handover/x.md",
      ".claude/session-state.json",
    ].map((path) => ({ path, sha256: sha256("old") }));
    const state = { ...bareState, modifiedFiles };
    const place = { root: dir.path, run: undefined };
    const codes = async (folder: string) =>
      (await validateState(place, state, { folders: [folder], leftOut: [] })).map(({ code }) => code);
    expect([await codes(".sdd/handover"), await codes("./.sdd/handover/"), await codes(".sdd/hand")]).toEqual(
      [allValid, allValid, ["FILE_MISSING", "FILE_CHANGED"]],
    );
  });

  it("find files again whose names are not UTF-8", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const path = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
    await writeFile(path, "x");
    await writeFiles(root, { "a\\xff b": "x" });
    const { state } = await saveState(root);
    expect(state.modifiedFiles.map((file) => file.path).sort()).toEqual(["a\\xff b", "caf\\xe9"]);
    expect(await codesOf(validate(root, state))).toEqual(allValid);
    await writeFile(path, "y");
    expect((await validate(root, state)).map(({ message }) => message)).toEqual([
      "A file has changes that are not committed: caf\\xe9.",
      "A file has changed since it was saved: caf\\xe9.",
    ]);
  });

  it("take a link for what it says, and what is behind the link of a folder for gone", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await symlink("nowhere", dir.join("repo", "link"));
    await writeFiles(root, { "folder/x": "x" });
    const { state } = await saveState(root);
    expect(await codesOf(validate(root, state))).toEqual(allValid);
    await rename(dir.join("repo", "folder"), dir.join("elsewhere"));
    await symlink(dir.join("elsewhere"), dir.join("repo", "folder"));
    await rm(dir.join("repo", "link"));
    await symlink("else", dir.join("repo", "link"));
    expect((await validate(root, state)).slice(1).map(({ message }) => message)).toEqual([
      "A file that was saved is missing: folder/x.",
      "A file has changed since it was saved: link.",
    ]);
  });

  it("see that a file has become something else", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { folder: "x", big: "x" });
    const saved = await saveState(root);
    const state = { ...saved.state, branch: null, commit: null };
    await rm(dir.join("repo", "folder"));
    await mkdir(dir.join("repo", "folder"));
    await writeFiles(root, { big: "x".repeat(5_300_000) });
    expect(
      (await validateState({ root, run: undefined }, state, { folders: [], leftOut: [] })).map(
        ({ message }) => message,
      ),
    ).toEqual(["A file that was saved is missing: folder.", "A file has changed since it was saved: big."]);
  });

  it.each([
    "../out",
    "a/../../out",
    "/etc/hostname",
    "\\x2e\\x2e/out",
    "..\\xff/../../out",
    ".git/HEAD",
    "a\0b",
    "",
    "x".repeat(5000),
  ])("read nothing outside the project for %j", async (path) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(dir.path, { out: "x" });
    // If it were read, it would have changed, or be as it was.
    for (const hash of [sha256("x"), "0"])
      expect(await codesOf(validate(root, { modifiedFiles: [{ path, sha256: hash }] }))).toEqual([
        "FILE_MISSING",
      ]);
  });
});
