import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerForGates } from "../../../src/gates/answer-for-gates.ts";
import type { ClientSession } from "../../../src/gates/gate-site.ts";
import { openSessionGates } from "../../../src/gates/hooks/open-session-gates.ts";
import { AppError } from "../../../src/lib/app-error.ts";
import { git, gitEnv, makeRepo } from "../../support/git-repo.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const gateNamed = (name: string) => `requirements:\n  ${name}:\n    enabled: true\n`;

/** A repository whose project asks for a plan, and a session in it whose user has trusted it. */
async function makeSession(dir: TempDir) {
  const root = dir.join("repo");
  await makeRepo(root, ["first"]);
  await git(root, "switch", "--quiet", "--create", "feature/plan");
  mkdirSync(join(root, ".claude"));
  for (const folder of ["client", "home"]) mkdirSync(dir.join(folder));
  const config = join(root, ".claude", "requirements.yaml");
  writeFileSync(config, gateNamed("commit_plan"));
  const asked = { times: 0 };
  const told: string[] = [];
  const client: ClientSession = {
    cwd: root,
    session: "cad0ac4d-3933-45ad-9a1c-14aec05bb940",
    home: dir.join("home"),
    clientFolder: dir.join("client"),
    env: gitEnv,
    // Files that have just changed are not kept.
    clock: { now: () => new Date(Date.now() + 60_000) },
    process: { pid: process.pid, client: process.pid },
    askTrust: async () => {
      asked.times += 1;
      return true;
    },
    tell: ({ problem }) => told.push(problem),
  };
  return { client, root, config, asked, told };
}

const namesOf = async (client: ClientSession) =>
  (await openSessionGates(client))?.config.gates.map(({ name }) => name);

const write = { hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: "a" } };

describe("the gates that a session meets", () => {
  it("refuse what the project asks to wait", async () => {
    await using dir = await tempDir();
    const { client } = await makeSession(dir);
    expect(await answerForGates(client, write)).toEqual({
      type: "deny",
      reason:
        "The gate commit_plan is not satisfied.\nDo what it asks for, and then run `carryon gate satisfy commit_plan`.",
    });
  });

  it.each([
    { name: "the folder itself", env: {} },
    { name: "git, where the files alone do not say it", env: { GIT_DISCOVERY_ACROSS_FILESYSTEM: "1" } },
  ])("are those of the place that is known from $name", async ({ env }) => {
    await using dir = await tempDir();
    const { client, root } = await makeSession(dir);
    const cwd = join(root, "src");
    mkdirSync(cwd);
    const site = await openSessionGates({ ...client, cwd, env: { ...gitEnv, ...env } });
    expect([site?.root, site?.branch]).toEqual([root, "feature/plan"]);
  });

  it("are the user's own alone, until the project is trusted", async () => {
    await using dir = await tempDir();
    const { client } = await makeSession(dir);
    writeFileSync(dir.join("client", "requirements.yaml"), gateNamed("mine"));
    expect(await namesOf({ ...client, askTrust: async () => false })).toEqual(["mine"]);
  });

  it("are not there where nothing may be asked", async () => {
    await using dir = await tempDir();
    const { client, config, root } = await makeSession(dir);
    const isInert = async (given: Partial<ClientSession>) =>
      (await openSessionGates({ ...client, ...given })) === undefined;
    expect(await isInert({})).toBe(false);
    expect(await isInert({ cwd: dir.join("home") })).toBe(true);
    expect(await isInert({ session: "" })).toBe(true);
    const skip = { CLAUDE_SKIP_REQUIREMENTS: "1" };
    const startedWith = async () => ({ PATH: "/bin", ...skip });
    expect(await isInert({ env: { ...gitEnv, ...skip }, startedWith })).toBe(true);
    await git(root, "switch", "--quiet", "--detach");
    expect(await isInert({ session: "begun-detached" })).toBe(true);
    await git(root, "switch", "--quiet", "feature/plan");
    writeFileSync(config, `enabled: false\n${gateNamed("commit_plan")}`);
    expect(await isInert({ session: "begun-paused" })).toBe(true);
  });
});

describe("CLAUDE_SKIP_REQUIREMENTS", () => {
  const skip = { CLAUDE_SKIP_REQUIREMENTS: "1" };

  it.each([
    { where: "a client that was started without it has read it from a file of settings", started: {} },
    { where: "it was emptied", started: { CLAUDE_SKIP_REQUIREMENTS: "" } },
    { where: "an agent has started the client", started: { ...skip, CLAUDECODE: "1" } },
    { where: "nobody can tell", started: undefined },
  ])("opens nothing where $where", async ({ started }) => {
    await using dir = await tempDir();
    const { client } = await makeSession(dir);
    const skipping = { ...client, env: { ...gitEnv, ...skip }, startedWith: async () => started };
    expect((await answerForGates(skipping, write)).type).toBe("deny");
  });
});

