import type { AnswerBlock, ModelAnswer, ModelQuestion, QuestionMessage } from "../loopback-model.ts";

/** What the run of the tour is to do, and the file that it writes at last. */
export const task = "Renew sessions that are in use, and note it in CHANGES.md";
export const noted = "Sessions that are in use are renewed.";

/** What the instructor wants, step by step. */
const instructions = [
  "Write renew.mjs, which renews a session up to 30 days.",
  "Add one line to CHANGES.md that says so.",
  "Show that the line is there once.",
];
const summary = "Sessions are renewed, and CHANGES.md says so once.";

const code =
  "export const renew = (session, now) => ({ ...session, until: Math.min(now + 1, session.since + 30) });\n";

/** It takes a moment after the line is written, in which the tour kills the run. */
const note = `echo '${noted}' >> CHANGES.md; sleep 3`;
const look = "cat CHANGES.md";

/** Answers as the instructor and as the worker of a run; all it knows is what it is sent, as with real models. */
export function directRun(question: ModelQuestion): ModelAnswer {
  const isInstructor = JSON.stringify(question.system ?? "").includes("You are the instructor");
  const content = isInstructor ? rule(question) : work(question);
  return { content, isWhole: true };
}

function rule({ messages = [] }: ModelQuestion): readonly AnswerBlock[] {
  const reports = messages.flatMap(resultsOf).length;
  const instruction = instructions[reports] ?? "";
  const isEnd = instruction === "";
  const facts = { assessment: `${reports} steps are done.`, needsCorrection: false, shouldContinue: !isEnd };
  return [call(`rule-${reports}`, "next_step", { ...facts, instruction, ...(isEnd ? { summary } : {}) })];
}

function work({ messages = [] }: ModelQuestion): readonly AnswerBlock[] {
  const results = messages.flatMap(resultsOf);
  const step = instructions.findLastIndex((each) => JSON.stringify(messages).includes(each));
  const place = messages.findLastIndex((message) =>
    JSON.stringify(message).includes(instructions[step] ?? ""),
  );
  const since = messages.slice(place + 1).flatMap(resultsOf);
  const next = nextCall(step, since);
  if (next === undefined) return [{ type: "text", text: reportOf(step, since) }];
  return [call(`work-${results.length}`, next.name, next.input)];
}

/** A command of which nobody knows whether it took effect is not repeated: the worker looks first. */
function nextCall(step: number, since: readonly string[]) {
  const bash = (command: string) => ({ name: "bash", input: { command } });
  const isCutOff = since.length === 1 && since[0]?.includes("Interrupted") === true;
  if (isCutOff) return bash(look);
  if (since.length > 0) return undefined;
  if (step === 0) return { name: "write", input: { path: "renew.mjs", content: code } };
  return bash(step === 1 ? note : look);
}

function reportOf(step: number, since: readonly string[]): string {
  if (step === 0) return "renew.mjs is written.";
  if (step === 2) return "The line is there once.";
  return since.length > 1
    ? "The command was cut off, but the line is there: I did not add it again."
    : "The line is added.";
}

function call(id: string, name: string, input: object): AnswerBlock {
  return { type: "tool_use", id: `toolu_${id}`, name, input };
}

/** Returns what the calls came to that a message answers. */
function resultsOf({ content }: QuestionMessage): readonly string[] {
  if (typeof content === "string") return [];
  return content.filter(({ type }) => type === "tool_result").map((part) => JSON.stringify(part.content));
}
