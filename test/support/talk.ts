import type { Json, MessageContent, NewEntry, Part } from "../../src/sessions/entry.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { later } from "./entries.ts";

type More = Partial<Pick<NewEntry, "at" | "strand" | "parent">> &
  Partial<Pick<MessageContent, "model" | "usage">>;

/** An answer of a model, with the tool calls that it makes. */
export function answered(id: string, text: string, calls: readonly Part[] = [], more: More = {}): NewEntry {
  const parts: readonly Part[] = [{ type: "text", text }, ...calls];
  return { id: parseEntryId(id), at: later(1), kind: "message", role: "assistant", parts, ...more };
}

/** A call of a tool; its id is its place among the calls of a test. */
export function calling(call: string, name: string, input: Json): Part {
  return { type: "tool-call", call, name, input };
}

/** What tools answered. */
export function resulted(id: string, results: Readonly<Record<string, Json>>, failed = false): NewEntry {
  const parts = Object.entries(results).map(([call, output]): Part => {
    const result = { type: "tool-result", call, output } as const;
    return failed ? { ...result, failed } : result;
  });
  return { id: parseEntryId(id), at: later(2), kind: "message", role: "tool", parts };
}

/** An event of a session. */
export function happened(
  id: string,
  event: string,
  data: { readonly [key: string]: Json } = {},
  more: More = {},
): NewEntry {
  return { id: parseEntryId(id), at: later(3), kind: "event", event, data, ...more };
}
