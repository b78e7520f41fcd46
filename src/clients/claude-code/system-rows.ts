import type { EventContent, JsonObject } from "../../sessions/entry.ts";
import { bound, boundText } from "./bound.ts";
import { readPromptText } from "./prompt-text.ts";
import { objectOf, textOf } from "./wire.ts";

/** What the client counts and measures for itself. */
const unremarkable: ReadonlySet<string> = new Set([
  "compact_boundary",
  "microcompact_boundary",
  "stop_hook_summary",
  "turn_duration",
]);

/** Returns the event that a system row stands for, or undefined when nothing is recorded of it. */
export function readSystemRow(fields: JsonObject): EventContent | undefined {
  const about = textOf(fields, "subtype") ?? "";
  const text = textOf(fields, "content") ?? "";
  if (unremarkable.has(about)) return undefined;
  if (about === "api_error") return readApiError(fields);
  if (text === "") return undefined;
  const read = readPromptText(text);
  if (read.type !== "said") return read.type === "happened" ? read.event : undefined;
  return { kind: "event", event: "notice", data: { about, text: boundText(text) } };
}

/** A request that failed and is tried again. */
function readApiError(fields: JsonObject): EventContent {
  const { status, message } = objectOf(fields, "error");
  const { retryAttempt } = fields;
  const told = Object.entries({ status, text: message, retryAttempt }).filter(isTold);
  return { kind: "event", event: "api-error", data: bound(Object.fromEntries(told)) };
}

function isTold(field: [string, unknown]): field is [string, string | number] {
  return typeof field[1] === "string" || typeof field[1] === "number";
}
