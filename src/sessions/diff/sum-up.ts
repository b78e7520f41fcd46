import type { Usage } from "../entry.ts";
import { isMergedId } from "../merged-id.ts";
import type { CountedTool, MadeDecision, OwnPart, TouchedFile } from "../session-diff.ts";
import type { OwnItem } from "./own-items.ts";

/** A longer gap between two entries is a pause. */
const longestGapMs = 5 * 60_000;

/** Sums up what a side did. */
export function sumUp(items: readonly OwnItem[], decisions: readonly MadeDecision[]): OwnPart {
  const calls = items.flatMap((each) => each.calls);
  const roles = items.map(({ facts }) => facts.role);
  const times = items.map(({ item }) => item.at.getTime());
  const [first, last] = [smallest(times), largest(times)];
  const kinds = items.map(({ item }) => item.kind);
  return {
    entries: items.length,
    messages: {
      user: count(roles, "user"),
      assistant: count(roles, "assistant"),
      tool: count(roles, "tool"),
    },
    calls: calls.length,
    failedCalls: calls.filter(({ outcome }) => outcome === "failed").length,
    tools: countTools(calls),
    files: listFiles(items),
    commands: calls.flatMap(({ command, outcome }) => (command === undefined ? [] : [{ command, outcome }])),
    decisions: listDecisions(items, decisions),
    usage: addUsage(items),
    models: [...new Set(items.flatMap(({ facts }) => facts.model ?? []))],
    errors: items.filter(({ facts }) => facts.isError).length,
    summaries: count(kinds, "summary"),
    checkpoints: count(kinds, "checkpoint"),
    rounds: count(kinds, "round"),
    blockers: [...new Set(items.flatMap(({ facts }) => facts.blocker ?? []))],
    firstAt: first === undefined ? null : new Date(first),
    lastAt: last === undefined ? null : new Date(last),
    wallMs: (last ?? 0) - (first ?? 0),
    activeMs: countActive(times),
  };
}

function count<Value>(values: readonly Value[], wanted: Value): number {
  return values.filter((value) => value === wanted).length;
}

// Not by `Math.min` of all of them: a session may have more entries than a call takes arguments.
function smallest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>(
    (least, each) => (least === undefined || each < least ? each : least),
    undefined,
  );
}

function largest(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>(
    (most, each) => (most === undefined || each > most ? each : most),
    undefined,
  );
}

function countActive(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted.reduce((sum, at, index) => sum + Math.min(longestGapMs, at - (sorted[index - 1] ?? at)), 0);
}

function countTools(
  calls: readonly { readonly name: string; readonly outcome: string }[],
): readonly CountedTool[] {
  const tools = new Map<string, CountedTool>();
  for (const { name, outcome } of calls) {
    const before = tools.get(name) ?? { name, calls: 0, failed: 0 };
    const failed = before.failed + (outcome === "failed" ? 1 : 0);
    tools.set(name, { name, calls: before.calls + 1, failed });
  }
  return [...tools.values()].sort((one, other) => other.calls - one.calls);
}

/** Lists what was decided by tools, and then what is said to have been decided meanwhile. */
export function listDecisions(
  items: readonly OwnItem[],
  others: readonly MadeDecision[],
): readonly MadeDecision[] {
  const calls = items.flatMap((each) => each.calls);
  return [...calls.flatMap(({ decision }) => (decision === undefined ? [] : [decision])), ...others];
}

/** What failed, or was denied, changed nothing that could be relied on. */
export function listFiles(items: readonly OwnItem[]): readonly TouchedFile[] {
  const files = new Map<string, TouchedFile>();
  const calls = items.flatMap((each) => each.calls).filter(({ outcome }) => outcome !== "failed");
  for (const { path, use } of calls.flatMap((call) => call.files)) {
    const { read = false, written = false } = files.get(path) ?? {};
    files.set(path, { path, read: read || use === "read", written: written || use === "write" });
  }
  return [...files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}

function addUsage(items: readonly OwnItem[]): Required<Usage> {
  const sum = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const { item, facts } of items) {
    if (facts.usage === undefined || isMergedId(item.entry)) continue;
    for (const name of Object.keys(sum) as (keyof Usage)[]) sum[name] += facts.usage[name] ?? 0;
  }
  return sum;
}
