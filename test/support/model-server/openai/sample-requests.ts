import { checkRequest } from "./check-request.ts";
import type { Complaint } from "./wire.ts";

/** The headers that a request needs. */
export const headers = { authorization: "Bearer sk-test" };

export const request = (...messages: readonly unknown[]) => ({ model: "m", messages });
export const user = (content: unknown) => ({ role: "user", content });
export const assistant = (content: unknown) => ({ role: "assistant", content });
export const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "bash", arguments: '{"command":"ls"}' },
});
export const calling = (...calls: readonly unknown[]) => ({ ...assistant(null), tool_calls: calls });
export const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "a.txt" });
export const tool = (name: string) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: {} } },
});

/** Returns what the API says of a request: its complaint, or "taken". */
export function complaintOf(sent: object): Complaint | "taken" {
  const checked = checkRequest(headers, JSON.stringify(sent));
  if (!("refusal" in checked)) return "taken";
  const { status: _, ...complaint } = checked.refusal;
  return complaint;
}
