import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installClient } from "../support/clients/install-client.ts";
import { type Claude, openClaude } from "../support/clients/open-claude.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { runOn } from "../support/machine.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

/** No `carryon` is to be found here, as on the machine of somebody who runs it with npx. */
const path = "/usr/bin:/bin";

interface World extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly claude: Claude;
  readonly work: string;
  /** Everything that the model was told. */
  readonly told: () => string;
}

async function openWorld(version: string, program: (home: string) => string): Promise<World> {
  const carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  await git(work, "config", "user.email", "ada@example.com");
  await git(work, "config", "user.name", "Ada");
  const home = join(carryon.folder, "home");
  const server = await openModelServer(readScenario("session", { carryon: program(home) }));
  const env = { PATH: path, CARRYON_HOME: home };
  const claude = await openClaude({ version, server, cwd: work, home: carryon.folder, env });
  return {
    ...{ carryon, claude, work },
    told: () => JSON.stringify(server.requests.map(({ body }) => body)),
    [Symbol.asyncDispose]: async () => {
      for (const each of [claude, server, carryon]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Types a command, which must run without a question, and returns what was said at its end. */
async function type({ claude }: World, command: string): Promise<unknown> {
  const { result, stderr } = await claude.run(command);
  expect([command, stderr, result?.permission_denials]).toEqual([command, "", []]);
  return result?.result;
}

describe.each(["2.1.325", "2.1.197"])("Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  // Seed 0: 2.5, 2.6, 7.2
  it("takes the plugin from the marketplace of a clone, records by it and runs its commands", async () => {
    await using world = await openWorld(version, () => "carryon");
    const { program } = await installClient("claude-code", version);
    const env = {
      HOME: world.claude.home,
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    };
    const plugin = async (...args: readonly string[]) => {
      const { code, stdout } = await runOn({ cwd: world.work, path, env }, program, ["plugin", ...args]);
      return [code, stdout.includes("✔")];
    };
    const done = [0, true];
    expect(await plugin("validate", resolve("."))).toEqual(done);
    expect(await plugin("validate", resolve("plugin"))).toEqual(done);
    expect(await plugin("marketplace", "add", resolve("."))).toEqual(done);
    expect(await plugin("install", "session@carryon")).toEqual(done);
    expect((await world.carryon.run(["init", "--plugin", "--yes", "--no-import"])).code).toBe(0);
    expect(await type(world, "/session:status")).toBe("Here is where the work stands.");
    expect(world.told()).toContain("Project  work on ");
    expect(await type(world, "/sdd-handover")).toBe("It is handed over.");
    const { sessions } = JSON.parse((await world.carryon.run(["sessions", "--json"])).stdout);
    expect(sessions).toHaveLength(2);
    // What was recorded since has been taken in, and drafts nothing over it.
    const document = await readFile(join(world.work, ".claude/sdd/handover/session.md"), "utf8");
    expect([document.includes("Passkeys only (D"), document.includes("**Mode**")]).toEqual([true, false]);
    await expect(readFile(join(world.carryon.folder, "home/carryon.log"))).rejects.toThrow("ENOENT");
  });

  // Seed 1: 1.1, 2.1, 3.3
  it("runs the commands that init wrote, without a question and without carryon on PATH", async () => {
    await using world = await openWorld(version, (home) => join(home, "bin", "carryon"));
    expect((await world.carryon.run(["init", "--yes", "--no-import"])).code).toBe(0);
    expect(await type(world, "/session:save it's $(x)")).toBe("It is saved.");
    const state = JSON.parse(await readFile(join(world.work, ".claude/session-state.json"), "utf8"));
    expect([state.working_on, state.next_steps]).toEqual(["it's $(x)", ["Its tests"]]);
    expect(await type(world, "/session:load")).toBe("There we go on.");
    expect(world.told()).toContain("ALL_VALID");
    expect(await git(world.work, "status", "--porcelain")).toBe("");
  });
});
