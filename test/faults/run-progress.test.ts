import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { ends, goesOn, runScenario, runs } from "../support/run-scenario.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

/** The worker's command ends when a file is there. */
const scenario = runScenario(
  [goesOn("Wait for the file."), ends("It has come.")],
  [runs("until [ -e go ]; do sleep 0.02; done"), { text: "It is there." }],
);

it("says on a terminal what a run is doing while it does it, and nothing of that stays", async () => {
  await using server = await openModelServer(scenario);
  await using carryon = await openCarryon({
    ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url, NO_COLOR: "1" },
    ...{ CARRYON_MODEL: "anthropic/claude-sonnet-5-5", TERM: "screen-256color", LANG: "C.UTF-8" },
  });
  const cwd = join(carryon.folder, "work");
  const env = { ...carryon.env, PS1: "shell$ ", HISTFILE: "" };
  await using shell = await openTerminal(["bash", "--norc", "--noprofile", "-i"], { cwd, env });
  await shell.waitFor("shell$");
  await shell.type(`${process.execPath} ${launcher} run 'Wait.' --yes`);
  await shell.press("Enter");
  const line = "round 1 · the worker runs bash until ";
  expect(await shell.waitFor(line)).toMatch(
    /Round 1: Wait for the file\.\n {2}→ bash until .*\n\S round 1 · /,
  );
  await writeFile(join(cwd, "go"), "");
  const screen = await shell.waitFor("It has come.\nshell$");
  expect(screen).toMatch(/ {2}→ bash until .*\n {2}It is there\.\nRound 1 is saved: /);
  expect(screen).not.toContain(" · ");
});
