import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listHookCommands, recordedEvents } from "../../src/clients/claude-code/hook-settings.ts";
import { hookFiles, hookScript, launcherFile, launchFile } from "../../src/lib/hook-files.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

interface Setup extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly work: string;
  readonly home: string;
  readonly settings: string;
}

/** The program in a repository. */
async function openRepo(): Promise<Setup> {
  const carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  return {
    carryon,
    work,
    home: join(carryon.folder, "home"),
    settings: join(work, ".claude", "settings.local.json"),
    [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose](),
  };
}

/** Everything in a folder but the insides of git and of the store, with the mode and the content of each file. */
async function snapshot(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pairs = entries.map(async (each) => {
    const path = join(each.parentPath, each.name);
    const mode = ((await stat(path)).mode & 0o777).toString(8);
    return [path, each.isFile() ? `${mode} ${await readFile(path, "latin1")}` : "folder"] as const;
  });
  const all = await Promise.all(pairs);
  return Object.fromEntries(all.filter(([path]) => !/\.git\/(?!info)|\/home\/(?:cache|store)/.test(path)));
}

const init = ["init", "--yes", "--no-import"];
const told = "Carryon records what Claude Code does here from its next start on.\n";

describe("carryon init in a project", () => {
  it("adds a hook for each event, keeps the file out of commits, and trusts the project", async () => {
    await using repo = await openRepo();
    const { code, stderr } = await repo.carryon.run(init);
    expect({ code, stderr }).toEqual({ code: 0, stderr: told });
    const settings = JSON.parse(await readFile(repo.settings, "utf8"));
    expect(Object.keys(settings.hooks)).toEqual([...recordedEvents]);
    expect(await git(repo.work, "status", "--porcelain")).toBe("");
    expect((await repo.carryon.call(["trust", "--list"])).stdout).toBe("work <folder>/work\n");
    const [command = ""] = listHookCommands(await readFile(repo.settings, "utf8"));
    const payload = {
      hook_event_name: "UserPromptSubmit",
      session_id: "s-1",
      cwd: repo.work,
      prompt: "hello",
    };
    const { status, stdout } = spawnSync("/bin/sh", ["-c", command], { input: JSON.stringify(payload) });
    expect([status, String(stdout)]).toEqual([0, ""]);
    await using inbox = await openInbox(repo.home);
    expect((await inbox.take(9)).map(({ event, payload }) => [event, payload])).toEqual([
      ["UserPromptSubmit", { cwd: repo.work, prompt: "hello" }],
    ]);
  });

  it("shows what it will write, and writes nothing on a dry run", async () => {
    await using repo = await openRepo();
    await mkdir(join(repo.work, ".claude"));
    await writeFile(repo.settings, '{ "model": "opus" }\n');
    const before = await snapshot(repo.carryon.folder);
    const { code, stdout, stderr } = await repo.carryon.call(["init", "--dry-run"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Nothing was written.\n" });
    const shown = stdout.split("\n").filter((line) => !/^ +\d+ \+ (?!\/)/.test(line));
    expect(shown.join("\n").replace(/\(\d+\.\d kB/g, "(<size>")).toMatchInlineSnapshot(`
      "<folder>/home/bin/carryon-hook.cjs (<size>, new)
      <folder>/home/bin/carryon-redaction.cjs (<size>, new)
      <folder>/home/bin/carryon-gates.cjs (138 B, new)
      <folder>/home/bin/carryon-gates-base.cjs (<size>, new)
      <folder>/home/bin/carryon-gates-writer.cjs (<size>, new)
      <folder>/home/bin/carryon-gates-shell.cjs (<size>, new)
      <folder>/home/bin/carryon-gates-patterns.cjs (<size>, new)
      <folder>/home/bin/carryon-gates-config.cjs (<size>, new)
      <folder>/home/bin/carryon-gates-rolldown-runtime.cjs (377 B, new)
      <folder>/home/bin/carryon.json (new)
      <folder>/home/bin/carryon (new)
      <folder>/home/bin/carryon-hook (new)
      <folder>/home/installs.json (new)
      <folder>/work/.git/info/exclude (changed)
           7 + /.claude/settings.local.json
           8 + /.claude/commands/session/load.md
           9 + /.claude/commands/session/new.md
          10 + /.claude/commands/session/save.md
          11 + /.claude/commands/session/status.md
          12 + /.claude/skills/arch-review/SKILL.md
          13 + /.claude/skills/plan-review/SKILL.md
          14 + /.claude/skills/sdd-handover/SKILL.md
          15 + /.mcp.json
      <folder>/work/.claude/commands/session/load.md (new)
      <folder>/work/.claude/commands/session/new.md (new)
      <folder>/work/.claude/commands/session/save.md (new)
      <folder>/work/.claude/commands/session/status.md (new)
      <folder>/work/.claude/skills/arch-review/SKILL.md (new)
      <folder>/work/.claude/skills/plan-review/SKILL.md (new)
      <folder>/work/.claude/skills/sdd-handover/SKILL.md (new)
      <folder>/work/.mcp.json (new)
      <folder>/work/.claude/settings.local.json (changed)
           1 - { "model": "opus" }
      Claude Code will ask you once whether it may start the server of .mcp.json.
      This project will be trusted: its gates and documents count.
      "
    `);
    expect(await snapshot(repo.carryon.folder)).toEqual(before);
  });

  it("needs consent where nobody can be asked", async () => {
    await using repo = await openRepo();
    const before = await snapshot(repo.carryon.folder);
    const { code, stderr } = await repo.carryon.call(["init"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "carryon: There is no terminal to ask on. Nothing was written.\n  Add --yes to answer beforehand.\n",
    });
    expect(await snapshot(repo.carryon.folder)).toEqual(before);
  });

  it("changes nothing when it is run again, also where others were installed since", async () => {
    await using repo = await openRepo();
    await repo.carryon.call(init);
    await makeRepo(join(repo.carryon.folder, "other"), ["other"]);
    await repo.carryon.call(init, { cwd: join(repo.carryon.folder, "other") });
    const before = await snapshot(repo.carryon.folder);
    expect(await repo.carryon.call(init)).toEqual({
      code: 0,
      stdout: "",
      stderr: "Carryon is set up here already.\n",
    });
    expect(await snapshot(repo.carryon.folder)).toEqual(before);
  });

  it("refuses settings behind a link that leads out of the project", async () => {
    await using repo = await openRepo();
    const elsewhere = join(repo.carryon.folder, "elsewhere");
    await mkdir(elsewhere);
    await symlink(elsewhere, join(repo.work, ".claude"));
    const { code, stderr } = await repo.carryon.call(init);
    expect({ code, stderr }).toEqual({
      code: 74,
      stderr:
        "carryon: <folder>/work/.claude is a symbolic link and is not written through.\n  Replace the link by a regular file.\n",
    });
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("leaves settings that are not JSON as they are", async () => {
    await using repo = await openRepo();
    await mkdir(join(repo.work, ".claude"));
    await writeFile(repo.settings, '{\n  "model": opus\n}\n');
    const before = await snapshot(repo.carryon.folder);
    const { code, stderr } = await repo.carryon.call(init);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr:
        "carryon: <folder>/work/.claude/settings.local.json was left as it is: Line 2 is not JSON.\n  Correct the file, and run the command again.\n",
    });
    expect(await snapshot(repo.carryon.folder)).toEqual(before);
  });

  it("warns when the settings are in commits", async () => {
    await using repo = await openRepo();
    await mkdir(join(repo.work, ".claude"));
    await writeFile(repo.settings, "{}\n");
    await git(repo.work, "add", "-f", ".claude/settings.local.json");
    const { code, stderr } = await repo.carryon.call(init);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `<folder>/work/.claude/settings.local.json is in commits, so that others will get these hooks.\n${told}`,
    });
  });

  it.each([
    { text: "{ // mine\n}\n", reason: "has comments or trailing commas: Claude Code may not load it" },
    { text: '{"disableAllHooks": true}\n', reason: "turns all hooks off with disableAllHooks" },
  ])("warns when the client would run no hook: $text", async ({ text, reason }) => {
    await using repo = await openRepo();
    await mkdir(join(repo.work, ".claude"));
    await writeFile(repo.settings, text);
    const { code, stderr } = await repo.carryon.call(init);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`settings.local.json ${reason}`)]);
  });
});

