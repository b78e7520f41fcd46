import { blocksOf, type MessagesRequest } from "./wire.ts";

/** Returns what the tools answered in a conversation, in order, each as the client sent it. */
export function toolResultsOf(body: MessagesRequest | undefined): readonly unknown[] {
  return (body?.messages ?? [])
    .flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => content);
}
