import { describe, expect, it } from "vitest";
import { claudeTraits, nothing, toRequest } from "../../../src/model/anthropic/to-request.ts";
import type { ModelMessage, ModelRequest } from "../../../src/model/model.ts";

const cached = { type: "ephemeral" };
const old = "claude-haiku-4-5";

const map = (request: ModelRequest, model = old, omissions = nothing) =>
  toRequest(request, model, claudeTraits(model), omissions);
const text = (words: string) => ({ type: "text" as const, text: words });
const user = (...words: string[]): ModelMessage => ({ role: "user", parts: words.map(text) });
const assistant = (...parts: Extract<ModelMessage, { role: "assistant" }>["parts"]): ModelMessage => ({
  role: "assistant",
  parts,
});
const call = (id: string) => ({ type: "tool-call" as const, call: id, name: "read", input: { path: id } });
const results = (...ids: string[]): ModelMessage => ({
  role: "tool",
  parts: ids.map((id) => ({ type: "tool-result", call: id, output: `text of ${id}` })),
});

describe("a request to Anthropic", () => {
  it("holds what was said and done, with marks after the system prompt and the last two messages of the user", () => {
    const request: ModelRequest = {
      system: "Be brief.",
      messages: [
        user("a"),
        assistant(text("b"), call("1"), call("2")),
        {
          role: "tool",
          parts: [
            { type: "tool-result", call: "1", output: { size: 3 } },
            { type: "tool-result", call: "2", output: "", failed: true },
          ],
        },
        assistant(text("c")),
        user("d", "e"),
      ],
      tools: [{ name: "read", description: "Reads.", input: { type: "object" } }],
    };
    expect(map(request)).toEqual({
      ...{ model: old, max_tokens: 64_000, stream: true },
      system: [{ type: "text", text: "Be brief.", cache_control: cached }],
      tools: [{ name: "read", description: "Reads.", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: [text("a")] },
        {
          role: "assistant",
          content: [
            text("b"),
            { type: "tool_use", id: "1", name: "read", input: { path: "1" } },
            { type: "tool_use", id: "2", name: "read", input: { path: "2" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "1", content: '{"size":3}' },
            {
              ...{ type: "tool_result", tool_use_id: "2", content: "It failed.", is_error: true },
              cache_control: cached,
            },
          ],
        },
        { role: "assistant", content: [text("c")] },
        { role: "user", content: [text("d"), { ...text("e"), cache_control: cached }] },
      ],
    });
  });

  it("gives back the thoughts that have a signature, as they came, and no others", () => {
    const messages = [
      user("a"),
      assistant(
        { type: "thinking", text: "Hm.\ud800", signature: "sig" },
        { type: "thinking", text: "", signature: "redacted_thinking:data" },
        { type: "thinking", text: "of another provider" },
        { type: "thinking", text: "refused", signature: "old" },
        text("b"),
      ),
      assistant({ type: "thinking", text: "nothing else" }),
      user("c"),
    ];
    const omissions = { ...nothing, thoughts: new Set(["old"]) };
    expect(map({ messages }, old, omissions).messages).toMatchObject([
      {},
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.\ud800", signature: "sig" },
          { type: "redacted_thinking", data: "data" },
          text("b"),
        ],
      },
      { role: "user" },
    ]);
  });

  it("leaves out what is blank, and mends characters that were cut in two", () => {
    const request = { system: " ", messages: [user(" \n", "a\ud83d", ""), assistant(text(" "))] };
    expect(map(request)).toEqual({
      ...{ model: old, max_tokens: 64_000, stream: true },
      messages: [{ role: "user", content: [{ ...text("a\ufffd"), cache_control: cached }] }],
    });
  });
});

