import { mkdir, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Blocker } from "../../../src/work/blocker.ts";
import { renderWorkState } from "../../../src/work/render-work-state.ts";
import { parseWorkState } from "../../../src/work/state/parse-work-state.ts";
import { validateState } from "../../../src/work/validate/validate-state.ts";
import { git } from "../../support/git-repo.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { bareState, codesOf, saveState, validate } from "../../support/saved-state.ts";
import { tempDir } from "../../support/temp-dir.ts";

const blocker: Blocker = {
  type: "test_failure",
  severity: "high",
  description: "2 tests fail.",
  detectedAt: new Date("2026-11-16T11:00:00Z"),
  isAutoDetected: true,
  recoveryAttempted: 0,
  maxRecoveryAttempts: 3,
};

const nothingKnown = { folders: [], leftOut: [] };
const nameAnother = "Name another with `carryon save --openspec ID`, or begin a new task.";

describe("validateState", () => {
  it("says all that differs at once, in one order", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "switch", "-qc", "feature");
    await writeFiles(root, { "a.txt": "mine\n", "gone.txt": "mine\n" });
    const { state } = await saveState(root);
    await git(root, "switch", "-q", "main");
    await writeFiles(root, { "c.txt": "new\n", "openspec/changes/b/tasks.md": "- [ ] b\n" });
    const found = await validate(root, { ...state, change: "a", blocker });
    expect(found.map(({ code }) => code)).toEqual([
      ...["BRANCH_MISMATCH", "COMMIT_MISMATCH", "UNCOMMITTED_CHANGES", "OPENSPEC_NOT_FOUND"],
      ...["FILE_MISSING", "FILE_CHANGED", "BLOCKER_EXISTS"],
    ]);
    expect(await codesOf(validate(root, { ...state, change: "b" }))).toContain("PROPOSAL_MISSING");
  });

  it("says that files outside a repository are not compared", async () => {
    await using dir = await tempDir();
    expect(await validateState({ root: dir.path, run: undefined }, bareState, nothingKnown)).toEqual([
      {
        code: "ALL_VALID",
        message: "Nothing is known to have changed. Outside git, files are not compared.",
        action: "Go on with the next task.",
      },
    ]);
  });

  it.each([
    { branch: "main", commit: "0123abc", where: "on main" },
    { branch: "main", commit: null, where: "on main" },
    { branch: null, commit: "0123abc", where: "on a detached HEAD" },
  ])("says that what was saved $where is in no repository any more", async ({ where, ...saved }) => {
    await using dir = await tempDir();
    const state = { ...bareState, ...saved };
    expect(await validateState({ root: dir.path, run: undefined }, state, nothingKnown)).toEqual([
      {
        code: "BRANCH_MISMATCH",
        message: `This is no repository, but the work was saved ${where}.`,
        action: "Look where its .git folder went, or go on here and save again.",
      },
    ]);
  });

  it("changes nothing", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await writeFiles(root, { "a.txt": "changed\n" });
    const before = await git(root, "ls-files", "--debug");
    await validate(root, {
      branch: "other",
      commit: "0123abc",
      modifiedFiles: [{ path: "a.txt", sha256: null }],
    });
    expect(await git(root, "ls-files", "--debug")).toBe(before);
    expect(await git(root, "status", "--porcelain")).toBe("M a.txt");
  });
});

