import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { renderShellWord } from "../../src/lib/shell-word.ts";
import { installClient } from "../support/clients/install-client.ts";
import type { Claude } from "../support/clients/open-claude.ts";
import { git } from "../support/git-repo.ts";
import type { ModelServer } from "../support/model-server/open-model-server.ts";
import { readScenario } from "../support/model-server/scenario.ts";
import { openRecordedClaude, type RecordedClaude } from "../support/recorded-claude.ts";
import { wrongSum } from "../support/shop.ts";
import { launcher } from "../support/test-context.ts";

const tools = ["--allowedTools", "Bash Agent"];

const failedTest = {
  type: "test_failure",
  severity: "high",
  description: expect.stringMatching(/^Tests failed in `node --test`: ✖ adds two numbers/),
  error_pattern: expect.stringMatching(/^✖ adds two numbers/),
  appeared_after: "first",
  auto_detected: true,
  recovery_agent: "tester",
  recovery_attempted: 0,
};

/** A repository with a test that fails, and a client whose model can run the `carryon` of this package. */
async function openShop(version: string): Promise<RecordedClaude> {
  const carryon = [process.execPath, launcher].map(renderShellWord).join(" ");
  const recorded = await openRecordedClaude(version, { scenario: readScenario("work", { carryon }) });
  const { cwd } = recorded.claude;
  for (const [name, text] of Object.entries(wrongSum)) await writeFile(join(cwd, name), text);
  await git(cwd, "config", "user.name", "A");
  await git(cwd, "config", "user.email", "a@example.invalid");
  return recorded;
}

/** Saves as a user does, and returns what there is to see of it. */
async function save({ carryon }: RecordedClaude, ...args: readonly string[]) {
  const { state, commit } = JSON.parse(await carryon("save", "--json", ...args));
  return { blocker: state.blocker, workingOn: state.working_on, committed: commit.files };
}

/** Returns what the first command after a prompt printed, as the model was told. */
function firstOutputAfter({ requests }: ModelServer, prompt: string): string {
  const told = requests.find(({ rule, step }) => rule === prompt && step === 1);
  const content = told?.body?.messages.at(-1)?.content ?? [];
  const texts = Array.isArray(content) ? content.map((block) => block.content) : [];
  return texts
    .join("\n")
    .replace(/\(\d+\.\d+ms\)/g, "(<time>)")
    .replace(/^(Saved +).*,/m, "$1<age>,")
    .replace(/ at [0-9a-f]{12}$/m, " at <commit>");
}

/** Takes out of a transcript what the client had not written yet when a tool had ended. */
async function cutBeforeResult(claude: Claude, session: string): Promise<void> {
  const path = await claude.locateTranscript(session);
  const text = await readFile(path, "utf8");
  const end = text.lastIndexOf("\n", text.indexOf('"tool_result"'));
  await writeFile(path, text.slice(0, end + 1));
}

