import type { Entry, Json, Message, ToolCallPart, ToolResultPart } from "./entry.ts";

/** A call of a tool and what came of it. */
export interface ToolRun {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
  /** The message that has the result. */
  readonly message: Message;
}

/** Finds the calls that results belong to, entry by entry. */
export class ToolRuns {
  readonly #calls = new Map<string, ToolCallPart>();

  /** Takes one more entry, and returns the runs that it ends. */
  follow(entry: Entry): readonly ToolRun[] {
    if (entry.kind !== "message") return [];
    const runs: ToolRun[] = [];
    for (const part of entry.parts) {
      if (part.type === "tool-call") this.#calls.set(part.call, part);
      const call = part.type === "tool-result" ? this.#calls.get(part.call) : undefined;
      if (part.type === "tool-result" && call !== undefined)
        runs.push({ call, result: part, message: entry });
    }
    return runs;
  }

  /** Returns a call by its id. */
  find(call: string): ToolCallPart | undefined {
    return this.#calls.get(call);
  }
}

/** Returns a field of what a tool was given or gave back; undefined where that has no fields. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as { readonly [key: string]: Json })[name]
    : undefined;
}

/** Returns the text that a tool gave back, without what is no text. */
export function outputText(output: Json): string {
  if (typeof output === "string") return output;
  const blocks = Array.isArray(output) ? output : [];
  return blocks
    .map((block) => fieldOf(block, "text"))
    .filter((text) => typeof text === "string")
    .join("\n");
}
