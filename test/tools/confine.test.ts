import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inFolder, openFileIn } from "../../src/tools/confine/held-folder.ts";
import { findPlace, requireFile } from "../../src/tools/confine/place.ts";
import { writePlace } from "../../src/tools/confine/write-place.ts";
import { cases } from "../support/cases.ts";
import { startChild } from "../support/child.ts";
import { gitEnv } from "../support/git-repo.ts";
import { done, makeFiles, openTools, refused } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeTrap, readOutside, trapLinks } from "../support/trap.ts";

describe("a path", () => {
  it.each([
    { path: "../out/secret" },
    { path: ".." },
    { path: "out-link/secret" },
    { path: "out-file" },
    { path: "absolute/secret" },
    { path: "a/rel/secret" },
    { path: "up/out/secret" },
    { path: "chain/secret" },
    { path: "dangling-out" },
    { path: "out-link/new/deep" },
    { path: "in-link/../../out/secret" },
    { path: "/etc/passwd" },
    { path: "/proc/self/cwd/.." },
    { path: "/proc/self/root/etc/passwd" },
    { path: "/dev/null" },
    { path: "/" },
  ])("that leads out is refused: $path", async ({ path }) => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const before = await readOutside(trap);
    const { run } = await openTools(trap.work);
    const says = refused(
      `${path} leads out of the work folder ${trap.work}. Only what is in it can be used: give a path relative to it.`,
    );
    expect(await run("read", { path })).toEqual(says);
    expect(await run("list", { path })).toEqual(says);
    expect(await run("search", { path, pattern: "." })).toEqual(says);
    expect(await run("write", { path, content: "x" })).toEqual(says);
    expect(await run("edit", { path, old: "S", new: "x" })).toEqual(says);
    expect(await readOutside(trap)).toEqual(before);
  });

  it.each([
    { path: "a/../file" },
    { path: "a/b/../../file" },
    { path: "./file" },
    { path: "in-link/../file" },
    { path: "a/back/b/../../file" },
    { path: "not-there/../file" },
    { path: "up/work/file" },
  ])("that stays inside is fine: $path", async ({ path }) => {
    await using dir = await tempDir();
    const { work } = await makeTrap(dir);
    const { run } = await openTools(work);
    expect(await run("read", { path })).toEqual(done("1\tinside\n"));
    expect(await run("read", { path: join(work, "a/b/c") })).toEqual(done("1\tinside\n"));
  });

  it("is taken from the folder's real place, also when that is reached by a link", async () => {
    await using dir = await tempDir();
    const { work } = await makeTrap(dir);
    await symlink(work, dir.join("door"));
    const { run } = await openTools(dir.join("door"));
    expect(await run("read", { path: dir.join("door/file") })).toEqual(done("1\tinside\n"));
  });

  it.each([
    { path: "loop", says: "loop leads through too many links." },
    { path: "a\0b", says: "A path has no NUL character." },
    { path: "a/".repeat(100_000), says: "The path is too long for the system." },
  ])("that leads nowhere is refused: $says", async ({ path, says }) => {
    await using dir = await tempDir();
    const { work } = await makeTrap(dir);
    const { run } = await openTools(work);
    expect(await run("read", { path })).toEqual(refused(says));
  });

  it("never leads outside, whatever it is", async () => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const before = await readOutside(trap);
    const { run } = await openTools(trap.work);
    const names = [
      ...Object.keys(trapLinks),
      "a",
      "b",
      "c",
      "file",
      "absolute",
      "out",
      "work",
      "secret",
      "new",
    ];
    const segment = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names) },
      { weight: 3, arbitrary: fc.constantFrom("..", ".", "") },
    );
    const start = fc.constantFrom(
      "",
      "",
      `${trap.work}/`,
      `${trap.out}/`,
      `/proc/self/root${trap.work}/`,
      "/proc/self/cwd/",
    );
    const path = fc
      .tuple(start, fc.array(segment, { maxLength: 7 }))
      .map(([first, rest]) => first + rest.join("/"));
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom("read", "list", "write", "edit"), async (given, tool) => {
        const more = {
          read: {},
          list: {},
          write: { content: "inside\n" },
          edit: { old: "SECRET", new: "x" },
        }[tool];
        const { output } = await run(tool, { path: given, ...more });
        expect(output).not.toMatch(/SECRET|unnamed/);
        expect(await readOutside(trap)).toEqual(before);
      }),
      { numRuns: cases(400) },
    );
  });
});

