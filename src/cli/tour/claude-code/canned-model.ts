import {
  type LoopbackModel,
  type ModelAnswer,
  type ModelQuestion,
  openLoopbackModel,
} from "../loopback-model.ts";

/** A model that says what Claude Code needs in the tour: one tool call, and then the beginning of an answer. */
export interface CannedModel extends LoopbackModel {
  /** Resolves when the answer has begun that never ends. */
  readonly stalled: Promise<void>;
}

/** What the model says before it uses the tool. */
export const opening = "I will look at how sessions expire.";

/** The shell command that the model wants to run, and what it stands for. */
export const toolCall = {
  command: "grep -n lifetime session.ts",
  description: "Find how long sessions live",
};

/** What the model has begun to say when its client is killed. */
const begun = "The lifetime is fixed at one hour";

/** Starts the model. */
export async function openCannedModel(): Promise<CannedModel> {
  const stall = Promise.withResolvers<void>();
  const model = await openLoopbackModel((question) => {
    const answer = answerTo(question);
    if (!answer.isWhole) stall.resolve();
    return answer;
  });
  return { ...model, stalled: stall.promise };
}

function answerTo({ tools, messages }: ModelQuestion): ModelAnswer {
  const canUseTools = tools?.some(({ name }) => name === "Bash") === true;
  const hasUsedTool = JSON.stringify(messages ?? []).includes('"tool_result"');
  if (!canUseTools) return { content: [{ type: "text", text: "Login" }], isWhole: true };
  if (hasUsedTool) return { content: [{ type: "text", text: begun }], isWhole: false };
  const call = { type: "tool_use", id: "toolu_tour", name: "Bash", input: toolCall } as const;
  return { content: [{ type: "text", text: opening }, call], isWhole: true };
}
