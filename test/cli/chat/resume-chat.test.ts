import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import { openChatting, scenarioOf } from "../../support/open-chatting.ts";
import { recordPrompt } from "../../support/record-prompt.ts";
import { launcher, testContext } from "../../support/test-context.ts";

it("resumes a chat with the command that goes on with it", async () => {
  await using carryon = await openChatting(scenarioOf({}));
  await recordPrompt(carryon, "11111111-1111-4111-8111-111111111111", "older");
  await carryon.call(["chat", "--name", "Greetings"], { input: "hello\n" });
  const [{ id }] = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions;
  const work = await realpath(join(carryon.folder, "work"));
  const line = `cd ${work} && carryon chat --session ${id}\n`;
  for (const args of [["resume"], ["resume", "latest"], ["resume", "Greetings", "--print"]]) {
    expect(await carryon.ask(args)).toBe(line);
  }
  const started: unknown[] = [];
  const context = testContext(work, {
    ...{ env: carryon.env, userHome: carryon.folder, start: async (program) => void started.push(program) },
    isTerminal: { input: true, output: true, error: true },
  });
  expect(await runCli(["resume", id], context)).toBe(0);
  expect(started).toEqual([
    {
      ...{ cwd: work, program: process.execPath, args: [launcher, "chat", "--session", id] },
      env: carryon.env,
    },
  ]);
});

it("names a chat and its command in the status", async () => {
  await using carryon = await openChatting(scenarioOf({}));
  await carryon.call(["chat"], { input: "hello\n" });
  expect(await carryon.ask(["status"])).toContain("carryon chat --session latest");
});
