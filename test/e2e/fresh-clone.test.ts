import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { openInbox } from "../../src/storage/open-inbox.ts";
import { type Machine, ownPath, runOn } from "../support/machine.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A Node that is too old for Carryon, as npm brings it. */
const oldNode = "20.20.2";

const platform = process.platform === "win32" ? "win" : process.platform;
const nodePackage = `${platform === "darwin" && process.arch === "arm64" ? "node-bin-" : "node-"}${platform}-${process.arch}`;

/** Runs a program and fails with what it said if it did not succeed. */
async function succeed(
  machine: Machine,
  program: string,
  args: readonly string[],
  input = "",
): Promise<string> {
  const { code, stdout, stderr } = await runOn(machine, program, args, input);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

async function clone(into: string): Promise<void> {
  await succeed({ cwd: process.cwd(), path: ownPath() }, "git", ["clone", "--quiet", process.cwd(), into]);
}

/** Sets Claude Code up, lets a hook record a prompt, and takes everything back. */
async function setUp(machine: Machine, [program = "", ...words]: readonly string[]): Promise<void> {
  await succeed(machine, program, [...words, "init", "--yes", "--no-import"]);
  const file = join(machine.cwd, ".claude", "settings.local.json");
  const { hooks } = JSON.parse(readFileSync(file, "utf8"));
  const prompt = '{"hook_event_name":"UserPromptSubmit","session_id":"s-1","prompt":"hello"}';
  const [hook] = hooks.UserPromptSubmit[0].hooks;
  expect(await succeed(machine, "sh", ["-c", hook.command], prompt)).toBe("");
  await using inbox = await openInbox(machine.env?.CARRYON_HOME ?? "");
  expect((await inbox.take(9)).map(({ payload }) => payload)).toEqual([{ prompt: "hello" }]);
  expect(await succeed(machine, program, [...words, "doctor"])).toContain("No problem found.");
  const launcher = join(machine.env?.CARRYON_HOME ?? "", "bin", "carryon");
  const command = `${launcher} status`;
  expect(readFileSync(join(machine.cwd, ".claude/commands/session/status.md"), "utf8")).toContain(command);
  expect(await succeed({ ...machine, path: "/usr/bin:/bin" }, launcher, ["status"])).toContain("Project");
  await succeed(machine, program, [...words, "uninit", "--yes"]);
  expect(existsSync(join(machine.cwd, ".claude"))).toBe(false);
}

describe("a stranger", () => {
  let oldPath: string;
  let tools: string;

  beforeAll(async () => {
    // Kept until the test run removes its own TMPDIR.
    tools = process.env.TMPDIR ?? "";
    const machine = { cwd: tools, path: ownPath() };
    const wanted = [`${nodePackage}@${oldNode}`, "npm@12.2.0"];
    await succeed(machine, "npm", [
      "install",
      "--no-save",
      "--ignore-scripts",
      "--prefix",
      join(tools, "tools"),
      ...wanted,
    ]);
    const old = join(tools, "tools", "node_modules", nodePackage, "bin");
    expect(existsSync(join(old, "node"))).toBe(true);
    oldPath = `${old}:${ownPath()}`;
  });

  it("clones, installs without scripts on an old Node, and sees the tour", async () => {
    await using dir = await tempDir();
    await clone(dir.join("carryon"));
    const machine = { cwd: dir.join("carryon"), path: oldPath };
    expect(await succeed(machine, "node", ["--version"])).toBe(`v${oldNode}\n`);
    await succeed(machine, "npm", ["ci", "--ignore-scripts"]);
    const tour = await succeed(machine, "npx", ["carryon", "tour"]);
    expect(tour).toContain("The command was cut off, but the line is there: I did not add it again.");
    await setUp({ ...machine, env: { CARRYON_HOME: dir.join("home") } }, ["npx", "carryon"]);
    expect(await succeed(machine, "node", ["bin/carryon.cjs", "--version"])).toBe(`${packageJson.version}\n`);
    const tests = await succeed(machine, "npm", ["test", "--", "test/lib/uuid-v7.test.ts"]);
    expect(tests).toMatch(/^3 passed, 0 failed, 0 skipped$/m);
    await succeed(machine, "npm", ["run", "docs", "--", "--check"]);
  });

  it("ends the writer on an old Node by killing the command that was started", async () => {
    await using dir = await tempDir();
    const env = { HOME: dir.path, CARRYON_HOME: dir.join("home"), PATH: oldPath, TZ: "UTC" };
    const launcher = join(process.cwd(), "bin/carryon.cjs");
    // A source of its own: an input that ended with the command would end the writer too.
    const source = spawn("cat");
    const started = spawn("node", [launcher, "append"], {
      ...{ cwd: dir.path, env },
      stdio: [source.stdout, "pipe", "inherit"],
    });
    source.stdin.write('{"role":"user","text":"hello"}\n');
    const output = started.stdout;
    if (output === null) throw new Error("There is no output.");
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    await lines.next();
    expect((await lines.next()).value).toContain('"seq":1');
    started.kill("SIGKILL");
    // The writer holds the other end: its death is the end of the stream.
    await once(started, "close");
    source.kill();
    const machine = { cwd: dir.path, path: oldPath, env };
    const sessions = await succeed(machine, "node", [launcher, "sessions", "--json"]);
    expect(JSON.parse(sessions)).toMatchObject({ sessions: [{ status: "interrupted", messages: 1 }] });
  });

  it("installs with npm 12, which runs no install scripts", async () => {
    await using dir = await tempDir();
    await clone(dir.join("carryon"));
    const npm = join(tools, "tools", "node_modules", "npm", "bin");
    const machine = { cwd: dir.join("carryon"), path: `${dirname(process.execPath)}:${ownPath()}` };
    await succeed(machine, "node", [join(npm, "npm-cli.js"), "ci"]);
    const answer = await succeed(machine, "node", [join(npm, "npx-cli.js"), "carryon", "--version"]);
    expect(answer).toBe(`${packageJson.version}\n`);
  });

  it("installs the packed package and uses it as a command and as a library", async () => {
    await using dir = await tempDir();
    const here = { cwd: process.cwd(), path: process.env.PATH ?? "" };
    await succeed(here, "npm", ["pack", "--pack-destination", dir.path]);
    const machine: Machine = {
      cwd: dir.path,
      path: `${dirname(process.execPath)}:${ownPath()}`,
      env: { CARRYON_HOME: dir.join("home") },
    };
    await succeed(machine, "npm", ["init", "--yes"]);
    await succeed(machine, "npm", ["install", "--ignore-scripts", `./carryon-${packageJson.version}.tgz`]);
    const version = await succeed(machine, "node_modules/.bin/carryon", ["--version"]);
    expect(version).toBe(`${packageJson.version}\n`);
    expect(await succeed(machine, "node_modules/.bin/carryon", ["tour"])).toContain(
      "I did not add it again.",
    );
    await succeed(machine, "node_modules/.bin/carryon", ["append"], '{"role":"user","text":"hello"}\n');
    await setUp(machine, ["node_modules/.bin/carryon"]);
    const library = `
      const { openStoreForReading } = await import("carryon");
      const store = await openStoreForReading(process.env.CARRYON_HOME);
      const { sessions } = await store.log.list();
      console.log(sessions.map((session) => [session.title, session.messages, session.status]));
      await store[Symbol.asyncDispose]();`;
    expect(await succeed(machine, "node", ["--input-type=module", "--eval", library])).toBe(
      // The first is of the hook.
      "[ [ 'hello', 0, 'open' ], [ 'hello', 1, 'ended' ] ]\n",
    );

    const old = await runOn({ ...machine, path: oldPath }, "node", [
      "node_modules/carryon/bin/carryon.cjs",
      "sessions",
    ]);
    expect(old).toEqual({
      code: 3,
      stdout: "",
      stderr: `carryon: Node ${oldNode} is too old; install Node 22.22.3, 24.15, 25.9 or newer and run the command again.\n`,
    });
  });
});
