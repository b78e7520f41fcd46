import { expect, it } from "vitest";
import * as anthropic from "./anthropic/to-conversation.ts";
import type { Conversation } from "./conversation.ts";
import * as openai from "./openai/to-conversation.ts";

const conversation: Conversation = {
  model: "m",
  system: "Be brief.\nBe kind.",
  turns: [
    { role: "user", texts: ["Look.", "Now."], answersCalls: false },
    { role: "assistant", texts: ["I look."], answersCalls: false },
    { role: "user", texts: ["And?"], answersCalls: true },
    { role: "assistant", texts: ["Done."], answersCalls: false },
    { role: "user", texts: ["Thanks."], answersCalls: false },
  ],
};

it("sees a conversation of the Messages API as it is", () => {
  const text = (said: string) => ({ type: "text", text: said });
  const request = {
    model: "m",
    max_tokens: 1,
    system: [text("Be brief."), text("Be kind.")],
    messages: [
      { role: "user", content: "Look." },
      { role: "user", content: [text("Now.")] },
      {
        role: "assistant",
        content: [text("I look."), { type: "tool_use", id: "1", name: "list", input: {} }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "a" }, text("And?")] },
      { role: "assistant", content: "Done." },
      { role: "user", content: "Thanks." },
    ],
  };
  expect(anthropic.toConversation(request)).toEqual(conversation);
  expect(anthropic.toConversation({ ...request, system: "Be brief.\nBe kind." })).toEqual(conversation);
  expect(anthropic.toConversation({ model: "m", max_tokens: 1, messages: [] })).toEqual({
    model: "m",
    system: "",
    turns: [],
  });
});

it("sees the same conversation of chat completions alike", () => {
  const call = { id: "1", type: "function", function: { name: "list", arguments: "{}" } } as const;
  const request = {
    model: "m",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "developer", content: [{ type: "text", text: "Be kind." }] },
      { role: "user", content: "Look." },
      { role: "user", content: [{ type: "text", text: "Now." }] },
      { role: "assistant", content: "I look.", tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content: "a" },
      { role: "user", content: "And?" },
      { role: "assistant", content: "Done." },
      { role: "user", content: "Thanks." },
    ],
  };
  expect(openai.toConversation(request)).toEqual(conversation);
});
