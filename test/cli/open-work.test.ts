import { describe, expect, it } from "vitest";
import { Interrupted } from "../../src/cli/interrupted.ts";
import type { Program } from "../../src/cli/start-program.ts";
import { recordPrompt } from "../support/record-prompt.ts";
import { message, ran, text } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const id = "11111111-2222-4333-8444-555555555555";

/** Records work that edited a file, committed nothing and ended. */
async function recordOpen(work: Work): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await work.write({ "a.ts": "changed\n" });
  await work.record(id, [
    message(at(130), "user", text("Move the shop to PostgreSQL")),
    ...ran(at(129), { name: "Edit", input: { file_path: "a.ts" }, output: "Updated." }),
    message(at(128), "assistant", text("It is in.")),
  ]);
}

describe("carryon alone on a terminal", () => {
  it("shows the status, asks about open work, and changes nothing when that is left for later", async () => {
    await using work = await openWork();
    await recordOpen(work);
    await work.call(["save", "-m", "The form"]);
    const state = await work.state();
    const { stdout } = await work.answer(["status"], {});
    const asked = `Go on with open work?
  Later
  Resume: Move the shop to PostgreSQL
  Load the saved work: The form`;
    for (const choices of [[], ["Later"]])
      expect(await work.answer([], { choices })).toEqual({
        ...{ code: 0, asked, stdout: `${stdout}\n`, stderr: "" },
      });
    expect(await work.state()).toEqual(state);
  });

  it("loads the saved work and asks what now, as carryon load does", async () => {
    await using work = await openWork();
    await work.call(["save", "--todo", "form", "--todo", "tests"]);
    const { code, asked, stdout } = await work.answer([], {
      choices: ["Load the saved work: form", "Continue with: form"],
    });
    expect([code, asked]).toEqual([
      0,
      `Go on with open work?
  Later
  Load the saved work: form
What now?
  Continue with: form
  Another of the tasks
  A new task`,
    ]);
    expect(stdout.endsWith("Go on with: form\n")).toBe(true);
  });

  it("starts the client that resumes a session", async () => {
    await using work = await openWork();
    await recordPrompt(work.carryon, id, "Move the shop to PostgreSQL");
    const started: unknown[] = [];
    const start = async ({ cwd, program, args }: Program) => void started.push({ cwd, program, args });
    expect(await work.answer([], { choices: ["Resume: Move"] }, { start })).toMatchObject({ code: 0 });
    expect(started).toEqual([{ cwd: work.root, program: "claude", args: [`--resume=${id}`] }]);
  });

  it("leaves with success at Ctrl-C", async () => {
    await using work = await openWork();
    await recordOpen(work);
    const choose = () => Promise.reject(new Interrupted("SIGINT"));
    expect(await work.answer([], {}, { choose })).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    { case: "nothing was recorded or saved", prepare: async () => undefined },
    {
      case: "all tasks are done",
      prepare: async (work: Work) => void (await work.call(["save", "-m", "The form", "--done", "form"])),
    },
    {
      case: "a save took its words from the last commit",
      prepare: async (work: Work) => void (await work.call(["save"])),
    },
  ])("asks nothing where $case", async ({ prepare }) => {
    await using work = await openWork();
    await prepare(work);
    const { stdout } = await work.answer(["status"], {});
    expect(await work.answer([], {})).toEqual({ code: 0, asked: "", stdout, stderr: "" });
  });

  it.each([
    {
      case: "the answer goes into a pipe",
      given: { isTerminal: { input: true, output: false, error: true } },
    },
    { case: "the input is no terminal", given: { isTerminal: { input: false, output: true, error: true } } },
    { case: "an agent runs it", given: {}, agent: { CLAUDECODE: "1" } },
  ])("asks nothing where $case", async ({ given, agent }) => {
    await using work = await openWork();
    await recordOpen(work);
    await work.call(["save", "-m", "The form"]);
    const env = { PATH: process.env.PATH, ...work.env, ...agent };
    const { stdout } = await work.answer(["status"], {}, { ...given, env });
    expect(await work.answer([], {}, { ...given, env })).toEqual({ code: 0, asked: "", stdout, stderr: "" });
  });

  it("asks nothing for JSON", async () => {
    await using work = await openWork();
    await recordOpen(work);
    expect(await work.answer(["--json"], {})).toMatchObject({ code: 0, asked: "" });
  });
});

describe("the brief of open work", () => {
  it("names a session by its whole id where another one begins the same", async () => {
    await using work = await openWork();
    await recordOpen(work);
    const brief = async () => (await work.call(["brief"])).stdout;
    expect(await brief()).toContain("Session 11111111: not finished.");
    const other = `${id.slice(0, 9)}9999-4333-8444-555555555555`;
    await work.record(other, [message(new Date(Date.now() - 9_000_000), "user", text("hi"))]);
    expect(await brief()).toContain(`Session ${id.slice(0, 24)}`);
  });
});
