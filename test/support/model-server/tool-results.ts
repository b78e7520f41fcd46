import { blocksOf, type MessagesRequest } from "./anthropic/wire.ts";
import type { ChatRequest } from "./openai/wire.ts";

/** Returns what the tools answered in a conversation, in order, each as the client sent it. */
export function toolResultsOf(body: MessagesRequest | ChatRequest | undefined): readonly unknown[] {
  return (body?.messages ?? []).flatMap(({ role, content }) => {
    if (role === "tool") return [content];
    const blocks = blocksOf(content ?? []).filter(({ type }) => type === "tool_result");
    return blocks.map((block) => block.content);
  });
}
