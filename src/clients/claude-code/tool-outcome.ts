import type { Json, JsonObject, OtherPart } from "../../sessions/entry.ts";
import { bound } from "./bound.ts";
import { objectOf, textOf } from "./wire.ts";

/**
 * What the client knows of a tool's outcome besides the text that the model was given.
 *
 * Left out: what the call or its output says already (`stdout`, `content`, `oldString` …), whole files before a
 * change, and base64.
 */
const kept = [
  "type",
  "filePath",
  "structuredPatch",
  "userModified",
  "bashEditDiff",
  "stderr",
  "interrupted",
  "returnCodeInterpretation",
  "backgroundTaskId",
  "persistedOutputPath",
  "persistedOutputSize",
  "agentId",
  "agentType",
  "status",
  "totalDurationMs",
  "totalTokens",
  "totalToolUseCount",
  "durationMs",
  "code",
  "url",
  "answers",
] as const;

/** Returns what is worth keeping of a tool's outcome, or undefined when there is nothing. */
export function toOutcome(fields: JsonObject): OtherPart | undefined {
  const result = objectOf(fields, "toolUseResult");
  const denied = textOf(fields, "toolDenialKind");
  const told = kept.flatMap((name) => {
    const value = result[name];
    return value === undefined || isNothing(value) ? [] : [[name, value] as const];
  });
  const outcome = { ...Object.fromEntries(told), ...(denied === undefined ? {} : { denied }) };
  if (Object.keys(outcome).every((name) => name === "type")) return undefined;
  return { type: "other", raw: { type: "tool-outcome", outcome: bound(outcome) } };
}

function isNothing(value: Json): boolean {
  if (value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
