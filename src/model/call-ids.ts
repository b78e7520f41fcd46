import type { ModelMessage } from "./model.ts";

/** What a provider takes for the id of a call: letters, digits, `_` and `-`, and so many of them. */
const longestId = 40;

/**
 * Returns the messages with ids of calls that every provider takes, each used once.
 *
 * A conversation may have begun with another provider: some of them count `call_0`, `call_1` anew in each reply, or put
 * the name of the function into the id. The same messages get the same ids, so that what a provider has cached still fits.
 */
export function withPlainCallIds(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const used = new Set<string>();
  let current = new Map<string, string>();
  const choose = (id: string): string => {
    const plain = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longestId) || "call";
    let chosen = plain;
    for (let count = 2; used.has(chosen); count += 1) {
      const suffix = `_${count}`;
      chosen = `${plain.slice(0, longestId - suffix.length)}${suffix}`;
    }
    used.add(chosen);
    return chosen;
  };
  return messages.map((message) => {
    if (message.role === "assistant") {
      current = new Map();
      const parts = message.parts.map((part) => {
        if (part.type !== "tool-call") return part;
        const call = choose(part.call);
        current.set(part.call, call);
        return { ...part, call };
      });
      return { ...message, parts };
    }
    if (message.role === "user") return message;
    return {
      ...message,
      parts: message.parts.map((part) => ({ ...part, call: current.get(part.call) ?? part.call })),
    };
  });
}

/** Returns the name of a tool as every provider takes it: a model may have called one that there is not. */
export function toPlainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "unknown";
}
