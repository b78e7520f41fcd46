import { sessionOfClient } from "./claude-transcripts.ts";
import type { SeenByHook } from "./client-folder.ts";

export const session = sessionOfClient;
export const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 0, number));

/** One row of a transcript in the minute in which it was written. */
export function row(number: number, fields: object, parentUuid: string | null = null): string {
  const common = { uuid: `row-${number}`, parentUuid, sessionId: session, cwd: "/home/me" };
  return `${JSON.stringify({ ...common, timestamp: minute(number).toISOString(), ...fields })}\n`;
}

export const prompt = row(1, {
  type: "user",
  promptId: "prompt-1",
  message: { role: "user", content: "hello" },
});
const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } };
export const called = row(
  2,
  { type: "assistant", message: { id: "m", role: "assistant", content: [call], stop_reason: "tool_use" } },
  "row-1",
);
export const answered = row(
  3,
  {
    type: "assistant",
    message: {
      id: "n",
      role: "assistant",
      content: [{ type: "text", text: "Hi." }],
      stop_reason: "end_turn",
    },
  },
  "row-1",
);

export const seen = (event: string, number: number, payload: object = {}): SeenByHook => ({
  ...{ event, session, at: minute(number) },
  payload: { prompt_id: "prompt-1", ...payload },
});
export const promptSeen = seen("UserPromptSubmit", 1, { prompt: "hello" });
export const callSeen = seen("PreToolUse", 2, {
  ...{ tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "toolu_1" },
});
