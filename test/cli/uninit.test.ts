import { chmod, cp, mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listHookCommands } from "../../src/clients/claude-code/hook-settings.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const init = ["init", "--yes", "--no-import"];
const uninit = ["uninit", "--yes"];
const takenBack = "What was written here is taken back. What was recorded is still in the store.\n";
const staysTrusted =
  "This project stays trusted. If it is not to be, `carryon trust --revoke` takes that back.\n";

async function runIn(carryon: Carryon, folder: string, args: readonly string[]): Promise<string> {
  const { code, stderr } = await carryon.call(args, { cwd: join(carryon.folder, folder) });
  expect([args, code, stderr]).toEqual([args, 0, stderr]);
  return stderr;
}

const trusted = async (carryon: Carryon) => (await carryon.call(["trust", "--list"])).stdout;
const excluded = ({ folder }: Carryon, repo: string) =>
  readFile(join(folder, repo, ".git/info/exclude"), "utf8");
const settingsIn = ({ folder }: Carryon, repo: string) => join(folder, repo, ".claude/settings.local.json");
const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

describe("carryon uninit after the project has moved", () => {
  it.each([
    { case: "a repository", prepare: (work: string) => makeRepo(work, ["first"]) },
    { case: "a repository without commits", prepare: (work: string) => makeRepo(work, []) },
    { case: "a folder outside git", prepare: async () => undefined },
  ])("takes everything back from $case", async ({ prepare }) => {
    await using carryon = await openCarryon();
    const [work, moved] = [join(carryon.folder, "work"), join(carryon.folder, "moved")];
    await prepare(work);
    const before = await excluded(carryon, "work").catch(() => "");
    await runIn(carryon, "work", init);
    await rename(work, moved);
    expect(await runIn(carryon, "moved", uninit)).toContain(takenBack);
    expect(await isThere(join(moved, ".claude"))).toBe(false);
    expect(await excluded(carryon, "moved").catch(() => "")).toBe(before);
    const home = await readdir(join(carryon.folder, "home"));
    expect(home.filter((name) => /^(bin|installs)/.test(name))).toEqual([]);
  });

  it("withdraws the trust that came with the hooks", async () => {
    await using carryon = await openCarryon();
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    await runIn(carryon, "work", init);
    await rename(join(carryon.folder, "work"), join(carryon.folder, "moved"));
    expect(await runIn(carryon, "moved", uninit)).toBe(takenBack);
    await mkdir(join(carryon.folder, "work"));
    expect(await trusted(carryon)).toBe("");
  });

  it("leaves it to the one that moved what is its own", async () => {
    await using carryon = await openCarryon();
    for (const name of ["one", "two"]) {
      await makeRepo(join(carryon.folder, name), [name]);
      await runIn(carryon, name, init);
    }
    await rename(join(carryon.folder, "one"), join(carryon.folder, "moved"));
    expect(await runIn(carryon, "two", uninit)).toBe(takenBack);
    expect(listHookCommands(await readFile(settingsIn(carryon, "moved"), "utf8"))).toHaveLength(1);
    expect(await readdir(join(carryon.folder, "home", "bin"))).toContain("carryon-hook.cjs");
    await runIn(carryon, "moved", uninit);
    expect(await isThere(join(carryon.folder, "home", "bin"))).toBe(false);
  });

  it("knows each again when the folder around several has moved, and takes none for another", async () => {
    await using carryon = await openCarryon();
    for (const name of ["one", "two", "three"]) {
      await mkdir(join(carryon.folder, "around", name), { recursive: true });
      await runIn(carryon, join("around", name), init);
    }
    await rename(join(carryon.folder, "around"), join(carryon.folder, "moved"));
    await rename(join(carryon.folder, "moved", "three"), join(carryon.folder, "moved", "other"));
    for (const name of ["other", "one", "two"]) await runIn(carryon, join("moved", name), uninit);
    const claude = (name: string) => isThere(join(carryon.folder, "moved", name, ".claude"));
    expect([await claude("one"), await claude("two"), await claude("other")]).toEqual([false, false, true]);
    const { installs } = JSON.parse(await readFile(join(carryon.folder, "home/installs.json"), "utf8"));
    expect(installs).toMatchObject([{ settings: settingsIn(carryon, "around/three") }]);
  });

  it("knows the installation again that init was run for once more", async () => {
    await using carryon = await openCarryon();
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    await runIn(carryon, "work", init);
    await rename(join(carryon.folder, "work"), join(carryon.folder, "moved"));
    await runIn(carryon, "moved", init);
    const { installs } = JSON.parse(await readFile(join(carryon.folder, "home/installs.json"), "utf8"));
    expect(installs).toMatchObject([
      { settings: settingsIn(carryon, "moved"), made: { file: true }, trusted: true },
    ]);
    await runIn(carryon, "moved", uninit);
    expect(await isThere(join(carryon.folder, "moved", ".claude"))).toBe(false);
  });
});

