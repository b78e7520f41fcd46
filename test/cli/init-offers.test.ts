import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const init = ["init", "--yes", "--no-import"];
const uninit = ["uninit", "--yes"];
const told = "Carryon records what Claude Code does here from its next start on.\n";
const takenBack = "What was written here is taken back. What was recorded is still in the store.\n";
const save = ".claude/commands/session/save.md";

interface Setup extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly work: string;
  readonly launcher: string;
  /** Runs a command that must succeed, and returns what it said on standard error. */
  readonly run: (args: readonly string[]) => Promise<string>;
}

async function openRepo(): Promise<Setup> {
  const carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  const run = async (args: readonly string[]) => {
    const { code, stderr } = await carryon.call(args);
    expect([args, code, stderr]).toEqual([args, 0, stderr]);
    return stderr;
  };
  const launcher = join(carryon.folder, "home", "bin", "carryon");
  return { carryon, work, launcher, run, [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose]() };
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const problemsOf = async ({ carryon }: Setup) =>
  JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems;

describe("the commands and the skill that init writes", () => {
  it("start Carryon by the path of a program that finds it, whatever PATH is", async () => {
    await using repo = await openRepo();
    await repo.run(init);
    const text = await readFile(join(repo.work, save), "utf8");
    expect(text).toContain(`allowed-tools: Bash(${repo.launcher} save:*)`);
    expect(text).toContain(`Run \`${repo.launcher} save\` with the Bash tool`);
    expect(text).not.toMatch(/[`(]carryon /);
    const { status, stdout } = spawnSync(repo.launcher, ["status"], {
      cwd: repo.work,
      env: {
        PATH: "/usr/bin:/bin",
        HOME: repo.carryon.folder,
        CARRYON_HOME: dirname(dirname(repo.launcher)),
      },
    });
    expect([status, String(stdout)]).toEqual([0, expect.stringMatching(/^Project {2}work on /)]);
  });

  it("leave it to a person when Carryon has gone", async () => {
    await using repo = await openRepo();
    await repo.run(init);
    await writeFile(
      repo.launcher,
      (await readFile(repo.launcher, "utf8")).replaceAll(/\S+carryon\.cjs/g, "/gone"),
    );
    const { status, stderr } = spawnSync(repo.launcher, ["status"]);
    expect([status, String(stderr)]).toEqual([
      3,
      "carryon: Carryon or its Node has gone; run `npx carryon init` in a terminal.\n",
    ]);
  });

  it("are for all projects in the folder of the client", async () => {
    await using repo = await openRepo();
    const { stdout, code } = await repo.carryon.call([...init, "--scope", "user"]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "The MCP server is for you to add: claude mcp add --scope user carryon -- <folder>/home/bin/carryon mcp\n",
      ),
    ]);
    const client = join(repo.carryon.folder, ".claude");
    expect((await readdir(join(client, "commands/session"))).sort()).toEqual([
      ...["load.md", "new.md", "save.md", "status.md"],
    ]);
    expect(await readdir(repo.work)).toEqual([".git"]);
    await repo.run([...uninit, "--scope", "user"]);
    await expect(stat(client)).rejects.toThrow("ENOENT");
  });

  it.each([
    { case: "is somebody else's", place: (path: string) => put(path, "mine\n") },
    {
      case: "is a link out of the project",
      place: async (path: string) => {
        await put(join(path, "../../../../elsewhere.md"), "theirs\n");
        await mkdir(dirname(path), { recursive: true });
        await symlink("../../../../elsewhere.md", path);
      },
    },
    { case: "is a folder", place: (path: string) => put(join(path, "x"), "") },
    {
      case: "is not text",
      place: async (path: string) => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, Buffer.from([0xff, 0xfe]));
      },
    },
  ])("never take the place of a file that $case", async ({ place }) => {
    await using repo = await openRepo();
    const path = join(repo.work, save);
    await place(path);
    const before = await readdir(dirname(path));
    expect(await repo.run(init)).toBe(
      `<folder>/work/${save} is not Carryon's, or was changed, and stays as it is.\n${told}`,
    );
    expect(await repo.run(uninit)).toBe(takenBack);
    expect(await readdir(dirname(path))).toEqual(before);
  });

  it("stay when they were changed, and uninit says so", async () => {
    await using repo = await openRepo();
    await repo.run(init);
    await writeFile(join(repo.work, save), "mine\n");
    expect(await repo.run(uninit)).toBe(
      `${takenBack}<folder>/work/${save} was changed and stays as it is.\n`,
    );
    expect(await readFile(join(repo.work, save), "utf8")).toBe("mine\n");
    expect(await readdir(join(repo.work, ".claude"), { recursive: true })).toEqual([
      ...["commands", "commands/session", "commands/session/save.md"],
    ]);
  });

  it("are told of by doctor, and renewed by init, when they are gone or of another version", async () => {
    await using repo = await openRepo();
    await repo.run(init);
    const record = join(repo.carryon.folder, "home/installs.json");
    const old = "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9";
    await writeFile(join(repo.work, save), "hello world");
    await writeFile(
      record,
      (await readFile(record, "utf8")).replace(/(save\.md": ")\w+/, (_all, name: string) => `${name}${old}`),
    );
    await rm(join(repo.work, ".mcp.json"));
    const hint = "Run `carryon init --scope project` again.";
    expect(JSON.stringify(await problemsOf(repo)).replaceAll(repo.carryon.folder, "<folder>")).toEqual(
      JSON.stringify([
        { what: "What Carryon offers in Claude Code is not there: <folder>/work/.mcp.json.", hint },
        { what: `What Carryon offers in Claude Code is of another version: <folder>/work/${save}.`, hint },
      ]),
    );
    expect(await repo.run(init)).toBe(told);
    expect(await problemsOf(repo)).toEqual([]);
    expect(await readFile(join(repo.work, save), "utf8")).toContain("Save the state");
  });

  it("are added where an older version had installed hooks alone, and everything goes with uninit", async () => {
    await using repo = await openRepo();
    const list = join(repo.work, ".git/info/exclude");
    const before = await readFile(list, "utf8");
    await repo.run(init);
    // As the older version had left it, and others had gone on since.
    const record = join(repo.carryon.folder, "home/installs.json");
    const { installs } = JSON.parse(await readFile(record, "utf8"));
    const { files: _files, server: _server, ...known } = installs[0];
    const added = "/.claude/settings.local.json\n";
    const exclude = { ...known.exclude, added };
    await writeFile(record, JSON.stringify({ version: 1, installs: [{ ...known, exclude }] }));
    await rm(join(repo.work, ".claude/commands"), { recursive: true });
    await rm(join(repo.work, ".claude/skills"), { recursive: true });
    await rm(join(repo.work, ".mcp.json"));
    await writeFile(list, `${before}${added}*.tmp\n`);
    expect(await repo.run(init)).toBe(told);
    expect(await git(repo.work, "status", "--porcelain")).toBe("");
    expect(await repo.run(uninit)).toBe(takenBack);
    expect(await readFile(list, "utf8")).toBe(`${before}*.tmp\n`);
    expect(await readdir(repo.work)).toEqual([".git"]);
  });
});

describe("the server that init lists", () => {
  const list = (repo: Setup) => join(repo.work, ".mcp.json");

  it("stands beside those of others, and goes without a trace", async () => {
    await using repo = await openRepo();
    const text = '{\n\t// mine\n\t"mcpServers": {"db": {"command": "db"}},\n}';
    await writeFile(list(repo), text);
    await repo.run(init);
    expect(await readFile(list(repo), "utf8")).toBe(
      `{\n\t// mine\n\t"mcpServers": {"db": {"command": "db"},\n\t\t"carryon": { "command": "${repo.launcher}", "args": ["mcp"] }},\n}`,
    );
    expect(await repo.run(uninit)).toBe(takenBack);
    expect(await readFile(list(repo), "utf8")).toBe(text);
  });

  it.each([
    {
      case: "is in commits",
      text: "{}\n",
      isCommitted: true,
      reason: "it is in commits, so that others would get it.",
    },
    {
      case: "has another server of the name",
      text: '{"mcpServers":{"carryon":{"command":"other"}}}',
      isCommitted: false,
      reason: "it has another server that is called carryon.",
    },
    { case: "is not JSON", text: "{", isCommitted: false, reason: "Line 1 is not JSON." },
    {
      case: "lists nothing",
      text: '{"mcpServers":[]}',
      isCommitted: false,
      reason: '"mcpServers" is not an object.',
    },
  ])("is for the user to add where the list $case", async ({ text, isCommitted, reason }) => {
    await using repo = await openRepo();
    await writeFile(list(repo), text);
    if (isCommitted) await git(repo.work, "add", ".mcp.json");
    expect(await repo.run(init)).toBe(
      `<folder>/work/.mcp.json stays as it is: ${reason} \`claude mcp add --scope local carryon -- <folder>/home/bin/carryon mcp\` adds the server for you alone.\n${told}`,
    );
    expect(await repo.run(uninit)).toBe(takenBack);
    expect(await readFile(list(repo), "utf8")).toBe(text);
  });

  it("stays when it was changed, and uninit says so", async () => {
    await using repo = await openRepo();
    await repo.run(init);
    await writeFile(list(repo), '{"mcpServers":{"carryon":{"command":"mine"}}}');
    expect(await repo.run(uninit)).toBe(
      `${takenBack}<folder>/work/.mcp.json stays as it is: its server carryon was changed.\n`,
    );
  });
});
