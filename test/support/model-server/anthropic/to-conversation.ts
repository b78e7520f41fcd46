import type { Conversation, Turn } from "../conversation.ts";
import { type BlockTurn, toTurns } from "./turns.ts";
import { blocksOf, type MessagesRequest } from "./wire.ts";

/** Reduces a request to what a scenario depends on. */
export function toConversation({ model, system, messages }: MessagesRequest): Conversation {
  return {
    model,
    system: blocksOf(system ?? "")
      .map(({ text }) => String(text))
      .join("\n"),
    turns: toTurns(messages).map(toTurn),
  };
}

function toTurn({ role, blocks }: BlockTurn): Turn {
  return {
    role: role === "assistant" ? "assistant" : "user",
    texts: blocks.flatMap(({ block }) => (block.type === "text" ? [String(block.text)] : [])),
    answersCalls: blocks.some(({ block }) => block.type === "tool_result"),
  };
}
