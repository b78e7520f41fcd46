import { checkRequest } from "./check-request.ts";
import { signThinking } from "./signature.ts";

/** The headers that a request needs. */
export const headers = { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" };

export const request = (...messages: readonly object[]) => ({ model: "m", max_tokens: 100, messages });
export const user = (content: unknown) => ({ role: "user", content });
export const assistant = (content: unknown) => ({ role: "assistant", content });
export const text = (said: string) => ({ type: "text", text: said });
export const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "ls" } });
export const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "a.txt" });
export const tool = (name: string) => ({ name, input_schema: { type: "object" } });
export const thinking = (thought: string, signature = signThinking(thought)) => ({
  type: "thinking",
  thinking: thought,
  signature,
});

/** Returns what the API says of a request: its complaint, or "taken". */
export function complaintOf(sent: object): string {
  const checked = checkRequest(headers, JSON.stringify(sent));
  return "refusal" in checked ? checked.refusal.message : "taken";
}
