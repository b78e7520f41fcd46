import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listHookCommands } from "../../src/clients/claude-code/hook-settings.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { ownLines } from "../support/own-lines.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const init = ["init", "--yes", "--no-import"];
const user = ["--scope", "user"];

/** What was left behind outside the project by an attempt. */
const left = async ({ folder }: Carryon) => readdir(join(folder, "home")).catch(() => []);

describe("carryon init where settings are kept in a repository of their own", () => {
  it("takes everything back from a folder behind a link", async () => {
    await using carryon = await openCarryon();
    const dotfiles = join(carryon.folder, "dotfiles");
    await mkdir(dotfiles);
    await symlink(dotfiles, join(carryon.folder, ".claude"));
    expect((await carryon.call([...init, ...user])).code).toBe(0);
    expect((await readdir(dotfiles)).sort()).toEqual(["commands", "settings.json", "skills"]);
    expect((await carryon.call(["uninit", "--yes", ...user])).code).toBe(0);
    expect(await readdir(dotfiles)).toEqual([]);
    expect((await stat(join(carryon.folder, ".claude"))).isDirectory()).toBe(true);
    expect(await left(carryon)).not.toContain("installs.json");
  });

  it("writes nothing through a link that leads nowhere", async () => {
    await using carryon = await openCarryon();
    await mkdir(join(carryon.folder, ".claude"));
    await symlink(join(carryon.folder, "gone.json"), join(carryon.folder, ".claude", "settings.json"));
    expect(await carryon.call([...init, ...user])).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "carryon: <folder>/.claude/settings.json is a symbolic link that leads nowhere.
        Make the file that it leads to, with {} in it, or remove the link.
      ",
        "stdout": "",
      }
    `);
    await mkdir(join(carryon.folder, "work", ".claude"));
    await symlink("/nowhere", join(carryon.folder, "work", ".claude", "settings.local.json"));
    expect(await carryon.call(init)).toMatchObject({
      ...{ code: 74, stdout: "", stderr: expect.stringContaining("is a symbolic link") },
    });
    expect(await left(carryon)).toEqual([]);
  });

  it("leaves a file alone that is read-only, before anything is written", async () => {
    await using carryon = await openCarryon();
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    await mkdir(join(carryon.folder, "work", ".claude"));
    await writeFile(settings, "{}");
    await chmod(settings, 0o444);
    expect(await carryon.call(init)).toEqual({
      ...{ code: 74, stdout: "" },
      stderr:
        "carryon: <folder>/work/.claude/settings.local.json may not be written.\n  Check the permissions of the file and of its folder.\n",
    });
    expect(await left(carryon)).toEqual([]);
    await chmod(settings, 0o600);
    await carryon.call(init);
    await chmod(settings, 0o444);
    expect((await carryon.call(["uninit", "--yes"])).code).toBe(74);
    expect(await left(carryon)).toContain("installs.json");
  });
});

describe("carryon init where the folder of settings cannot be", () => {
  it("says what is in the way, before anything is written", async () => {
    await using carryon = await openCarryon();
    await writeFile(join(carryon.folder, "work", ".claude"), "");
    await writeFile(join(carryon.folder, ".claude"), "");
    const refused = (path: string) => ({
      ...{ code: 74, stdout: "" },
      stderr: `carryon: <folder>/${path} is not a folder.\n  Move away what is there.\n`,
    });
    expect(await carryon.call(init)).toEqual(refused("work/.claude"));
    expect(await carryon.call([...init, ...user])).toEqual(refused(".claude"));
    expect(await left(carryon)).toEqual([]);
  });
});

describe("carryon init in files of any encoding", () => {
  it("leaves settings alone that are not UTF-8, before anything is written", async () => {
    await using carryon = await openCarryon();
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    const bytes = Buffer.from('{"a":"\u00e9"}', "latin1");
    await mkdir(join(carryon.folder, "work", ".claude"));
    await writeFile(settings, bytes);
    expect(await carryon.call(init)).toEqual({
      ...{ code: 3, stdout: "" },
      stderr:
        "carryon: <folder>/work/.claude/settings.local.json is not UTF-8 and was left as it is.\n  Convert the file to UTF-8, and run the command again.\n",
    });
    expect(await readFile(settings)).toEqual(bytes);
    expect(await left(carryon)).toEqual([]);
  });

  it("adds its line to exclusions that are not UTF-8, as they end theirs, and takes it back", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    const list = join(work, ".git", "info", "exclude");
    await makeRepo(work, ["first"]);
    await writeFile(list, "/caf\u00e9\r\n*.log", "latin1");
    expect((await carryon.call(init)).code).toBe(0);
    expect(await readFile(list, "latin1")).toBe(["/caf\u00e9", "*.log", ...ownLines, ""].join("\r\n"));
    expect(await git(work, "status", "--porcelain")).toBe("");
    expect((await carryon.call(["uninit", "--yes"])).code).toBe(0);
    expect(await readFile(list, "latin1")).toBe("/caf\u00e9\r\n*.log");
    expect(await readdir(join(work, ".git", "info"))).toEqual(["exclude"]);
  });

  it("takes a mark of the byte order for what it is", async () => {
    await using carryon = await openCarryon();
    const settings = join(carryon.folder, "work", ".claude", "settings.local.json");
    await mkdir(join(carryon.folder, "work", ".claude"));
    await writeFile(settings, '\uFEFF{ "a": 1 }\r\n');
    expect((await carryon.call(init)).stderr).toBe(
      "Carryon records what Claude Code does here from its next start on.\n",
    );
    await carryon.call(["uninit", "--yes"]);
    expect(await readFile(settings, "utf8")).toBe('\uFEFF{ "a": 1 }\r\n');
  });
});

describe("carryon init after the home of its user has moved", () => {
  it("knows its own hooks again, and takes them back", async () => {
    await using carryon = await openCarryon();
    const [before, after] = [join(carryon.folder, "ada"), join(carryon.folder, "grace")];
    await mkdir(before);
    const run = (home: string, args: readonly string[]) =>
      carryon.call(args, { env: { HOME: home, CARRYON_HOME: join(home, ".carryon") } });
    expect((await run(before, [...init, ...user])).code).toBe(0);
    await rename(before, after);
    expect((await run(after, ["doctor"])).stdout).toContain("has gone");
    expect((await run(after, [...init, ...user])).code).toBe(0);
    const settings = join(after, ".claude", "settings.json");
    const commands = listHookCommands(await readFile(settings, "utf8"));
    expect(commands).toEqual([expect.stringContaining(join(after, ".carryon/bin/carryon-hook.cjs"))]);
    expect((await run(after, ["uninit", "--yes", ...user])).code).toBe(0);
    expect(await readdir(after)).toEqual([".carryon"]);
    expect(await readdir(join(after, ".carryon"))).not.toContain("bin");
  });
});

describe("a command that git itself has started", () => {
  it("knows the project of its folder, not the repository that git told of", async () => {
    await using carryon = await openCarryon();
    const other = join(carryon.folder, "other");
    for (const name of ["work", "other"]) await makeRepo(join(carryon.folder, name), [name]);
    await carryon.record("in work");
    const env = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, ".git/index"),
    };
    expect((await carryon.call(["sessions", "--json"], { env })).stdout).toContain("in work");
    expect((await carryon.call(init, { env })).code).toBe(0);
    expect(await git(join(carryon.folder, "work"), "status", "--porcelain")).toBe("");
  });
});

describe("carryon init where git cannot be told what to leave out", () => {
  const line = "/.claude/settings.local.json";
  const all = ownLines.join("`, `");

  it.each([
    {
      case: "because the list is a link",
      prepare: async (list: string) => {
        await rename(list, `${list}.mine`);
        await symlink("exclude.mine", list);
      },
      reason: "<folder>/work/.git/info/exclude is a symbolic link and is not written through.",
    },
    {
      case: "because the list is read-only",
      prepare: (list: string) => chmod(list, 0o444),
      reason: "<folder>/work/.git/info/exclude may not be written.",
    },
  ])("says so and goes on, $case", async ({ prepare, reason }) => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    const list = join(work, ".git", "info", "exclude");
    await makeRepo(work, ["first"]);
    await prepare(list);
    const before = await readFile(list, "utf8");
    const settings = "<folder>/work/.claude/settings.local.json";
    const { code, stderr } = await carryon.call(init);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        `Git may show ${settings} unless you add \`${all}\` to .gitignore: ${reason}\n` +
        "Carryon records what Claude Code does here from its next start on.\n",
    });
    const { stdout } = await carryon.call(["doctor", "--json"]);
    expect(JSON.parse(stdout).problems).toEqual([
      {
        what: `${settings} has hooks, and nothing keeps it out of commits.`,
        hint: `Add \`${line}\` to .gitignore. ${reason}`,
      },
    ]);
    expect((await carryon.call(["uninit", "--yes"])).code).toBe(0);
    expect(await readFile(list, "utf8")).toBe(before);
    expect(await readdir(work)).toEqual([".git"]);
  });

  it("tells at uninit that its lines stay", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    const list = join(work, ".git", "info", "exclude");
    await makeRepo(work, ["first"]);
    await carryon.call(init);
    await chmod(list, 0o444);
    const { code, stderr } = await carryon.call(["uninit", "--yes"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "What was written here is taken back. What was recorded is still in the store.\n" +
        "<folder>/work/.git/info/exclude still names what was installed: <folder>/work/.git/info/exclude may not be written.\n",
    });
    expect(await readdir(work)).toEqual([".git"]);
  });

  it("takes its lines back from between those of others", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    const list = join(work, ".git", "info", "exclude");
    await makeRepo(work, ["first"]);
    await writeFile(list, "*.log");
    await carryon.call(init);
    await carryon.ask(["handover", "draft"]);
    const later = (await readFile(list, "utf8")).replace(["*.log", ...ownLines, ""].join("\n"), "");
    expect(later).toMatch(/^# Carryon: .*\n\.\*\.carryon-lock\n\/\.claude\/sdd\/handover\/\n$/);
    await carryon.call(["uninit", "--yes"]);
    expect(await readFile(list, "utf8")).toBe(`*.log\n${later}`);
  });
});