describe("carryon uninit", () => {
  it.each([
    { case: "nothing was there", prepare: async () => undefined },
    {
      case: "there were settings with comments, hooks of others and odd blanks",
      prepare: async ({ work, settings }: Setup) => {
        await mkdir(join(work, ".claude"));
        const text =
          '{\r\n\t// mine\r\n\t"hooks": {"Stop":[ ], "PreToolUse": [{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}] ,},\r\n\t"model" :"opus",\r\n}';
        await writeFile(settings, text);
        await chmod(settings, 0o640);
        await writeFile(join(work, ".git/info/exclude"), "*.log");
      },
    },
    {
      case: "the file is ignored already",
      prepare: async ({ work }: Setup) => writeFile(join(work, ".gitignore"), ".claude/\n"),
    },
    {
      case: "git had no file of exclusions",
      prepare: async ({ work }: Setup) => rm(join(work, ".git/info"), { recursive: true }),
    },
  ])("gives everything back byte for byte when $case", async ({ prepare }) => {
    await using repo = await openRepo();
    await prepare(repo);
    const before = await snapshot(repo.work);
    expect((await repo.carryon.call(init)).code).toBe(0);
    expect(await snapshot(repo.work)).not.toEqual(before);
    const { code, stderr } = await repo.carryon.call(["uninit", "--yes"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: "What was written here is taken back. What was recorded is still in the store.\n",
    });
    expect(await snapshot(repo.work)).toEqual(before);
    expect((await readdir(repo.home)).filter((name) => /^(bin|installs)/.test(name))).toEqual([]);
    expect((await repo.carryon.call(["trust", "--list"])).stdout).toBe("");
    expect((await repo.carryon.call(["uninit", "--yes"])).stderr).toBe(
      "There is nothing to take back here.\n",
    );
  });

  it("keeps what was added to the file meanwhile", async () => {
    await using repo = await openRepo();
    await repo.carryon.call(init);
    const text = await readFile(repo.settings, "utf8");
    await writeFile(repo.settings, text.replace("{\n", '{\n  "permissions": {},\n'));
    await repo.carryon.call(["uninit", "--yes"]);
    expect(await readFile(repo.settings, "utf8")).toBe('{\n  "permissions": {}\n}\n');
  });

  it("leaves the programs while another installation needs them", async () => {
    await using repo = await openRepo();
    await repo.carryon.call(init);
    await repo.carryon.call([...init, "--scope", "user"]);
    await repo.carryon.call(["uninit", "--yes"]);
    expect(new Set(await readdir(join(repo.home, "bin")))).toEqual(
      new Set([...hookFiles, launchFile, launcherFile, hookScript]),
    );
    await repo.carryon.call(["uninit", "--yes", "--scope", "user"]);
    expect(await readdir(repo.home)).not.toContain("bin");
  });

  it("takes hooks out that nobody remembers", async () => {
    await using repo = await openRepo();
    await repo.carryon.call(init);
    await rm(join(repo.home, "installs.json"));
    await repo.carryon.call(["uninit", "--yes"]);
    expect(await readFile(repo.settings, "utf8")).toBe("{}\n");
  });
});

