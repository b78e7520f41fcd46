import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, readdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { statusOf } from "../support/save-repo.ts";
import { openWork, type Work } from "../support/work-project.ts";

const file = ".claude/session-state.json";
const change = async (work: Work, fields: object) =>
  work.write({ [file]: JSON.stringify({ ...(await work.state()), ...fields }) });

/** What lies in `.claude` by its content, whatever it is called. */
async function contentsIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith("carryon-lock"));
  const all = names.map(async (name) => {
    const path = join(folder, name);
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
    if (stats.isFile())
      return createHash("sha256")
        .update(await readFile(path))
        .digest("hex");
    return stats.isFIFO() ? "fifo" : "folder";
  });
  return Promise.all(all);
}

async function openSaved() {
  const work = await openWork();
  await work.call(["save", "-m", "The form", "--todo", "tests"]);
  await work.call(["blocker", "add", "other", "power cut"]);
  return work;
}

const head = "<folder>/work/.claude/session-state.json cannot be read as a state, and is left as it is: ";

describe("a state that cannot be read", () => {
  it.each([
    { case: "empty", text: "", said: "it is empty" },
    {
      case: "truncated",
      text: '{"version": 1, "mode": "qu',
      said: "it is not JSON, or only the beginning of it",
    },
    { case: "no JSON", text: "hello", said: "it is not JSON, or only the beginning of it" },
    { case: "NULs", text: "\0\0\0\0", said: "it is not JSON, or only the beginning of it" },
    { case: "a list", text: "[]", said: "it is not an object" },
    { case: "huge", text: " ".repeat(9 << 20), said: "it has 9437184 bytes" },
    { case: "deep", text: `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, said: "it is nested deeper than" },
    {
      case: "of other types",
      text: JSON.stringify({ mode: 1, saved_at: 5, next_steps: "x", completed_tasks: {} }),
      said: "saved_at is not of type string; completed_tasks is not of type array",
    },
  ])("is told and kept where it is $case, and a save goes on from the log", async ({ text, said }) => {
    await using work = await openSaved();
    await work.write({ [file]: text });
    const before = await contentsIn(join(work.root, ".claude"));
    for (const args of [["load"], ["load", "--resume"]]) {
      const { code, stdout, stderr } = await work.call(args);
      expect([code, stdout, stderr.includes(`${head}${said}`) ? said : stderr]).toEqual([2, "", said]);
      expect(stderr).toContain("(The form) is in the log: `carryon load --restore` takes it");
    }
    const json = await work.call(["load", "--json"]);
    expect([json.code, JSON.parse(json.stdout).integrity.ok]).toEqual([2, false]);
    for (const args of [["blocker"], ["blocker", "resolve"]])
      expect(await work.call(args)).toMatchObject({ code: 2, stdout: "" });
    expect((await work.call(["status"])).stdout).toContain(
      "session-state.json cannot be read; see `carryon load`",
    );
    expect(await contentsIn(join(work.root, ".claude"))).toEqual(before);
    const saved = await work.call(["save"]);
    expect([saved.code, saved.stderr]).toEqual([
      0,
      expect.stringMatching(/^The state that was there could not be read\. It is now .*\.broken-.*\.json\n$/),
    ]);
    expect(await work.state()).toMatchObject({
      ...{ pending_tasks: ["tests"], blocker: { description: "power cut" } },
    });
    expect(await contentsIn(join(work.root, ".claude"))).toEqual(expect.arrayContaining([...before]));
    expect(await statusOf(work.root)).toEqual([]);
  });

  it("is left alone by every command where a newer version wrote it", async () => {
    await using work = await openSaved();
    await change(work, { version: 2, new_field: true });
    await work.write({ "new.txt": "new\n" });
    const before = await contentsIn(join(work.root, ".claude"));
    expect(await work.call(["load"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder>/work/.claude/session-state.json cannot be read as a state, and is left as it is: version is 2, which a newer Carryon wrote.
        Update Carryon, or move the file away.
      ",
        "stdout": "",
      }
    `);
    for (const args of [["save"], ["load", "--restore"], ["blocker", "add", "other", "x"]])
      expect(await work.call(args)).toMatchObject({
        ...{ code: 3, stdout: "" },
        stderr: expect.stringContaining("was written by a newer Carryon, and is left as it is."),
      });
    expect(await contentsIn(join(work.root, ".claude"))).toEqual(before);
    // Nothing was committed that the state could not tell of.
    expect(await statusOf(work.root)).toEqual(["?? new.txt"]);
  });

  it("keeps the fields of another version that can be read", async () => {
    await using work = await openSaved();
    await change(work, { custom: { a: 1 } });
    await work.call(["save"]);
    await work.call(["blocker", "resolve"]);
    expect((await work.state()).custom).toEqual({ a: 1 });
  });
});

