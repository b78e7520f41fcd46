import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../src/cli/command-table.ts";
import { recordedEvents } from "../src/clients/claude-code/hook-settings.ts";
import { readPluginTexts } from "../src/install/own-files.ts";
import { tempDir } from "./support/temp-dir.ts";

const read = (path: string) => readFile(path, "utf8");
const parse = async (path: string) => JSON.parse(await read(path));

/** Writes a script that says its name and what it was given. */
async function putScript(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "${path}: $*"\n`);
  await chmod(path, 0o755);
}

function run(words: readonly string[], env: Readonly<Record<string, string>>) {
  const [program = "", ...args] = words;
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { PATH: "/usr/bin:/bin", ...env },
    input: "{}",
  });
  return { status, stdout: String(stdout), stderr: String(stderr) };
}

describe("the plugin", () => {
  it("has the version of the package, and is shipped with it and with its marketplace", async () => {
    const [{ version, files }, manifest, { name, plugins }] = await Promise.all([
      parse("package.json"),
      parse("plugin/.claude-plugin/plugin.json"),
      parse(".claude-plugin/marketplace.json"),
    ]);
    expect([manifest.name, manifest.version]).toEqual(["session", version]);
    expect(files).toEqual(expect.arrayContaining(["plugin", ".claude-plugin"]));
    expect([name, plugins]).toEqual([
      "carryon",
      [expect.objectContaining({ name: "session", source: "./plugin" })],
    ]);
  });

  it("has a hook at each event that init has one for, and no other", async () => {
    const { hooks } = await parse("plugin/hooks/hooks.json");
    const command = (event: string) =>
      `sh "\${CLAUDE_PLUGIN_ROOT}/hooks/run-hook.sh"${event === "SessionStart" ? " first" : ""}`;
    expect(hooks).toEqual(
      Object.fromEntries(
        recordedEvents.map((event) => [event, [{ hooks: [{ type: "command", command: command(event) }] }]]),
      ),
    );
  });

  it("tells the client to run commands that there are, with options that they have", async () => {
    const texts = await readPluginTexts("carryon");
    for (const { name, text } of texts) {
      const named = [...text.matchAll(/(?:`|Bash\()(?:carryon |\/session:(?!new))(\w+)/g)].map(
        ([, word = ""]) => word,
      );
      expect([name, named.filter((word) => !commandTable.has(word))]).toEqual([name, []]);
      const help = await Promise.all([...new Set(named)].map(helpOf));
      const options = [...text.matchAll(/--[a-z][\w-]+/g)].map(([option]) => option);
      expect([name, options.filter((option) => !help.join().includes(option))]).toEqual([name, []]);
    }
  });
});

async function helpOf(name: string): Promise<string> {
  const page = await read("docs/cli.md");
  return page.split(/^### /m).find((section) => section.startsWith(`carryon ${name}\n`)) ?? "";
}

describe("the hook of the plugin", () => {
  const script = resolve("plugin/hooks/run-hook.sh");

  it("does nothing, and succeeds, where Carryon is not there", async () => {
    await using dir = await tempDir();
    const env = { HOME: dir.path, CLAUDE_PROJECT_DIR: dir.path };
    expect(run(["sh", script], env)).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(run(["sh", script, "first"], env)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it.each([
    { case: "in its home", env: (folder: string) => ({ HOME: folder }), home: ".carryon" },
    {
      case: "where CARRYON_HOME says",
      env: (folder: string) => ({ HOME: "/nowhere", CARRYON_HOME: join(folder, "a b") }),
      home: "a b",
    },
  ])("runs the one of Carryon $case", async ({ env, home }) => {
    await using dir = await tempDir();
    await mkdir(dir.join(home, "bin"), { recursive: true });
    await writeFile(dir.join(home, "bin/carryon-hook"), "exec cat\n");
    expect(run(["sh", script], env(dir.path))).toEqual({ status: 0, stdout: "{}", stderr: "" });
  });

  it.each([".claude/settings.json", "work/.claude/settings.json", "work/.claude/settings.local.json"])(
    "stands back where %s has hooks",
    async (settings) => {
      await using dir = await tempDir();
      await mkdir(dir.join(".carryon/bin"), { recursive: true });
      await writeFile(dir.join(".carryon/bin/carryon-hook"), "exec cat\n");
      await mkdir(dirname(dir.join(settings)), { recursive: true });
      await writeFile(dir.join(settings), '{"hooks":"… carryon-hook.cjs …"}');
      const env = { HOME: dir.path, CLAUDE_PROJECT_DIR: dir.join("work") };
      expect(run(["sh", script], env)).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  it("sets up what it runs when a session starts and the user has Carryon", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("bin"));
    await writeFile(
      dir.join("bin/carryon"),
      `#!/bin/sh\nmkdir -p "$HOME/.carryon/bin"; echo "echo $*" > "$HOME/.carryon/bin/carryon-hook"\n`,
    );
    await chmod(dir.join("bin/carryon"), 0o755);
    const env = { HOME: dir.path, PATH: `${dir.join("bin")}:/usr/bin:/bin` };
    expect(run(["sh", script], env).stdout).toBe("");
    expect(run(["sh", script, "first"], env).stdout).toBe("init --plugin --scope user --yes --no-import\n");
  });
});

describe("the program of the plugin", () => {
  const program = resolve("plugin/bin/carryon");

  it("runs Carryon as init found it, else as PATH has it, and never itself", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("linked"));
    await symlink(program, dir.join("linked/carryon"));
    const env = {
      HOME: dir.path,
      PATH: `${dir.join("linked")}:${dirname(program)}:${dir.join("own")}:/usr/bin:/bin`,
    };
    expect(run([program, "status"], env)).toEqual({
      status: 3,
      stdout: "",
      stderr:
        "carryon: Carryon is not set up on this machine; run `npx carryon init --plugin` in a terminal.\n",
    });
    await putScript(dir.join("own/carryon"));
    expect(run([program, "save", "-m", "a b"], env).stdout).toBe(`${dir.join("own/carryon")}: save -m a b\n`);
    await putScript(dir.join(".carryon/bin/carryon"));
    expect(run([program, "mcp"], env).stdout).toBe(`${dir.join(".carryon/bin/carryon")}: mcp\n`);
  });
});