describe("a folder that is swapped for a link", () => {
  it.each(["descriptor", "comparison"] as const)("before a write is refused, held by %s", async (hold) => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const surroundings = { folder: trap.work, withheld: [], signal: new AbortController().signal };
    const place = requireFile(await findPlace(surroundings, "a/b/new"));
    await swap(join(trap.work, "a"), trap.out);
    const before = await readOutside(trap);
    await expect(writePlace(place, "x", surroundings, { before: undefined, hold })).rejects.toMatchObject({
      message: "Something on the way is no folder, or was replaced in the meantime. Look again.",
    });
    expect(await readOutside(trap)).toEqual(before);
  });

  it("while it is held changes nothing for who holds it", async () => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const before = await readOutside(trap);
    await inFolder(trap.work, ["a", "b"], { hold: "descriptor" }, async (held) => {
      await swap(join(trap.work, "a/b"), trap.out);
      await writeFile(join(held.path, "secret"), "mine");
    });
    expect(await readOutside(trap)).toEqual(before);
    expect(await readFile(join(trap.work, "a/b-aside/secret"), "utf8")).toBe("mine");
  });

  it("while it is compared is noticed before anything is read", async () => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const reading = inFolder(trap.work, ["a", "b"], { hold: "comparison" }, async (held) => {
      await swap(join(trap.work, "a"), trap.out);
      await mkdir(join(trap.out, "b"));
      await writeFile(join(trap.out, "b/c"), "SECRET");
      await using file = await openFileIn(held, "c");
      return await file.readFile("utf8");
    });
    await expect(reading).rejects.toMatchObject({ code: "tool-refused" });
  });

  it("again and again never lets a write or a read out", async () => {
    await using dir = await tempDir();
    const trap = await makeTrap(dir);
    const before = await readOutside(trap);
    const { run } = await openTools(trap.work);
    await using child = startChild("swap-links-child.ts", join(trap.work, "a"), trap.out);
    expect(await child.next()).toBe("begun");
    for (let at = 0; at < 150; at += 1) {
      const outcomes = await Promise.all([
        run("write", { path: "a/secret", content: `inside ${at}\n` }),
        run("write", { path: `a/new-${at}`, content: "inside\n" }),
        run("read", { path: "a/secret" }),
        run("edit", { path: "a/secret", old: "SECRET", new: "x" }),
      ]);
      expect(outcomes.filter(({ output }) => output.includes("SECRET"))).toEqual([]);
    }
    child.kill("SIGKILL");
    await child.ended();
    const { beside, ...outside } = await readOutside(trap);
    expect({ ...outside, beside: beside.filter((name) => !name.endsWith("-aside")) }).toEqual(before);
  });
});

/** Puts a link in the place of a folder, which is moved aside. */
async function swap(folder: string, target: string): Promise<void> {
  await rename(folder, `${folder}-aside`);
  await symlink(target, folder);
}

describe("the home of Carryon", () => {
  it.each([
    { case: "as it is named", home: "store", env: (work: string) => ({ CARRYON_HOME: join(work, "store") }) },
    { case: "in the user's home", home: ".carryon", env: (work: string) => ({ HOME: work }) },
    { case: "through a link", home: "store", env: (work: string) => ({ CARRYON_HOME: join(work, "door") }) },
  ])("is out of reach, $case", async ({ home, env }) => {
    await using dir = await tempDir();
    const work = await realpath(dir.path);
    await makeFiles(work, { [`${home}/key`]: "SECRET", near: "SECRET" });
    await symlink(home, join(work, "door"));
    const { run } = await openTools(work, { env: { ...gitEnv, ...env(work) } });
    for (const path of [home, `${home}/key`, "door/key", home.toUpperCase()]) {
      const says = refused(`${path} belongs to Carryon itself, and no tool touches it.`);
      expect(await run("read", { path })).toEqual(says);
      expect(await run("write", { path, content: "" })).toEqual(says);
      expect(await run("list", { path })).toEqual(says);
    }
    expect(await run("list", {})).toEqual(done(`door -> ${home}\nnear  6 B\n`));
    expect(await run("search", { pattern: "SECRET" })).toEqual(done("near:1: SECRET\n"));
    expect(await run("read", { path: `${home.slice(0, -1)}x` })).toEqual(
      refused(`${home.slice(0, -1)}x is not there. Use the tool list to see what is.`),
    );
  });
});

describe("permissions", () => {
  it("that the user does not have are told, without a path that nobody knows", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { hidden: "x", "closed/a": "x", "fixed/a": "x" });
    await chmod(dir.path, 0o755);
    await chmod(dir.join("hidden"), 0o200);
    await chmod(dir.join("closed"), 0o000);
    await chmod(dir.join("fixed"), 0o555);
    await using child = startChild("tools-child.ts", dir.path);
    const run = async (name: string, input: object) =>
      JSON.parse(await child.ask(JSON.stringify([name, input])));
    const denied = refused("The system does not allow it: check the permissions.");
    expect(await run("read", { path: "hidden" })).toEqual(denied);
    expect(await run("read", { path: "closed/a" })).toEqual(denied);
    expect(await run("list", { path: "closed" })).toEqual(denied);
    expect(await run("write", { path: "fixed/new/deep", content: "" })).toEqual(denied);
    expect(await run("write", { path: "fixed/new", content: "" })).toEqual(
      refused("fixed/new may not be written. Check the permissions of the file and of its folder."),
    );
    expect(await run("search", { pattern: "x" })).toEqual(done("fixed/a:1: x\n"));
    await chmod(dir.join("closed"), 0o755);
    expect(await readdir(dir.join("fixed"))).toEqual(["a"]);
  });

  it("and the owner of a file stay when it is replaced", async () => {
    await using dir = await tempDir();
    await makeFiles(dir.path, { a: "old" });
    await chmod(dir.join("a"), 0o640);
    if (process.getuid?.() === 0) await chown(dir.join("a"), 1234, 5678);
    const { uid, gid, mode } = await stat(dir.join("a"));
    const { run } = await openTools(dir.path);
    expect(await run("edit", { path: "a", old: "old", new: "new" })).toEqual(done("Edited a."));
    expect(await stat(dir.join("a"))).toMatchObject({ uid, gid, mode });
  });
});