describe("OPENSPEC_NOT_FOUND and PROPOSAL_MISSING", () => {
  async function check(root: string, change: string) {
    return validateState({ root, run: undefined }, { ...bareState, change }, nothingKnown);
  }

  it("are not said of a change that is there, or archived", async () => {
    await using dir = await tempDir();
    await writeFiles(dir.path, {
      "openspec/changes/a/proposal.md": "",
      "openspec/changes/archive/2026-01-02-b/tasks.md": "",
    });
    expect([await codesOf(check(dir.path, "a")), await codesOf(check(dir.path, "b"))]).toEqual([
      ["ALL_VALID"],
      ["ALL_VALID"],
    ]);
  });

  // Seed 1: 10.5
  it("say what is not there, and what is", async () => {
    await using dir = await tempDir();
    const without = await check(dir.path, "a");
    await mkdir(dir.join("openspec", "changes", "b"), { recursive: true });
    expect([...without, ...(await check(dir.path, "a")), ...(await check(dir.path, "b"))]).toEqual([
      {
        code: "OPENSPEC_NOT_FOUND",
        message: "The change a is not in openspec/changes, nor archived there.",
        action: nameAnother,
      },
      {
        code: "OPENSPEC_NOT_FOUND",
        message: "The change a is not in openspec/changes, nor archived there. There is b.",
        action: nameAnother,
      },
      {
        code: "PROPOSAL_MISSING",
        message: "The change b has no proposal.md, so that nothing says why it is made.",
        action: "Write it, or get it back from git, before you go on.",
      },
    ]);
  });

  it("say that a change cannot be read where it leads out of the project", async () => {
    await using dir = await tempDir();
    const root = dir.join("project");
    await writeFiles(dir.path, { "out/proposal.md": "", "project/openspec/changes/b/tasks.md": "" });
    await symlink(dir.join("out"), dir.join("project", "openspec", "changes", "a"));
    expect(await check(root, "a")).toEqual([
      {
        code: "OPENSPEC_NOT_FOUND",
        message: `The change a cannot be read. ${root}/openspec/changes/a leads out of the project and is not read.`,
        action: nameAnother,
      },
    ]);
  });

  it("do not repeat what is no id", async () => {
    await using dir = await tempDir();
    await writeFiles(dir.path, { "out/proposal.md": "" });
    await mkdir(dir.join("openspec", "changes"), { recursive: true });
    expect(await check(dir.path, "../../out")).toEqual([
      {
        code: "OPENSPEC_NOT_FOUND",
        message: "The change that was saved is not in openspec/changes, nor archived there.",
        action: nameAnother,
      },
    ]);
  });
});

describe("BLOCKER_EXISTS", () => {
  // Seed 1: 10.6
  it("gives the way out first, where one is known", async () => {
    await using dir = await tempDir();
    const check = (given: Blocker) =>
      validateState({ root: dir.path, run: undefined }, { ...bareState, blocker: given }, nothingKnown);
    expect([
      ...(await check(blocker)),
      ...(await check({ ...blocker, resolution: "Run them alone." })),
    ]).toEqual([
      {
        code: "BLOCKER_EXISTS",
        message: "The work is blocked (test_failure, high): 2 tests fail.",
        action: "Resolve it before anything else, then say `carryon blocker resolve`.",
      },
      {
        code: "BLOCKER_EXISTS",
        message: "The work is blocked (test_failure, high): 2 tests fail.",
        action: "Run them alone. Resolve it before anything else, then say `carryon blocker resolve`.",
      },
    ]);
  });
});

describe("COMMIT_MISMATCH", () => {
  it.each(["main", null])(
    "claims nothing where the file does not say the commit, on branch %s",
    async (branch) => {
      await using dir = await tempDir();
      const root = await repoIn(dir.join("repo"));
      for (const git_commit of [undefined, 1234567]) {
        const parsed = parseWorkState(
          JSON.stringify({ saved_at: "2026-01-04", git_branch: branch, git_commit }),
        );
        // Written again, it is as unknown as before.
        const again = parsed.type === "state" ? parseWorkState(renderWorkState(parsed.state)) : parsed;
        const saved = again.type === "state" ? again.state : {};
        expect(await validate(root, saved)).toEqual([
          {
            code: "COMMIT_MISMATCH",
            message: "It is not known at which commit the work was saved.",
            action: "Look at `git log`, then save again.",
          },
        ]);
      }
    },
  );
});
