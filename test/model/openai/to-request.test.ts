import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../src/model/model.ts";
import { nothing, openaiTraits, toRequest } from "../../../src/model/openai/to-request.ts";

const usual = { stream: true, stream_options: { include_usage: true } };
const tool = { name: "read", description: "Reads.", input: { type: "object" } };
const wired = {
  type: "function",
  function: { name: "read", description: "Reads.", parameters: { type: "object" } },
};

const map = (request: ModelRequest, model = "qwen3", omissions = nothing) =>
  toRequest(request, model, openaiTraits(model), omissions);

const text = (words: string) => ({ type: "text" as const, text: words });
const user = (...words: string[]) => ({ role: "user" as const, parts: words.map(text) });

describe("a request to a server that speaks OpenAI's protocol", () => {
  it("holds the system prompt, the messages in order, each result as a message of its own, and no thought", () => {
    const call = (id: string) => ({
      type: "tool-call" as const,
      call: id,
      name: "read",
      input: { path: id },
    });
    const request: ModelRequest = {
      system: "Be brief.",
      messages: [
        user("a", "b"),
        {
          role: "assistant",
          parts: [{ type: "thinking", text: "Hm.", signature: "sig" }, text("c"), call("1"), call("2")],
        },
        {
          role: "tool",
          parts: [
            { type: "tool-result", call: "1", output: { size: 3 } },
            { type: "tool-result", call: "2", output: "no such file", failed: true },
          ],
        },
        { role: "assistant", parts: [{ type: "thinking", text: "Nothing but a thought." }] },
        user("d"),
      ],
      tools: [tool],
    };
    const called = (id: string) => ({
      id,
      type: "function",
      function: { name: "read", arguments: JSON.stringify({ path: id }) },
    });
    expect(map(request)).toEqual({
      ...usual,
      model: "qwen3",
      tools: [wired],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "a\n\nb" },
        { role: "assistant", content: "c", tool_calls: [called("1"), called("2")] },
        { role: "tool", tool_call_id: "1", content: '{"size":3}' },
        { role: "tool", tool_call_id: "2", content: "It failed: no such file" },
        { role: "user", content: "d" },
      ],
    });
  });

  it.each([
    { model: "qwen3", limit: { max_tokens: 9 } },
    { model: "gpt-4o", limit: { max_tokens: 9 } },
    { model: "o3-mini", limit: { max_completion_tokens: 9 } },
    { model: "gpt-6.1-terra", limit: { max_completion_tokens: 9 } },
  ])("limits the tokens of $model in the words that it knows", ({ model, limit }) => {
    expect(map({ messages: [user("a")], maxTokens: 9 }, model)).toEqual({
      ...usual,
      ...{ model, messages: [{ role: "user", content: "a" }] },
      ...limit,
    });
  });

  it("forces a tool, or asks for it where that was refused", () => {
    const request = { messages: [user("a")], tools: [tool], mustCall: "read" };
    const messages = [{ role: "user", content: "a" }];
    expect(map(request)).toEqual({
      ...usual,
      ...{ model: "qwen3", messages, tools: [wired] },
      tool_choice: { type: "function", function: { name: "read" } },
    });
    const asked = "Answer by calling the tool read once, and with nothing else.";
    expect(map(request, "qwen3", { ...nothing, force: true, usage: true })).toEqual({
      ...{ model: "qwen3", stream: true, tools: [wired] },
      messages: [...messages, { role: "user", content: asked }],
    });
  });
});

describe("how much a model is told to think", () => {
  const tools = [tool];
  it.each([
    { case: "nothing by itself", model: "qwen3", request: {}, effort: undefined },
    { case: "a little", model: "qwen3", request: { thinkingTokens: 2000 }, effort: "low" },
    { case: "more", model: "o3", request: { thinkingTokens: 8000, tools }, effort: "medium" },
    { case: "much", model: "gpt-6.1-terra", request: { thinkingTokens: 20_000 }, effort: "high" },
    {
      case: "not to, with tools",
      model: "gpt-6.1-terra",
      request: { thinkingTokens: 9000, tools },
      effort: "none",
    },
  ])("is $case: $model", ({ model, request, effort }) => {
    expect(map({ messages: [user("a")], ...request }, model).reasoning_effort).toBe(effort);
  });

  it("is what the server has not refused", () => {
    const request = { messages: [user("a")], thinkingTokens: 2000, tools };
    const efforts = ["low with tools", "unsaid with tools"] as const;
    const left = [0, 1, 2].map((count) => {
      const refused = { ...nothing, efforts: new Set(efforts.slice(0, count)) };
      return map(request, "qwen3", refused).reasoning_effort;
    });
    expect(left).toEqual(["low", undefined, "none"]);
    expect(
      map({ ...request, tools: [] }, "qwen3", { ...nothing, efforts: new Set(efforts) }).reasoning_effort,
    ).toBe("low");
  });
});

it.each([
  { model: "gpt-6.1-terra", contextTokens: 1_050_000 },
  { model: "gpt-5.5", contextTokens: 1_050_000 },
  { model: "gpt-5-mini", contextTokens: 400_000 },
  { model: "gpt-5.2-chat-latest", contextTokens: 128_000 },
  { model: "gpt-4.1", contextTokens: 1_047_576 },
  { model: "o3", contextTokens: 200_000 },
  { model: "gpt-4o", contextTokens: 128_000 },
  { model: "meta-llama/Llama-4", contextTokens: 128_000 },
])("knows that $model holds $contextTokens tokens", ({ model, contextTokens }) => {
  expect(openaiTraits(model).contextTokens).toBe(contextTokens);
});