describe("carryon init for the user", () => {
  it("writes through a link into the file behind it, and takes it back", async () => {
    await using repo = await openRepo();
    const file = join(repo.carryon.folder, "dotfiles.json");
    await writeFile(file, '{"theme":"dark"}');
    await mkdir(join(repo.carryon.folder, ".claude"));
    await symlink(file, join(repo.carryon.folder, ".claude", "settings.json"));
    expect((await repo.carryon.call([...init, "--scope", "user"])).code).toBe(0);
    expect(listHookCommands(await readFile(file, "utf8"))).toHaveLength(1);
    expect((await repo.carryon.call(["trust", "--list"])).stdout).toBe("");
    await repo.carryon.call(["uninit", "--yes", "--scope", "user"]);
    expect(await readFile(file, "utf8")).toBe('{"theme":"dark"}');
  });

  it("goes where CLAUDE_CONFIG_DIR says", async () => {
    await using repo = await openRepo();
    const folder = join(repo.carryon.folder, "config");
    const env = { CLAUDE_CONFIG_DIR: folder };
    expect((await repo.carryon.call([...init, "--scope", "user"], { env })).code).toBe(0);
    expect((await readdir(folder)).sort()).toEqual(["commands", "settings.json", "skills"]);
    await repo.carryon.call(["uninit", "--yes", "--scope", "user"], { env });
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  });
});

describe("carryon trust", () => {
  it("trusts a project once, and no longer when told", async () => {
    await using repo = await openRepo();
    expect((await repo.carryon.call(["trust"])).stderr).toBe("This project is trusted.\n");
    expect((await repo.carryon.call(["trust"])).stderr).toBe("This project is trusted already.\n");
    expect((await repo.carryon.call(["trust", "--list"])).stdout).toBe("work <folder>/work\n");
    expect((await repo.carryon.call(["trust", "--revoke"])).stderr).toBe(
      "This project is not trusted any more.\n",
    );
    expect((await repo.carryon.call(["trust", "--revoke"])).stderr).toBe("This project was not trusted.\n");
    expect((await repo.carryon.call(["trust", "--list"])).stdout).toBe("");
  });
});
