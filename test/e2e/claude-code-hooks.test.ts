import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { drainSpool } from "../../src/storage/drain-spool.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { installClient } from "../support/clients/install-client.ts";
import { makeHello } from "../support/clients/make-hello.ts";
import { openClaude } from "../support/clients/open-claude.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

interface Seen {
  readonly event: string;
  readonly session: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Project extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly work: string;
  readonly home: string;
}

/** Returns what hooks recorded, wherever it waits. */
async function readInbox(home: string): Promise<readonly Seen[]> {
  await drainSpool(home);
  await using inbox = await openInbox(home);
  return (await inbox.take(1000)).map(({ event, session, payload }) => ({
    event,
    session,
    payload: payload as Seen["payload"],
  }));
}

/** A repository in which `carryon init` was run; nothing starts sync, so that what hooks saw stays to be looked at. */
async function openProject(): Promise<Project> {
  const carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  const { code, stderr } = await carryon.run(["init", "--yes", "--no-import"]);
  if (code !== 0) throw new Error(stderr);
  const home = join(carryon.folder, "home");
  await rm(join(home, "bin", "carryon.json"));
  return { carryon, work, home, [Symbol.asyncDispose]: () => carryon[Symbol.asyncDispose]() };
}

describe.each(["2.1.325", "2.1.197"])("Claude Code %s in a project with hooks", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("records each prompt and tool call, and shows nothing of it to anybody", async () => {
    await using project = await openProject();
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server, cwd: project.work });
    const { result } = await makeHello(claude);
    const seen = await readInbox(project.home);
    expect(seen.map(({ event }) => event)).toEqual([
      ...["SessionStart", "UserPromptSubmit"],
      ...["PreToolUse", "PostToolUse", "PostToolBatch"],
      ...["PreToolUse", "PostToolUse", "PostToolBatch"],
      ...["Stop", "SessionEnd"],
    ]);
    expect(new Set(seen.map(({ session }) => session))).toEqual(new Set([result?.session_id]));
    expect(seen[1]?.payload).toMatchObject({ prompt: "make the hello file", cwd: project.work });
    expect(seen[5]?.payload).toMatchObject({ tool_name: "Write", tool_input: { content: "hello\n" } });
    expect(
      seen.filter(({ event }) => event === "PostToolUse").map(({ payload }) => payload.tool_name),
    ).toEqual(["Bash", "Write"]);
    await expect(readFile(join(project.home, "carryon.log"))).rejects.toThrow("ENOENT");
    expect(await git(project.work, "status", "--porcelain")).toBe("?? hello.txt");
    const shown = JSON.stringify(server.requests.map(({ body }) => body));
    expect(shown).not.toContain("carryon-hook");
  });

  it.each([
    {
      case: "the hooks are taken back",
      change: async ({ carryon }: Project) => void (await carryon.run(["uninit", "--yes"])),
    },
    {
      case: "their programs have gone",
      change: ({ home }: Project) => rm(join(home, "bin"), { recursive: true }),
    },
  ])("runs as before when $case", async ({ change }) => {
    await using project = await openProject();
    await using server = await openModelServer(readScenario("everyday"));
    await using claude = await openClaude({ version, server, cwd: project.work });
    await change(project);
    await makeHello(claude);
    expect(await readInbox(project.home)).toEqual([]);
  });
});
