import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { type HookedProject, minute, one, openHookedProject } from "../support/hooked-project.ts";
import { testContext } from "../support/test-context.ts";

const request = "Please teach the cart to take discount codes.";

/** A project with a recorded session that left something open. */
async function openRecorded() {
  const project = await openHookedProject();
  const say = (at: Date, content: object) =>
    project.say(one, at, {
      type: "assistant",
      message: { id: `${at}`, role: "assistant", content: [content] },
    });
  const get = (at: Date, id: string, content: string, is_error = false) =>
    project.say(one, at, {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
    });
  await project.prompt(one, minute(1), request);
  await say(minute(2), {
    type: "tool_use",
    id: "ask",
    name: "AskUserQuestion",
    input: { question: "Which?" },
  });
  await get(
    minute(2),
    "ask",
    'User has answered your questions: "Which store?"="SQLite". You can now continue.',
  );
  await say(minute(3), { type: "tool_use", id: "run", name: "Bash", input: { command: "npm i left-pad" } });
  const refusal =
    "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:";
  await get(minute(3), "run", `${refusal}\nNo new packages. Please be brief.`, true);
  await say(minute(4), { type: "tool_use", id: "test", name: "Bash", input: { command: "npm test" } });
  await get(minute(4), "test", "Tests  1 failed | 8 passed (9)", true);
  await say(minute(5), { type: "text", text: "The code is there; a test fails." });
  await project.commit(minute(5), "Take codes");
  await project.sync(minute(6));
  return project;
}

/** Hands over on a terminal; a question without an answer is left as it stands. */
async function handOver(
  project: HookedProject,
  answers: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
) {
  const asked: (readonly [question: string, initial: string])[] = [];
  const context = testContext(project.root, {
    env: { CARRYON_HOME: project.home },
    isTerminal: { input: true, output: true, error: true },
    askText: async ({ message, initial }) => {
      asked.push([message.replace(/ \(.*/, ""), initial]);
      return Object.entries(answers).find(([question]) => message.startsWith(question))?.[1] ?? initial;
    },
  });
  expect(await runCli(["handover", ...args], context)).toBe(0);
  return asked;
}

const decisionsOf = (project: HookedProject) =>
  project.handover(minute(30), async (each) =>
    (await each.decisions({ type: "USER_DECISION" })).map(({ summary }) => summary),
  );

const next = "Run `npm test` again: it failed and was not run since.";
const warning = "`npm test` failed and was not run again since.";

describe("carryon handover after a recorded session", () => {
  it("leads with the next action that was given to a draft, until work overtakes it", async () => {
    await using project = await openRecorded();
    const nextOf = async () => {
      const out: string[] = [];
      const env = { CARRYON_HOME: project.home };
      await runCli(
        ["brief", "--json"],
        testContext(project.root, { env, out: (text) => void out.push(text) }),
      );
      const { parts } = JSON.parse(out.join("")) as { parts: { name: string; text: string }[] };
      return parts.find(({ name }) => name === "Next action")?.text;
    };
    expect(await nextOf()).toBe(next);
    await project.handover(minute(10), (each) => each.draft({ next: "Ask Ada" }));
    expect(await nextOf()).toBe("Ask Ada");
    // A draft that says no more leaves it as old as it is.
    await project.handover(minute(30), (each) => each.draft({ done: ["A first step"] }));
    await project.prompt(one, minute(25), "Now add gift cards");
    await project.say(one, minute(26), {
      type: "assistant",
      message: { id: "last", role: "assistant", content: [{ type: "text", text: "They are there." }] },
    });
    await project.sync(minute(40));
    expect(await nextOf()).toBe(next);
  });

  it("asks all questions with answers from the record, and takes each with Enter", async () => {
    await using project = await openRecorded();
    expect(await handOver(project)).toEqual([
      ["What is the goal of this session?", request],
      ["Which goals are active?", ""],
      ["What was done?", expect.stringMatching(/^Last run of tests: `npm test` failed \(\S+\)$/)],
      ["What is next?", next],
      ["Which decisions are not written down yet?", '"Which store?"="SQLite"'],
      ['Why ""Which store?"="SQLite""?', ""],
      ['What follows from ""Which store?"="SQLite""?', ""],
      ["What must the next session beware of?", warning],
      ["In what tone and mood do you work?", "Please be brief."],
      ["Which exceptions to steering are new?", ""],
    ]);
    expect(await project.doc()).toMatchObject({
      ...{ goal: request, mode: "", nextAction: next, warnings: `- ${warning}`, tone: "Please be brief." },
      added: '1. "Which store?"="SQLite" (D1)',
    });
    expect(await decisionsOf(project)).toEqual(['"Which store?"="SQLite"']);
    const again = await handOver(project);
    expect(again[4]).toEqual(["Which decisions are not written down yet?", ""]);
  });

  it("takes other answers in their place", async () => {
    await using project = await openRecorded();
    await handOver(project, {
      "What is the goal": "Discounts",
      "What is next": "Ask Ann",
      "Which decisions": "Codes are case-insensitive",
      "What must": "Slow tests",
      "In what tone": "calm",
    });
    expect(await project.doc()).toMatchObject({
      ...{ goal: "Discounts", nextAction: "Ask Ann", warnings: "- Slow tests", tone: "calm" },
      added: "1. Codes are case-insensitive (D1)",
    });
  });

  it.each([
    { case: "alone", clear: (_initial: string) => "-" },
    { case: "below what stands there", clear: (initial: string) => `${initial}\n-` },
  ])("empties a part at a dash, $case", async ({ clear }) => {
    await using project = await openRecorded();
    await handOver(project, {
      "What is the goal": "-",
      "What was done": clear("Last run of tests"),
      "What is next": clear(next),
      "Which decisions": clear('"Which store?"="SQLite"'),
      "What must": clear(warning),
      "In what tone": clear("Please be brief."),
    });
    expect(await project.doc()).toMatchObject({ goal: "", added: "", warnings: "", tone: "" });
    expect(await decisionsOf(project)).toEqual([]);
  });

  it("fills the parts without questions in the same way, but decides nothing", async () => {
    await using project = await openRecorded();
    expect(await handOver(project, {}, ["--no-ask", "--warnings", "Slow tests"])).toEqual([]);
    expect(await project.doc()).toMatchObject({
      ...{ goal: request, nextAction: next, warnings: `- ${warning}\n- Slow tests`, tone: "", added: "" },
    });
    expect(await decisionsOf(project)).toEqual([]);
  });

  it("takes the turn in which an agent asks for no interruption", async () => {
    await using project = await openRecorded();
    await project.prompt(one, minute(7), "Hand it over");
    const call = { type: "tool_use", id: "self", name: "Bash", input: { command: "carryon handover" } };
    await project.say(one, minute(8), { type: "assistant", message: { role: "assistant", content: [call] } });
    await project.sync(minute(9));
    await handOver(project, {}, ["--no-ask", "--session", one]);
    expect((await project.doc()).nextAction).toBe(next);
  });

  it("drafts from the record on request", async () => {
    await using project = await openRecorded();
    await handOver(project, {}, ["draft", "--done", "Codes"]);
    expect(await project.doc()).toMatchObject({
      ...{ mode: "auto-draft", goal: request, nextAction: next, accomplished: "- Codes" },
    });
    const before = await project.read("session.md");
    await handOver(project, {}, ["draft"]);
    expect(await project.read("session.md")).toBe(before);
  });
});
