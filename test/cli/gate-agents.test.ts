import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { start } from "../support/child.ts";
import { openGated } from "../support/gates/gated-cli.ts";
import { makeRepo } from "../support/git-repo.ts";
import { launcher } from "../support/test-context.ts";

const forPeople = [
  ["approve", "size"],
  ["approve", "commit_plan"],
  ["pause"],
  ["pause", "--until-end"],
  ["disable", "commit_plan"],
  ["clear", "commit_plan", "--branch"],
  ["clear", "commit_plan", "--branch", "main"],
  ["satisfy", "not_main"],
  ["satisfy", "size", "--branch"],
  ["satisfy", "commit_plan", "size"],
  ["satisfy", "commit_plan", "--branch"],
  ["satisfy", "reviewed", "--branch", "main"],
  ["clear", "commit_plan", "--all-sessions"],
];

describe("an agent that runs carryon gate", () => {
  it.each(forPeople)("is refused what only a person may allow: %s %s %s", async (...args) => {
    await using carryon = await openGated();
    await carryon.call(["gate", "satisfy", "commit_plan", "--branch"]);
    const before = await carryon.state();
    const env = { CLAUDECODE: "1", CARRYON_SESSION: "s1" };
    const words = args.filter((each) => each !== undefined);
    const { code, stderr } = await carryon.call(["gate", ...words, "--json"], { env });
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, "needs-person"]);
    expect(await carryon.state()).toEqual(before);
    await expect(readFile(join(carryon.root, ".claude", "requirements.local.yaml"))).rejects.toThrow(
      "ENOENT",
    );
    // A person may.
    const needsSession =
      words.includes("--until-end") ||
      (/^(?:approve|satisfy)$/.test(words[0] ?? "") && !words.includes("--branch"));
    const session = needsSession ? ["--session", "s1"] : [];
    expect((await carryon.call(["gate", ...words, ...session])).code).toBe(0);
  });

  it("is known by the process that it comes from", async () => {
    await using carryon = await openGated();
    await carryon.live("s1", { ppid: process.ppid });
    expect(await carryon.call(["gate", "approve", "size"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "carryon: Only a person approves what a gate is against, and an agent runs this command.\n" +
        "  Run the same command in a terminal of your own.\n",
    });
    expect(await carryon.state()).toBe(undefined);
    expect((await carryon.call(["gate", "satisfy", "commit_plan"])).stderr).toBe(
      "Satisfied in session s1: commit_plan\n",
    );
  });

  it("is not taken for one whose client has the same number on another machine", async () => {
    await using carryon = await openGated();
    await carryon.live("s1", { ppid: process.ppid });
    const path = join(carryon.folder, ".claude", "sessions.json");
    const registry = JSON.parse(await readFile(path, "utf8"));
    registry.sessions.s1.client = { ...registry.sessions.s1.client, host: "elsewhere", machine: "another" };
    await writeFile(path, JSON.stringify(registry));
    expect((await carryon.call(["gate", "approve", "size", "--session", "mine"])).code).toBe(0);
  });

  it.each(["satisfy", "clear"])("is refused to %s for another session", async (what) => {
    await using carryon = await openGated();
    const env = { CLAUDECODE: "1", CARRYON_SESSION: "s1" };
    const { code, stderr } = await carryon.call(["gate", what, "commit_plan", "--session", "s2"], { env });
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "carryon: Only a person speaks for other sessions than this, and an agent runs this command.",
    ]);
    expect(await carryon.state()).toBe(undefined);
    expect((await carryon.call(["gate", what, "commit_plan", "--session", "s1"], { env })).code).toBe(0);
  });

  it.each(["commit_plan", "not_main"])("clears no more of %s than what it has satisfied", async (gate) => {
    await using carryon = await openGated();
    const env = { CLAUDECODE: "1", CARRYON_SESSION: "s1" };
    const debt = { command: "touch x", files: ["x"] };
    const met = {
      triggered: true,
      triggered_at: 1_700_000_000,
      metadata: { full_id: "s1", shell_write: debt },
    };
    const satisfied = { satisfied: true, satisfied_at: 1_700_000_001, satisfied_by: "cli" };
    const keep = (standing: object) => {
      const requirements = { [gate]: { scope: "session", sessions: { s1: standing } } };
      const state = { version: "1.0", branch: "feature/plan", project: carryon.root, requirements };
      return carryon.write("work/.git/requirements/feature-plan.json", JSON.stringify(state));
    };
    const clear = (more = {}) => carryon.call(["gate", "clear", gate], more);
    await keep(met);
    expect((await clear({ env })).stderr).toBe(`There was nothing to clear in session s1: ${gate}\n`);
    expect((await carryon.state())?.[gate]?.sessions).toEqual({ s1: met });
    await keep({ ...met, ...satisfied });
    expect((await clear({ env })).stderr).toBe(`Cleared in session s1: ${gate}\n`);
    expect((await carryon.state())?.[gate]?.sessions).toEqual({ s1: expect.objectContaining(met) });
    expect(await carryon.satisfied("--session", "s1")).not.toContain("commit_plan");
    await carryon.call(["gate", "clear", gate, "--session", "s1"]);
    expect((await carryon.state())?.[gate]?.sessions).toEqual({});
  });

  it("may satisfy what counts for its branch", async () => {
    await using carryon = await openGated();
    const env = { CLAUDECODE: "1", CARRYON_SESSION: "s1" };
    expect((await carryon.call(["gate", "satisfy", "reviewed", "--branch"], { env })).code).toBe(0);
  });

  it("may satisfy, clear and enable what is its own", async () => {
    await using carryon = await openGated();
    const env = { CLAUDECODE: "1", CARRYON_SESSION: "s1" };
    for (const args of [
      ["satisfy", "commit_plan"],
      ["clear", "commit_plan"],
      ["enable", "idle"],
      ["unpause"],
      ["list"],
    ])
      expect((await carryon.call(["gate", ...args], { env })).code).toBe(0);
  });
});

