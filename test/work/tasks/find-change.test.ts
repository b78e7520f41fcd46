import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findChange, readChange } from "../../../src/work/find-tasks.ts";
import { changeStatusOf } from "../../../src/work/tasks/change-status.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const noTasks = { completed: [], pending: [], next: undefined, skipped: [] };

async function put(path: string, text = ""): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function putChange(dir: TempDir, folder: string, tasks = ""): Promise<void> {
  await put(dir.join("openspec", "changes", folder, "tasks.md"), tasks);
  await put(dir.join("openspec", "changes", folder, "proposal.md"), "# Why");
}

const found = (id: string, isArchived = false) => ({
  type: "change",
  change: { id, isArchived, hasProposal: true, tasks: noTasks },
});

describe("findChange", () => {
  // Seed 1: 5.1
  it("reads the tasks of the only active change", async () => {
    await using dir = await tempDir();
    await putChange(dir, "add-login", "- [x] 1.1 a\n- [ ] 1.2 b\n- [x] 1.3 c\n- [ ] 1.4 d\n");
    await putChange(dir, "archive/2026-01-02-old");
    await put(dir.join("openspec", "changes", "README.md"));
    await put(dir.join("openspec", "changes", ".hidden", "tasks.md"));
    expect(await findChange(dir.path, {})).toEqual({
      type: "change",
      change: {
        id: "add-login",
        isArchived: false,
        hasProposal: true,
        tasks: {
          completed: ["1.1 a", "1.3 c"],
          pending: ["1.2 b", "1.4 d"],
          next: "1.4 d",
          skipped: ["1.2 b"],
        },
      },
    });
  });

  it("takes the one that was asked for before the saved one, and that before any other", async () => {
    await using dir = await tempDir();
    for (const id of ["c", "a", "b"]) await putChange(dir, id);
    expect([
      await findChange(dir.path, { asked: "a", saved: "b" }),
      await findChange(dir.path, { saved: "b" }),
      await findChange(dir.path, {}),
      await findChange(dir.path, { saved: "gone" }),
      await findChange(dir.path, { asked: "gone", saved: "b" }),
    ]).toEqual([
      found("a"),
      found("b"),
      { type: "several", ids: ["a", "b", "c"] },
      { type: "several", ids: ["a", "b", "c"] },
      { type: "missing", id: "gone" },
    ]);
  });

  it("finds archived changes, with and without a date, and the newest of the same id", async () => {
    await using dir = await tempDir();
    await putChange(dir, "archive/2026-01-02-a", "- [ ] old");
    await putChange(dir, "archive/2026-03-04-a");
    await putChange(dir, "archive/b");
    expect([
      await findChange(dir.path, { asked: "a" }),
      await findChange(dir.path, { saved: "b" }),
      await findChange(dir.path, { asked: "2026-03-04-a" }),
      await findChange(dir.path, {}),
    ]).toEqual([found("a", true), found("b", true), found("2026-03-04-a", true), { type: "none" }]);
  });

  it("goes on to the only active change once the saved one is archived or gone", async () => {
    await using dir = await tempDir();
    await putChange(dir, "archive/2026-01-02-a");
    await putChange(dir, "b");
    expect(await findChange(dir.path, { saved: "a" })).toEqual(found("b"));
    expect(await findChange(dir.path, { saved: "gone" })).toEqual(found("b"));
    await putChange(dir, "c");
    expect(await findChange(dir.path, { saved: "a" })).toEqual(found("a", true));
  });

  it("has none in a project without OpenSpec, and misses one that was saved there", async () => {
    await using dir = await tempDir();
    expect(await findChange(dir.path, {})).toEqual({ type: "none" });
    expect(await findChange(dir.path, { saved: null })).toEqual({ type: "none" });
    await put(dir.join("openspec"), "a file");
    expect(await findChange(dir.path, { saved: "a" })).toEqual({ type: "missing", id: "a" });
  });

  it("says what a change lacks", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("openspec", "changes", "a", "proposal.md"), { recursive: true });
    expect(await readChange(dir.path, "a")).toEqual({
      ...{ id: "a", isArchived: false, hasProposal: false, tasks: undefined },
    });
  });
});

const hostile = [
  "..",
  ".",
  "",
  "../../x",
  "a/b",
  "a\\b",
  "/etc",
  "-x",
  "--help",
  "archive",
  "Archive",
  "a\0",
  "a\nb",
  " a",
  "a ",
  "\u202Ea",
  "x".repeat(201),
];