describe("carryon uninit where the record of installations is read-only", () => {
  it("takes everything else back and says so, and finishes once it can be written", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    await makeRepo(work, ["first"]);
    const before = await excluded(carryon, "work");
    await runIn(carryon, "work", init);
    const record = join(carryon.folder, "home/installs.json");
    await chmod(record, 0o444);
    expect(await carryon.call(uninit, { cwd: work })).toMatchObject({
      code: 74,
      stderr:
        "Everything else that was written here is taken back. What was recorded is still in the store.\n" +
        "carryon: <folder>/home/installs.json may not be written. It still names what was installed here.\n" +
        "  Make that possible, such as with the permissions of the file, and run `carryon uninit` again.\n",
    });
    expect([await isThere(join(work, ".claude")), await excluded(carryon, "work")]).toEqual([false, before]);
    expect([await trusted(carryon), await isThere(join(carryon.folder, "home/bin"))]).toEqual(["", false]);
    await chmod(record, 0o600);
    expect(await runIn(carryon, "work", uninit)).toBe(takenBack);
    expect(await isThere(record)).toBe(false);
    expect(await runIn(carryon, "work", uninit)).toBe("There is nothing to take back here.\n");
  });
});

describe("carryon uninit where several files are read-only", () => {
  it("names all of them at once, and takes nothing back", async () => {
    await using carryon = await openCarryon();
    await runIn(carryon, "work", init);
    const command = join(carryon.folder, "work/.claude/commands/session/save.md");
    const paths = [settingsIn(carryon, "work"), command];
    for (const path of paths) await chmod(path, 0o444);
    const { code, stderr } = await carryon.call(uninit, { cwd: join(carryon.folder, "work") });
    expect([code, stderr]).toEqual([
      74,
      "carryon: These files may not be written: <folder>/work/.claude/settings.local.json, <folder>/work/.claude/commands/session/save.md.\n" +
        "  Check the permissions of the files and of their folders.\n",
    ]);
    for (const path of paths) await chmod(path, 0o600);
    expect(await runIn(carryon, "work", uninit)).toBe(takenBack);
  });
});

