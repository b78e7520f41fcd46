import { beforeAll, describe, expect, it } from "vitest";
import { openDigests } from "../../src/digest/read-digests.ts";
import { syncClient } from "../../src/recording/sync-client.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { findTodos } from "../../src/work/tasks/find-todos.ts";
import { installClient } from "../support/clients/install-client.ts";
import { type Claude, openClaude } from "../support/clients/open-claude.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { tempDir } from "../support/temp-dir.ts";

/** The newer version has these tools only for older models, or where it is told so. */
const withTools = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1" };

/** Imports what a client wrote, and returns the list that is found in its session. */
async function todosOf(claude: Claude, home: string) {
  await syncClient({ home, client: `${claude.home}/.claude`, machine: "here", now: new Date() });
  await using store = await openStore(home);
  const [session] = (await store.log.list()).sessions;
  if (session === undefined) throw new Error("There is no session.");
  const site = { log: store.log, project: { id: session.project, name: "" } };
  return (await findTodos({ site, digests: openDigests(store) }))?.tasks;
}

describe.each(["2.1.325", "2.1.197"])("the list of Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  it("is found as its tasks were made, changed and listed", async () => {
    await using dir = await tempDir();
    await using server = await openModelServer(readScenario("todos"));
    await using claude = await openClaude({ version, server, env: withTools });
    const { result } = await claude.run("plan with tasks");
    expect(await todosOf(claude, dir.join("home"))).toEqual({
      completed: ["Read the code"],
      pending: ["Change it"],
      next: "Change it",
      skipped: [],
    });
    await claude.run("list the tasks", ["--resume", result?.session_id ?? ""]);
    expect(await todosOf(claude, dir.join("home"))).toEqual({
      completed: ["Read the code", "Change it"],
      pending: [],
      next: undefined,
      skipped: [],
    });
  });

  it("is found as it was written whole", async () => {
    await using dir = await tempDir();
    await using server = await openModelServer(readScenario("todos"));
    // It has this tool only without the other ones.
    const env = { ...withTools, CLAUDE_CODE_ENABLE_TASKS: "0" };
    await using claude = await openClaude({ version, server, env });
    await claude.run("plan with a list");
    expect(await todosOf(claude, dir.join("home"))).toEqual({
      completed: ["Read the code"],
      pending: ["Change it", "Test it"],
      next: "Change it",
      skipped: [],
    });
  });
});