describe("the id of a change", () => {
  it.each(hostile)("is refused when it is %j, and taken for a missing one in a state file", async (id) => {
    await using dir = await tempDir();
    await put(dir.join("x", "tasks.md"), "- [ ] out");
    await putChange(dir, "archive/2026-01-02-a");
    await expect(findChange(dir.path, { asked: id })).rejects.toThrow(
      expect.objectContaining({ kind: "usage", code: "invalid-change" }),
    );
    expect(await findChange(dir.path, { saved: id })).toEqual({ type: "missing", id });
  });

  it("never leads out of the changes, whatever it is", async () => {
    await using dir = await tempDir();
    await put(dir.join("tasks.md"), "- [ ] out");
    await put(dir.join("openspec", "tasks.md"), "- [ ] out");
    await mkdir(dir.join("openspec", "changes"), { recursive: true });
    const piece = fc.constantFrom("..", "/", ".", "\\", "archive", "openspec", "a", "\0", "~", dir.path);
    const id = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    await fc.assert(
      fc.asyncProperty(id, async (saved) => {
        expect(await findChange(dir.path, { saved })).toEqual({ type: "missing", id: saved });
      }),
    );
  });

  it("may be of any script, and have spaces", async () => {
    await using dir = await tempDir();
    await putChange(dir, "로그인 추가 v2.0");
    expect(await findChange(dir.path, { asked: "로그인 추가 v2.0" })).toEqual(found("로그인 추가 v2.0"));
  });
});

describe("the files of a change", () => {
  it("are refused where a link leads out of the project", async () => {
    await using dir = await tempDir();
    await put(dir.join("out", "tasks.md"), "- [ ] out");
    const refused = expect.objectContaining({ code: "symlink-refused" });
    const root = dir.join("project");
    await mkdir(dir.join("project", "openspec", "changes", "a"), { recursive: true });
    await symlink(dir.join("out", "tasks.md"), dir.join("project", "openspec", "changes", "a", "tasks.md"));
    await expect(findChange(root, { asked: "a" })).rejects.toThrow(refused);
    await symlink(dir.join("out"), dir.join("project", "openspec", "changes", "b"));
    await expect(findChange(root, { asked: "b" })).rejects.toThrow(refused);
    await rm(dir.join("project", "openspec"), { recursive: true });
    await symlink(dir.join("out"), dir.join("project", "openspec"));
    await mkdir(dir.join("out", "changes"));
    await expect(findChange(root, {})).rejects.toThrow(refused);
  });

  it("are read through links that stay in the project, also when its own path has one", async () => {
    await using dir = await tempDir();
    await put(dir.join("project", "docs", "spec", "changes", "a", "list.md"), "- [ ] in");
    await symlink("docs/spec", dir.join("project", "openspec"));
    await symlink("list.md", dir.join("project", "docs", "spec", "changes", "a", "tasks.md"));
    await symlink("project", dir.join("link"));
    expect((await readChange(dir.join("link"), "a"))?.tasks?.pending).toEqual(["in"]);
  });

  it("are missing where a link leads nowhere", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("openspec", "changes"), { recursive: true });
    await symlink("nowhere", dir.join("openspec", "changes", "a"));
    expect(await findChange(dir.path, {})).toEqual({ type: "missing", id: "a" });
  });

  it.each([
    { case: "a folder", code: "not-a-file", make: (path: string) => mkdir(path) },
    { case: "a pipe", code: "not-a-file", make: (path: string) => promisify(execFile)("mkfifo", [path]) },
    {
      case: "too large a file",
      code: "document-unreadable",
      make: (path: string) => writeFile(path, Buffer.alloc(5_000_001, "a")),
    },
    {
      case: "a binary file",
      code: "document-unreadable",
      make: (path: string) => writeFile(path, "- [ ] a\0"),
    },
    { case: "a loop of links", code: "io-failed", make: (path: string) => symlink("tasks.md", path) },
  ])("are refused when the tasks are $case", async ({ code, make }) => {
    await using dir = await tempDir();
    await mkdir(dir.join("openspec", "changes", "a"), { recursive: true });
    await make(dir.join("openspec", "changes", "a", "tasks.md"));
    await expect(readChange(dir.path, "a")).rejects.toThrow(expect.objectContaining({ code }));
  });
});

describe("changeStatusOf", () => {
  const tasks = (completed: number, pending: number) => ({
    ...noTasks,
    completed: Array.from({ length: completed }, String),
    pending: Array.from({ length: pending }, String),
  });
  it.each([
    { status: "DRAFT", when: "no box is checked", given: tasks(0, 2) },
    { status: "DRAFT", when: "there is no box", given: tasks(0, 0) },
    { status: "DRAFT", when: "there is no list", given: undefined },
    { status: "IN_PROGRESS", when: "some are checked", given: tasks(1, 2) },
    { status: "DEPLOYED", when: "all are checked", given: tasks(2, 0) },
    { status: "BLOCKED", when: "something stops it", given: tasks(2, 0), isBlocked: true },
    { status: "ARCHIVED", when: "it is archived", given: tasks(1, 1), isArchived: true, isBlocked: true },
  ])("is $status when $when", ({ status, given, isArchived = false, isBlocked = false }) => {
    expect(changeStatusOf({ isArchived, tasks: given }, { isBlocked })).toBe(status);
  });
});
