import type { Conversation, Turn } from "../conversation.ts";
import { type ChatMessage, type ChatRequest, textOf } from "./wire.ts";

/** Reduces a request to what a scenario depends on: messages of one side that follow each other are one turn. */
export function toConversation({ model, messages }: ChatRequest): Conversation {
  const turns: Turn[] = [];
  for (const message of messages.filter((each) => !isSystem(each))) {
    const turn = toTurn(message);
    const last = turns.at(-1);
    if (last?.role === turn.role) turns.splice(-1, 1, join(last, turn));
    else turns.push(turn);
  }
  const system = messages.filter(isSystem).map(textOf).join("\n");
  return { model, system, turns };
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

function toTurn(message: ChatMessage): Turn {
  const answersCalls = message.role === "tool";
  return {
    role: message.role === "assistant" ? "assistant" : "user",
    texts: answersCalls ? [] : [textOf(message)],
    answersCalls,
  };
}

function join(before: Turn, after: Turn): Turn {
  const texts = [...before.texts, ...after.texts];
  return { ...before, texts, answersCalls: before.answersCalls || after.answersCalls };
}