describe("carryon uninit beside other folders of the project", () => {
  async function openClone(): Promise<Carryon> {
    const carryon = await openCarryon();
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    await git(
      carryon.folder,
      "clone",
      "--quiet",
      join(carryon.folder, "work"),
      join(carryon.folder, "clone"),
    );
    return carryon;
  }

  it("takes nothing back in a clone where nothing was installed", async () => {
    await using carryon = await openClone();
    await runIn(carryon, "work", init);
    expect(await runIn(carryon, "clone", uninit)).toBe(
      `There is nothing to take back here.\n${staysTrusted}`,
    );
    expect(await trusted(carryon)).toBe("work <folder>/work\n");
    expect(listHookCommands(await readFile(settingsIn(carryon, "work"), "utf8"))).toHaveLength(1);
  });

  it("takes the trust back with the last installation of the project", async () => {
    await using carryon = await openClone();
    await runIn(carryon, "work", init);
    await runIn(carryon, "clone", init);
    expect(await runIn(carryon, "work", uninit)).toBe(`${takenBack}${staysTrusted}`);
    expect(await runIn(carryon, "clone", uninit)).toBe(takenBack);
    expect(await trusted(carryon)).toBe("");
  });

  it("leaves the trust that was there before", async () => {
    await using carryon = await openClone();
    await runIn(carryon, "work", ["trust"]);
    await runIn(carryon, "work", init);
    expect(await runIn(carryon, "work", uninit)).toBe(`${takenBack}${staysTrusted}`);
    expect(await trusted(carryon)).toBe("work <folder>/work\n");
  });

  it("keeps the settings of another work tree out of commits until they go too", async () => {
    await using carryon = await openClone();
    const tree = join(carryon.folder, "tree");
    await git(join(carryon.folder, "work"), "worktree", "add", "--quiet", tree);
    const before = await excluded(carryon, "work");
    await runIn(carryon, "work", init);
    await runIn(carryon, "tree", init);
    await runIn(carryon, "work", uninit);
    expect(await git(tree, "status", "--porcelain")).toBe("");
    await runIn(carryon, "tree", uninit);
    expect(await excluded(carryon, "work")).toBe(before);
  });

  it("takes hooks out of a copy, and leaves those of the original remembered", async () => {
    await using carryon = await openCarryon();
    await runIn(carryon, "work", init);
    await cp(join(carryon.folder, "work"), join(carryon.folder, "copy"), { recursive: true });
    await runIn(carryon, "copy", uninit);
    expect(await readFile(settingsIn(carryon, "copy"), "utf8")).toBe("{}\n");
    expect(await runIn(carryon, "work", uninit)).toBe(takenBack);
    expect(await isThere(join(carryon.folder, "work", ".claude"))).toBe(false);
  });
});

describe("hooks of a project and of its user at once", () => {
  const user = [...init, "--scope", "user"];
  const twice = "Nothing is recorded twice then, but Claude Code may run each hook twice.";

  it("are warned of before the second are written, with what is enough", async () => {
    await using carryon = await openCarryon();
    await runIn(carryon, "work", user);
    const dry = await runIn(carryon, "work", ["init", "--dry-run"]);
    expect(dry).toBe(
      `All projects are recorded already, by the hooks in <folder>/.claude/settings.json. ${twice} To trust this project, \`carryon trust\` is enough.\nNothing was written.\n`,
    );
  });

  it("are warned of the other way round, wherever a project has its own", async () => {
    await using carryon = await openCarryon();
    await mkdir(join(carryon.folder, "elsewhere"));
    await runIn(carryon, "work", init);
    expect(await runIn(carryon, "elsewhere", user)).toBe(
      `There are projects with hooks of their own: <folder>/work/.claude/settings.local.json. ${twice} In each, \`carryon uninit\` takes its own ones back.\nCarryon records what Claude Code does in all projects from its next start on.\n`,
    );
  });

  it("are told of when one of them is taken back", async () => {
    await using carryon = await openCarryon();
    await runIn(carryon, "work", init);
    await runIn(carryon, "work", user);
    expect(await runIn(carryon, "work", [...uninit, "--scope", "user", "--dry-run"])).toBe(
      "Nothing was taken back.\nProjects with hooks of their own are still recorded: <folder>/work/.claude/settings.local.json.\n",
    );
    expect(await runIn(carryon, "work", uninit)).toBe(
      `${takenBack}This project is still recorded, by the hooks for all projects in <folder>/.claude/settings.json.\n`,
    );
  });
});

describe("a settings file with nothing in it", () => {
  it.each(["", "\n", " \r\n\t\n", "\uFEFF"])(
    "gets the hooks and comes back byte for byte: %j",
    async (text) => {
      await using carryon = await openCarryon();
      const settings = settingsIn(carryon, "work");
      await mkdir(join(carryon.folder, "work", ".claude"));
      await writeFile(settings, text);
      expect(await runIn(carryon, "work", uninit)).toBe("There is nothing to take back here.\n");
      await runIn(carryon, "work", init);
      expect(listHookCommands(await readFile(settings, "utf8"))).toHaveLength(1);
      await runIn(carryon, "work", init);
      await runIn(carryon, "work", uninit);
      expect(await readFile(settings, "utf8")).toBe(text);
    },
  );

  it("is nothing that doctor complains of", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    await mkdir(join(carryon.folder, "work", ".claude"));
    await writeFile(settingsIn(carryon, "work"), "");
    expect(JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems).toEqual([]);
  });
});