describe("a session that is taken up again", () => {
  const start = { hook_event_name: "SessionStart", source: "resume" };

  it.each([
    { who: "a person", started: {}, answer: "nothing" },
    { who: "an agent, which may be its own", started: { CLAUDECODE: "1" }, answer: "deny" },
  ])("goes by what the files say, or not, as it was by $who", async ({ started, answer }) => {
    await using dir = await tempDir();
    const { client, config } = await makeSession(dir);
    expect((await answerForGates(client, write)).type).toBe("deny");
    writeFileSync(config, "enabled: false\n");
    await answerForGates({ ...client, startedWith: async () => started }, start);
    expect((await answerForGates(client, write)).type).toBe(answer);
  });
});

describe("what is kept between two calls", () => {
  // Seed 2: 3.2
  it("is the configuration, for all who begin until one of its files changes", async () => {
    await using dir = await tempDir();
    const { client, config } = await makeSession(dir);
    expect(await namesOf(client)).toEqual(["commit_plan"]);
    const caches = dir.join("home", "cache", "gates");
    const folder = join(caches, readdirSync(caches)[0] ?? "");
    const kept = readdirSync(folder);
    expect(kept).toEqual([expect.stringMatching(/^config-[0-9a-f]{16}\.json$/), "trust.json"]);
    const file = join(folder, kept[0] ?? "");
    writeFileSync(file, readFileSync(file, "utf8").replace('"commit_plan"', '"kept_plan"'));
    expect(await namesOf({ ...client, session: "second" })).toEqual(["kept_plan"]);
    writeFileSync(config, gateNamed("another"));
    expect(await namesOf({ ...client, session: "third" })).toEqual(["another"]);
  });

  it("is whether the project is trusted, until that list changes or another repository is there", async () => {
    await using dir = await tempDir();
    const { client, asked, root } = await makeSession(dir);
    const timesAfter = async (change: () => unknown) => {
      await change();
      await openSessionGates(client);
      return asked.times;
    };
    const trust = () => writeFileSync(dir.join("home", "trust.json"), "{}");
    const replace = async () => {
      rmSync(join(root, ".git"), { recursive: true });
      await makeRepo(root, ["another"]);
    };
    const nothing = () => undefined;
    expect([await timesAfter(nothing), await timesAfter(nothing)]).toEqual([1, 1]);
    expect([await timesAfter(trust), await timesAfter(nothing)]).toEqual([2, 2]);
    expect([await timesAfter(replace), await timesAfter(nothing)]).toEqual([3, 3]);
  });

  it("is nothing that a project without gates would be asked for", async () => {
    await using dir = await tempDir();
    const { client, asked } = await makeSession(dir);
    await git(client.cwd, "clean", "--quiet", "--force", "-d");
    expect(await namesOf(client)).toEqual([]);
    expect(asked.times).toBe(0);
  });

  it("need not be kept: a home that cannot be written stops nobody", async () => {
    await using dir = await tempDir();
    const { client, told } = await makeSession(dir);
    writeFileSync(dir.join("home", "cache"), "no folder");
    expect((await answerForGates(client, write)).type).toBe("deny");
    expect(told).toEqual([]);
  });
});

describe("what is wrong", () => {
  const failure = new AppError("The store is busy.", { kind: "busy", code: "store-busy" });
  const fail = () => {
    throw failure;
  };

  it("with the store is told, and the project counts as not trusted", async () => {
    await using dir = await tempDir();
    const { client, told } = await makeSession(dir);
    expect(await answerForGates({ ...client, askTrust: fail }, write)).toEqual({ type: "nothing" });
    expect(told).toEqual(["does not say whether this project is trusted: The store is busy."]);
  });

  it("with a requirement is told, and the others stay", async () => {
    await using dir = await tempDir();
    const { client, config, told } = await makeSession(dir);
    writeFileSync(config, `${gateNamed("commit_plan")}  odd:\n    scope: year\n`);
    expect(await namesOf(client)).toEqual(["commit_plan"]);
    expect(told).toEqual([expect.stringMatching(/^is wrong in line \d: /)]);
  });

  // Seed 2: 1.6
  it("while an event is answered is told, and nothing is refused", async () => {
    await using dir = await tempDir();
    const { client, told } = await makeSession(dir);
    expect(await answerForGates({ ...client, clock: { now: fail } }, write)).toEqual({ type: "nothing" });
    expect(told).toEqual(["was not asked for its gates: The store is busy."]);
  });
});
