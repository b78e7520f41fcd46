import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { answerEvent } from "../../src/hooks/answer-event.ts";
import * as gates from "../../src/hooks/gates.ts";
import { makeSafe } from "../../src/hooks/make-safe.ts";
import { gitEnv, makeRepo } from "../support/git-repo.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

/** Two repositories with the user's gates, and a session that was begun in the first one. */
async function openSession(dir: TempDir) {
  for (const name of ["shop", "till"]) await makeRepo(dir.join(name), ["first"]);
  for (const folder of [".claude", "home"]) mkdirSync(dir.join(folder));
  writeFileSync(dir.join(".claude", "requirements.yaml"), "requirements: { plan: { enabled: true } }\n");
  const surroundings = {
    ...{ home: dir.join("home"), userHome: dir.path, process: { pid: process.pid, client: process.pid } },
    env: { ...gitEnv, CLAUDE_PROJECT_DIR: dir.join("shop") },
    loadRedaction: () => ({ makeSafe }),
    loadGates: () => gates,
    note: (what: string) => {
      throw new Error(what);
    },
    say: () => undefined,
  };
  const tell = async (cwd: string, event: string, more: object = {}) => {
    const wire = { hook_event_name: event, session_id: "s1", cwd, ...more };
    const input = JSON.stringify(wire);
    return JSON.parse(
      (await answerEvent(surroundings, { asks: "gates-if-any" }, { wire, input, cwd })) ?? "null",
    );
  };
  let calls = 0;
  const run = async (cwd: string, command: string) => {
    calls += 1;
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${calls}` };
    const answer = await tell(cwd, "PreToolUse", call);
    if (answer !== null) return answer.hookSpecificOutput.permissionDecisionReason as string;
    execFileSync("bash", ["-c", command], { cwd, env: gitEnv });
    await tell(cwd, "PostToolUse", call);
    return "ran";
  };
  return { tell, run };
}

it.each([
  { way: "from another one into the project", from: "till", to: "shop" },
  { way: "from the project into another one", from: "shop", to: "till" },
])("finds what a command writes $way", async ({ from, to }) => {
  await using dir = await tempDir();
  const { run, tell } = await openSession(dir);
  const cwd = dir.join(from);
  expect(await run(cwd, `cat ${dir.join(to, ".git", "HEAD")}`)).toBe("ran");
  expect(await tell(cwd, "Stop")).toBe(null);
  expect(await run(cwd, `cd ${dir.join(to)} && echo x > new.txt`)).toBe("ran");
  expect(await run(cwd, `echo x > ${dir.join(to, "more.txt")}`)).toBe(
    `In ${dir.join(to)}, to which this session has written:\nThe gate plan is not satisfied.\nDo what it asks for, and then run \`cd ${dir.join(to)} && carryon gate satisfy plan\`.`,
  );
  expect(await tell(cwd, "Stop")).toEqual({
    decision: "block",
    reason: expect.stringMatching(`^In ${dir.join(to)}, to which this session has written:`),
  });
});

it("names the repository of a file that may not be edited, and what satisfies its gate from here", async () => {
  await using dir = await tempDir();
  const { tell } = await openSession(dir);
  const refuse = async (cwd: string, file: string) => {
    const call = { tool_name: "Edit", tool_input: { file_path: file }, tool_use_id: "toolu_e" };
    return (await tell(cwd, "PreToolUse", call)).hookSpecificOutput.permissionDecisionReason;
  };
  const satisfy = (there: string) =>
    `The gate plan is not satisfied.\nDo what it asks for, and then run \`${there}carryon gate satisfy plan\`.`;
  const [shop, till] = [dir.join("shop"), dir.join("till")];
  expect(await refuse(shop, dir.join("shop", "f"))).toBe(satisfy(""));
  expect(await refuse(shop, dir.join("till", "f"))).toBe(`In ${till}:\n${satisfy(`cd ${till} && `)}`);
  // Where the client is in no repository, those of the project are meant.
  expect(await refuse(dir.path, dir.join("g"))).toMatch(`In ${shop}:\nThe gate plan is not satisfied.`);
});

it.each([
  { what: "a new file", command: (till: string) => `echo x > ${till}/new.txt` },
  { what: "a file that is there", command: (till: string) => `echo x >> ${till}/first.txt` },
  { what: "a new file, by tee", command: (till: string) => `echo x | tee ${till}/new.txt` },
])("finds $what that a command writes in another repository by its path", async ({ command }) => {
  await using dir = await tempDir();
  const { run, tell } = await openSession(dir);
  writeFileSync(dir.join("till", "first.txt"), "first");
  const line = command(dir.join("till"));
  expect(await run(dir.join("shop"), line)).toBe("ran");
  expect(await run(dir.join("shop"), line)).toMatch("The gate plan is not satisfied.");
  expect(await tell(dir.join("shop"), "Stop")).toEqual({ decision: "block", reason: expect.any(String) });
});

it("finds what a command writes in another work tree of the same repository", async () => {
  await using dir = await tempDir();
  const { run, tell } = await openSession(dir);
  const shop = dir.join("shop");
  execFileSync("git", ["worktree", "add", "--quiet", "-b", "w1", ".wt"], { cwd: shop, env: gitEnv });
  expect(await run(shop, "echo x > .wt/a.txt")).toBe("ran");
  expect(await run(shop, "echo x > .wt/a.txt")).toMatch(`In ${dir.join("shop", ".wt")}, `);
  expect(await tell(shop, "Stop")).toEqual({ decision: "block", reason: expect.any(String) });
});
