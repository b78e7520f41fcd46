import type { EntryContent } from "../../sessions/entry.ts";
import { type ChainRow, objectOf } from "./wire.ts";

/** Whether the model has something to do or to wait for, or the user has the word. */
export type Turn = "running" | "done";

/** Returns where the turn stands after a row; undefined when the row says nothing of it. */
export function readTurn({ fields }: ChainRow, content: EntryContent): Turn | undefined {
  if (content.kind === "event")
    return content.event === "cancelled" || content.event === "api-error" ? "done" : undefined;
  if (content.kind !== "message") return undefined;
  if (content.role !== "assistant") return "running";
  const { stop_reason: reason } = objectOf(fields, "message");
  const types = new Set(content.parts.map(({ type }) => type));
  return types.has("text") && !types.has("tool-call") && reason !== "tool_use" ? "done" : "running";
}
