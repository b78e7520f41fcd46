import { callEndOf, endOfCall } from "../../clients/claude-code/links.ts";
import { readShellCall, readShellResult, type ToldOfShell, textOf } from "../../outcomes/shell-result.ts";
import type { Entry, EventContent, Json, Message, ToolCallPart } from "../../sessions/entry.ts";
import { observationIn } from "../../sessions/observations.ts";
import type { Client } from "../../sessions/session.ts";
import { fieldOf, ToolRuns } from "../../sessions/tool-runs.ts";
import type { Outcome } from "./standing-blockers.ts";

/**
 * Returns the results of commands and the reports of subagents among the entries of a session, in their order.
 *
 * Only what a tool gave back counts: what people and models wrote may tell of anything.
 */
export function toOutcomes(entries: readonly Entry[], client: Client): readonly Outcome[] {
  const runs = new ToolRuns();
  const seen: SeenCalls = new Map();
  const found = foundIn(entries);
  return entries.flatMap((entry): readonly Outcome[] => {
    if (entry.kind === "event")
      return found.has(entry.id) ? [] : [...fromNews(entry, runs), ...fromHook(entry, seen)];
    if (entry.kind === "message") noteCalls(entry, seen);
    return runs.follow(entry).flatMap(({ call, result, message }) => {
      const told = { ...result, outcome: clientsOutcome(message), client };
      return toOutcome(call, told, message);
    });
  });
}

function toOutcome(call: ToolCallPart, told: ToldOfShell, { at, id: entry }: Entry): readonly Outcome[] {
  const agent = fieldOf(call.input, "subagent_type");
  if (typeof agent === "string") return [{ agent, text: textOf(told.output), at, entry }];
  const command = readShellCall(call);
  const result = command === undefined ? undefined : readShellResult(told);
  return command === undefined || result === undefined ? [] : [{ command, ...result, at, entry }];
}

/** Returns what the client knows of a result besides its text. */
function clientsOutcome({ parts }: Message): Json | undefined {
  const part = parts.find((each) => each.type === "other" && each.raw.type === "tool-outcome");
  return part?.type === "other" ? part.raw.outcome : undefined;
}

/** Reads the news that the client brings of what ran in the background: a subagent's report, or how a command ended. */
function fromNews({ event, data, at, id: entry }: EventContent & Entry, runs: ToolRuns): readonly Outcome[] {
  const { text } = data;
  if (event !== "notification" || typeof text !== "string") return [];
  const call = runs.find(tagged(text, "tool-use-id") ?? "");
  if (call === undefined) return [];
  const agent = fieldOf(call.input, "subagent_type");
  if (typeof agent === "string") return [{ agent, text: tagged(text, "result") ?? "", at, entry }];
  const command = readShellCall(call);
  const [, code] = /\(?exit code (\d{1,3})\)?$/.exec(tagged(text, "summary") ?? "") ?? [];
  if (command === undefined || code === undefined) return [];
  return [{ command, output: "", isOutputUnknown: true, exitCode: Number(code), at, entry }];
}

function tagged(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start < 0 || end < start ? undefined : text.slice(start + tag.length + 2, end);
}

/** Returns the ids of what hooks saw and a transcript has too. */
function foundIn(entries: readonly Entry[]): ReadonlySet<string> {
  const found = entries.map((entry) => observationIn(entry));
  return new Set(found.flatMap((id) => (id === undefined ? [] : [id])));
}

/** The calls by what hooks know them by. */
type SeenCalls = Map<string, ToolCallPart>;

function noteCalls({ parts }: Message, seen: SeenCalls): void {
  for (const part of parts) if (part.type === "tool-call") seen.set(endOfCall(part.call), part);
}

/** Reads what a hook saw and no transcript has, because the client was killed. */
function fromHook(entry: EventContent & Entry, seen: SeenCalls): readonly Outcome[] {
  const end = callEndOf(entry.id);
  if (end === undefined) return [];
  const { tool, input = {}, output, error } = entry.data;
  if (entry.event === "call-seen") seen.set(end, { type: "tool-call", call: end, name: String(tool), input });
  const call = entry.event === "result-seen" ? seen.get(end) : undefined;
  if (call === undefined) return [];
  const told: ToldOfShell = {
    ...{ output: error ?? output ?? {}, outcome: output, client: "claude-code" },
    failed: error !== undefined,
  };
  return toOutcome(call, told, entry);
}
