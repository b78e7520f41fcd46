import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import type { Json, JsonObject } from "../../sessions/entry.ts";
import { describeValue } from "./describe-value.ts";

type Teller = (value: Json, outcome: JsonObject) => string | undefined;

const named =
  (name: string): Teller =>
  (value) =>
    describeValue({ [name]: value });
const silent: Teller = () => undefined;

/** How each thing is told that a client knows of the outcome of a tool; what is not here is told by its name. */
const tellers: Readonly<Record<string, Teller>> = {
  type: silent,
  filePath: (path, outcome) => `${outcome.type === "create" ? "new file" : "file"} ${describeValue(path)}`,
  structuredPatch: (patch) => countLines(patch),
  userModified: () => "changed by the user before it was written",
  interrupted: () => "interrupted",
  returnCodeInterpretation: (meaning) => describeValue(meaning),
  backgroundTaskId: (id) => `goes on in the background as ${describeValue(id)}`,
  persistedOutputPath: (path, { persistedOutputSize: size }) =>
    `whole output in ${describeValue(path)}${typeof size === "number" ? ` (${formatBytes(size)})` : ""}`,
  persistedOutputSize: silent,
  agentId: (id, outcome) => `subagent ${textOf(outcome, "agentType") ?? ""} ${describeValue(id)}`,
  agentType: silent,
  totalDurationMs: describeDuration,
  durationMs: describeDuration,
  totalTokens: (count) => `${describeValue(count)} tokens`,
  totalToolUseCount: (count) => `${describeValue(count)} tool calls`,
  denied: (by) => `not allowed (${describeValue(by)})`,
};

/** Says in one line what a client knows of the outcome of a tool beside its output. */
export function describeOutcome(outcome: JsonObject): string {
  return Object.entries(outcome)
    .flatMap(([name, value]) => (tellers[name] ?? named(name))(value, outcome) ?? [])
    .join(", ");
}

/** Returns the lines of a patch, with their signs. */
export function listPatch(patch: Json): readonly string[] {
  const hunks = Array.isArray(patch) ? patch.filter(isJsonObject) : [];
  return hunks.flatMap(({ lines }) =>
    Array.isArray(lines) ? lines.filter((line) => typeof line === "string") : [],
  );
}

function countLines(patch: Json): string {
  const lines = listPatch(patch);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count("+")} −${count("-")} lines`;
}

function describeDuration(value: Json): string | undefined {
  return typeof value === "number" ? `${(value / 1000).toFixed(1)} s` : undefined;
}
