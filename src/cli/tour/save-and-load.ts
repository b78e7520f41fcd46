import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CommandContext } from "../command-context.ts";
import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

const tasks = [
  "# Tasks",
  "- [x] 1.1 Renew a session at each request",
  "- [ ] 1.2 End it after 30 days",
  "- [ ] 1.3 The mobile client",
];

/** A test that fails because a file is missing that a script makes. */
const files: Readonly<Record<string, string>> = {
  "limits.test.mjs": [
    'import assert from "node:assert";',
    'import { readFileSync } from "node:fs";',
    'import { test } from "node:test";',
    'test("a session ends after 30 days", () => {',
    '  assert.equal(JSON.parse(readFileSync("limits.json", "utf8")).days, 30);',
    "});",
  ].join("\n"),
  "make-limits.mjs":
    'import { writeFileSync } from "node:fs";\nwriteFileSync("limits.json", JSON.stringify({ days: 30 }));\n',
  "openspec/changes/renew-sessions/tasks.md": `${tasks.join("\n")}\n`,
  "openspec/changes/renew-sessions/proposal.md": "# Why\nUsers are logged out after an hour.\n",
  ".env": "PORT=8080\n",
};

const testCommand = "node --test";

/** Shows how work is saved while a test fails, and how it goes on with the blocker recovered. */
export async function saveAndLoad(context: CommandContext, scratch: Scratch, say: Teller): Promise<void> {
  const [node] = context.program;
  await say.step("A test fails, and the work is saved: a commit, the tasks, and what stops them");
  await makeRepository(scratch);
  await recordFailure(scratch, node);
  say.command("carryon save");
  const saved = await scratch.run(["save"]);
  say.result(saved.replaceAll(scratch.folder, "~"));
  const { state, left_out: leftOut } = JSON.parse(await scratch.run(["save", "--json"]));
  insist(state.blocker?.type === "test_failure", "the failed test is not the blocker");
  insist(
    leftOut.some(({ path }: { path: string }) => path === ".env"),
    ".env was committed",
  );

  await say.step("The next morning it goes on, and the blocker is cleared with a command that you approved");
  say.command(`carryon check allow test -- ${testCommand}`);
  await scratch.run(["check", "allow", "test", "--yes", "--", node, "--test"]);
  say.command("carryon recovery allow test_failure -- node make-limits.mjs");
  await scratch.run(["recovery", "allow", "test_failure", "--yes", "--", node, "make-limits.mjs"]);
  say.command("carryon load --resume");
  const resumed = await scratch.run(["load", "--resume"]);
  say.result(resumed.replaceAll(scratch.folder, "~").replaceAll(node, "node"));
  const { blocker, next_task: next } = JSON.parse(await scratch.run(["load", "--json"]));
  insist(blocker === null, "the blocker was not cleared");
  insist(next === "1.2 End it after 30 days", `the next task is ${next}`);
}

/** What the tour made before this step is no part of the repository. */
async function makeRepository(scratch: Scratch): Promise<void> {
  const git = (...args: readonly string[]) =>
    promisify(execFile)("git", args, { cwd: scratch.cwd, env: scratch.env });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(scratch.cwd, path)), { recursive: true });
    await writeFile(join(scratch.cwd, path), text);
  }
  const settings = "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n";
  await writeFile(join(scratch.folder, ".gitconfig"), settings);
  await git("init", "--quiet");
  await git("add", "session.ts");
  await git("commit", "--quiet", "--message", "Renew sessions");
}

/** Runs the test, and records it as an agent's session would. */
async function recordFailure(scratch: Scratch, node: string): Promise<void> {
  const { cwd, env } = scratch;
  const output = await promisify(execFile)(node, ["--test"], { cwd, env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
  const call = { type: "tool-call", call: "test-1", name: "bash", input: { command: testCommand } };
  const result = { type: "tool-result", call: "test-1", output: `Exit code 1\n${output}`, failed: true };
  const lines = [
    { role: "user", text: "Go on with the limit of 30 days." },
    { kind: "message", role: "assistant", parts: [call] },
    { kind: "message", role: "tool", parts: [result] },
  ];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await scratch.run(["append", "--title", "The limit of 30 days"], input);
}
