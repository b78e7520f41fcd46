import type { Message, ToolCallPart, ToolResultPart } from "../sessions/entry.ts";

/** A call of a tool, and its result where there is one. */
export interface PairedCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
}

/**
 * Finds the result of each call: the first one after it that names it, and that no earlier call of that id has taken.
 *
 * Some providers give the same id again and again. A result may come late, as one does that says what a crash has cut off.
 */
export function pairCalls(messages: readonly Message[]): ReadonlyMap<ToolCallPart, PairedCall> {
  const open = new Map<string, ToolCallPart[]>();
  const pairs = new Map<ToolCallPart, PairedCall>();
  const begin = (call: ToolCallPart) => {
    pairs.set(call, { call, result: undefined });
    open.set(call.call, [...(open.get(call.call) ?? []), call]);
  };
  const end = (result: ToolResultPart) => {
    const call = open.get(result.call)?.shift();
    if (call !== undefined) pairs.set(call, { call, result });
  };
  for (const { role, parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool-call" && role === "assistant") begin(part);
      if (part.type === "tool-result") end(part);
    }
  }
  return pairs;
}

/** Returns the calls that have no result, in order. */
export function findOpenCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  return [...pairCalls(messages).values()].flatMap(({ call, result }) =>
    result === undefined ? [call] : [],
  );
}