const place = (work: Work) => join(work.root, file);

describe("something else in the place of the state", () => {
  it.each([
    {
      case: "a folder",
      make: async (work: Work) => {
        await rm(place(work));
        await work.write({ [`${file}/x`]: "x" });
      },
      said: "it is not a regular file",
      hint: "Move away what is there.",
    },
    {
      case: "a link",
      make: async (work: Work) => {
        await rename(place(work), join(work.folder, "elsewhere.json"));
        await symlink("../../elsewhere.json", place(work));
      },
      said: "it is a symbolic link",
      hint: "Replace the link by a regular file.",
    },
    {
      case: "a link that leads nowhere",
      make: async (work: Work) => {
        await rm(place(work));
        await symlink("../../nowhere.json", place(work));
      },
      said: "it is a symbolic link",
      hint: "Replace the link by a regular file.",
    },
    {
      case: "a pipe",
      make: async (work: Work) => {
        await rm(place(work));
        await promisify(execFile)("mkfifo", [place(work)]);
      },
      said: "it is not a regular file",
      hint: "Move away what is there.",
    },
    {
      case: "a link instead of the folder",
      make: async (work: Work) => {
        await rename(join(work.root, ".claude"), join(work.folder, "outside"));
        await symlink("../outside", join(work.root, ".claude"));
      },
      said: "it is a symbolic link, or behind one",
      hint: "Replace the link by a folder of the project itself.",
    },
  ])("is told and left alone: $case", async ({ make, said, hint }) => {
    await using work = await openSaved();
    await make(work);
    await work.write({ "new.txt": "new\n" });
    const [before, status] = [await contentsIn(join(work.root, ".claude")), await statusOf(work.root)];
    const { code, stderr } = await work.call(["load"]);
    expect([code, stderr.includes(`${head}${said}`), stderr.endsWith(`  ${hint}\n`)]).toEqual([
      2,
      true,
      true,
    ]);
    const json = await work.call(["load", "--json"]);
    expect([json.code, JSON.parse(json.stdout).checkpoint.working_on]).toEqual([2, "The form"]);
    for (const args of [["save"], ["load", "--restore"], ["blocker", "add", "other", "x"]])
      expect(await work.call(args)).toMatchObject({
        code: 74,
        stdout: "",
        stderr: expect.stringContaining(hint),
      });
    expect(await work.call(["blocker"])).toEqual({ code, stdout: "", stderr });
    expect((await work.call(["status"])).code).toBe(0);
    expect(await contentsIn(join(work.root, ".claude"))).toEqual(before);
    expect(await statusOf(work.root)).toEqual(status);
  });

  it("is told and left alone: a file instead of the folder", async () => {
    await using work = await openSaved();
    await rm(join(work.root, ".claude"), { recursive: true });
    await work.write({ ".claude": "mine\n" });
    for (const args of [["save"], ["load", "--restore"], ["blocker", "add", "other", "x"]])
      expect(await work.call(args)).toEqual({
        ...{ code: 74, stdout: "" },
        stderr: "carryon: <folder>/work/.claude is no folder.\n  Move away what is there.\n",
      });
    expect((await work.call(["load"])).code).toBe(2);
    expect(await readFile(join(work.root, ".claude"), "utf8")).toBe("mine\n");
    expect(await work.git("log", "--format=%s")).toBe("first");
  });
});