describe.each(["2.1.325", "2.1.197"])("the work of Claude Code %s", (version) => {
  beforeAll(() => installClient("claude-code", version));

  // Seed 1: 4.3, 8.2
  it("is saved with the test that failed as its blocker, and resumed by an agent that mends it", async () => {
    await using shop = await openShop(version);
    const { claude, server } = shop;
    await claude.run("run the tests", tools);
    expect(await save(shop, "-m", "Sums")).toEqual({
      blocker: expect.objectContaining(failedTest),
      workingOn: "Sums",
      committed: Object.keys(wrongSum),
    });
    expect(await git(claude.cwd, "log", "-1", "--format=%s")).toBe("WIP: Sums - checkpoint");

    await mkdir(join(claude.cwd, ".claude/agents"), { recursive: true });
    await appendFile(join(claude.cwd, ".git/info/exclude"), ".claude/agents/\n");
    for (const agent of ["tester", "code-editor"])
      await writeFile(join(claude.cwd, `.claude/agents/${agent}.md`), `---\nname: ${agent}\n---\n`);
    await claude.run("go on where we were", tools);
    // It is known to be an agent by what the client sets: whoever else asks is told to approve a command.
    expect(firstOutputAfter(server, "go on where we were")).toMatchInlineSnapshot(`
      "Call the agent \`tester\`, then \`code-editor\` to clear the test_failure blocker. When it is gone, run \`carryon blocker resolve\`; otherwise go on with nothing else, and say what is left.
      Blocker  test_failure (high): Tests failed in \`node --test\`: ✖ adds two numbers (<time>)
               To do: Run the failing test alone, fix the code or the test, then run all tests again.
               It came after: first
               recovery was tried 1 of 3 times
      Work     Sums
      Saved    <age>, quick
      Branch   main at <commit>
      Progress no tasks are known
      Now      BLOCKER_EXISTS: The work is blocked (test_failure, high): Tests failed in \`node --test\`: ✖ adds two numbers (<time>).
               Run the failing test alone, fix the code or the test, then run all tests again. Resolve it before anything else, then say \`carryon blocker resolve\`.
      Next     Sums

      Resolve the blocker before anything else; then \`carryon blocker resolve\`."
    `);
    expect(await save(shop)).toEqual({ blocker: null, workingOn: "Sums", committed: ["sum.mjs"] });
  });

  // Seed 1: 4.4
  it("is stopped by the decision that a subagent needs", async () => {
    await using shop = await openShop(version);
    await shop.claude.run("have it designed", tools);
    expect((await save(shop)).blocker).toMatchObject({
      type: "decision_required",
      description: "The agent general-purpose ended DECISION_NEEDED: Are amounts kept in cents?",
      resolution: "Ask the owner of the shop.",
      recovery_agent: null,
    });
  });

  // Seed 1: 9.4
  it("has the test that failed as its blocker also where only hooks saw it, because the client was killed", async () => {
    await using shop = await openShop(version);
    const { claude, server } = shop;
    // Hooks that do not know how to start a sync leave everything in the inbox until the save.
    await writeFile(join(claude.home, "..", "carryon-home", "bin", "carryon.json"), "{}");
    const id = randomUUID();
    await using running = claude.start("run the tests slowly", ["--session-id", id, ...tools]);
    await server.waitFor(({ rule, step }) => rule === "run the tests slowly" && step === 1);
    const transcript = async () => JSON.stringify(await claude.readTranscript(id));
    await expect.poll(transcript, { timeout: 60_000 }).toContain('"tool_result"');
    running.kill("SIGKILL");
    await running.ended();
    await cutBeforeResult(claude, id);
    expect((await save(shop)).blocker).toMatchObject(failedTest);
    expect(await shop.outline("latest")).toEqual(["user text", "assistant tool-call Bash"]);
  });
});

describe("the scenarios of the work state", () => {
  beforeAll(() => installClient("claude-code", "2.1.325"));

  it("hold with the real client: a build that its agent could not make, and the tasks of a change", async () => {
    await using shop = await openShop("2.1.325");
    const { claude, server } = shop;
    const change = join(claude.cwd, "openspec/changes/checkout");
    for (const folder of [change, join(claude.cwd, ".claude/agents")])
      await mkdir(folder, { recursive: true });
    await writeFile(join(change, "tasks.md"), "- [x] 1.1 Cart\n- [ ] 1.2 Pay\n");
    await writeFile(join(change, "proposal.md"), "# Checkout\n");
    const agent = "---\nname: cpp-builder\ndescription: Builds the shop\n---\nYou build.\n";
    await writeFile(join(claude.cwd, ".claude/agents/cpp-builder.md"), agent);
    await claude.run("have it built", tools);
    const { blocker, workingOn } = await save(shop);
    expect([workingOn, blocker]).toMatchObject([
      "1.2 Pay",
      {
        ...{ type: "build_error", severity: "critical", auto_detected: true, recovery_agent: "cpp-builder" },
        message: "The agent cpp-builder ended FAILED: Could NOT find Qt6",
        resolution: "Look at vcpkg.json.",
      },
    ]);
    // The next session is told without a question, blocker and next task.
    await claude.run("where were we", tools);
    const told = JSON.stringify(server.requests.findLast(({ body }) => body !== undefined)?.body);
    for (const part of ["build_error", "Could NOT find Qt6", "1.2 Pay"]) expect(told).toContain(part);
  });
});