describe("thinking is asked for", () => {
  const thought = { type: "thinking" as const, text: "Hm.", signature: "sig" };
  const adaptive = { type: "adaptive", display: "summarized" };
  it.each([
    { case: "not by itself", model: old, request: {}, thinking: undefined },
    { case: "with a budget", model: old, request: { thinkingTokens: 5000 }, thinking: budget(5000) },
    { case: "with the least budget", model: old, request: { thinkingTokens: 1 }, thinking: budget(1024) },
    {
      case: "with room for the reply",
      model: old,
      request: { thinkingTokens: 5000, maxTokens: 4000 },
      thinking: budget(2976),
    },
    {
      case: "not without room",
      model: old,
      request: { thinkingTokens: 5000, maxTokens: 2000 },
      thinking: undefined,
    },
    {
      case: "not where a tool is forced",
      model: old,
      request: { thinkingTokens: 5000, mustCall: "read" },
      thinking: undefined,
    },
    {
      case: "among calls that began with a thought",
      model: old,
      request: { thinkingTokens: 5000, messages: [user("a"), assistant(thought, call("1")), results("1")] },
      thinking: budget(5000),
    },
    {
      case: "not among calls that began without one",
      model: old,
      request: { thinkingTokens: 5000, messages: [user("a"), assistant(call("1")), results("1")] },
      thinking: undefined,
    },
    {
      case: "as it sees fit",
      model: "claude-sonnet-5-5",
      request: { thinkingTokens: 5000 },
      thinking: adaptive,
    },
    {
      case: "between tools only",
      model: "claude-sonnet-5-5",
      request: {},
      thinking: { type: "between_tools" },
    },
    { case: "explicitly not", model: "claude-haiku-5-5", request: {}, thinking: { type: "disabled" } },
    { case: "visibly, where it always does", model: "claude-opus-5-5", request: {}, thinking: adaptive },
  ])("$case: $model", ({ model, request, thinking }) => {
    expect(map({ messages: [user("a")], ...request }, model).thinking).toEqual(thinking);
  });
});

function budget(budget_tokens: number) {
  return { type: "enabled", budget_tokens };
}

describe("a tool that must be called", () => {
  const request: ModelRequest = {
    messages: [user("a")],
    tools: [{ name: "read", description: "Reads.", input: { type: "object" } }],
    mustCall: "read",
  };
  const asked = "Answer by calling the tool read once, and with nothing else.";
  const ofUser = { role: "user", content: [{ ...text("a"), cache_control: cached }] };
  it("is forced", () => {
    expect(map(request)).toMatchObject({
      tool_choice: { type: "tool", name: "read", disable_parallel_tool_use: true },
      messages: [ofUser],
    });
  });
  it.each([
    { case: "of a model that cannot be forced", model: "claude-sonnet-5-5", omissions: nothing },
    { case: "where the server has refused to", model: old, omissions: { ...nothing, force: true } },
  ])("is asked for at the end $case", ({ model, omissions }) => {
    const mapped = map(request, model, omissions);
    expect(mapped.messages).toEqual([ofUser, { role: "user", content: [text(asked)] }]);
    expect(mapped).not.toHaveProperty("tool_choice");
  });
});

const past = { contextTokens: 200_000, thinks: "by-budget", unasked: "nothing", canBeForced: true };
const present = { contextTokens: 1_000_000, outputTokens: 128_000, thinks: "as-it-sees-fit" };

it.each([
  { model: "claude-3-7-sonnet-20250219", traits: { ...past, outputTokens: 32_000 } },
  { model: "claude-sonnet-4-20250514", traits: { ...past, outputTokens: 32_000 } },
  { model: "claude-sonnet-4-5-20250929", traits: { ...past, outputTokens: 64_000 } },
  { model: "anthropic.claude-haiku-4-5-v1:0", traits: { ...past, outputTokens: 64_000 } },
  { model: "glm-5", traits: { ...past, outputTokens: 32_000 } },
  {
    model: "claude-opus-4-6",
    traits: { ...present, contextTokens: 200_000, unasked: "nothing", canBeForced: true },
  },
  { model: "claude-opus-4-8", traits: { ...present, unasked: "nothing", canBeForced: true } },
  { model: "claude-sonnet-5", traits: { ...present, unasked: "disabled", canBeForced: true } },
  { model: "claude-opus-5", traits: { ...present, unasked: "disabled", canBeForced: true } },
  { model: "claude-fable-5", traits: { ...present, unasked: "as-it-sees-fit", canBeForced: true } },
  { model: "claude-sonnet-5-5", traits: { ...present, unasked: "between-tools", canBeForced: false } },
  { model: "claude-haiku-5-5", traits: { ...present, unasked: "disabled", canBeForced: true } },
  { model: "claude-opus-5-5", traits: { ...present, unasked: "as-it-sees-fit", canBeForced: false } },
  { model: "claude-mythos-5-2", traits: { ...present, unasked: "as-it-sees-fit", canBeForced: false } },
])("knows what $model takes", ({ model, traits }) => {
  expect(claudeTraits(model)).toEqual(traits);
});