describe("while a session works in the project", () => {
  /** A session of a client that this process does not come from. */
  const openLiving = async () => {
    const client = start("cat", []);
    const carryon = await openGated();
    await carryon.live("s1", { ppid: client.pid });
    return {
      ...carryon,
      [Symbol.asyncDispose]: async () => {
        await client[Symbol.asyncDispose]();
        await carryon[Symbol.asyncDispose]();
      },
    };
  };

  it.each([
    ["approve", "size"],
    ["pause"],
    ["reload"],
    ["satisfy", "not_main"],
    ["clear", "size", "--branch"],
  ])("what has no terminal is not taken for a person: %s", async (...words) => {
    await using carryon = await openLiving();
    const { code, stderr } = await carryon.call(["gate", ...words]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      ", and this command has no terminal while a session works in this project.\n  Run the same command in a terminal of your own.\n",
    );
    expect(await carryon.state()).toBe(undefined);
    expect((await carryon.call(["gate", ...words], { isTyped: true })).code).toBe(0);
  });

  it("scripts go on in other projects", async () => {
    await using carryon = await openLiving();
    const elsewhere = join(carryon.folder, "elsewhere");
    await makeRepo(elsewhere, ["first"]);
    expect((await carryon.call(["trust"])).code).toBe(2);
    expect((await carryon.call(["trust"], { cwd: elsewhere })).code).toBe(0);
  });

  it("a program that its client has let go of is refused", async () => {
    await using carryon = await openLiving();
    const { HOME = "", CARRYON_HOME = "" } = carryon.env;
    const alone = spawn(process.execPath, [launcher, "gate", "approve", "size"], {
      ...{ cwd: carryon.root, env: { HOME, CARRYON_HOME, PATH: process.env.PATH }, detached: true },
      stdio: ["ignore", "ignore", "pipe"],
    });
    expect(await text(alone.stderr)).toContain("has no terminal while a session works in this project");
    expect(await carryon.state()).toBe(undefined);
  });
});
