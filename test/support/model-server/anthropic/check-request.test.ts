import { describe, expect, it } from "vitest";
import { checkRequest } from "./check-request.ts";
import {
  assistant,
  call,
  complaintOf,
  headers,
  request,
  result,
  text,
  tool,
  user,
} from "./sample-requests.ts";

describe("the scripted model refuses a request", () => {
  const whole = request(user("a"));
  const block = (fields: object) => request(user("a"), assistant([fields]), user("b"));
  it.each([
    { case: "without a model", sent: { ...whole, model: undefined }, says: "model: Field required" },
    {
      case: "without a limit",
      sent: { ...whole, max_tokens: undefined },
      says: "max_tokens: Field required",
    },
    {
      case: "with a limit of 0",
      sent: { ...whole, max_tokens: 0 },
      says: "max_tokens: Input should be greater than or equal to 1",
    },
    {
      case: "with a limit that is no number",
      sent: { ...whole, max_tokens: "many" },
      says: "max_tokens: Input should be a valid integer",
    },
    { case: "without messages", sent: { ...whole, messages: undefined }, says: "messages: Field required" },
    {
      case: "whose messages are no list",
      sent: { ...whole, messages: "a" },
      says: "messages: Input should be a valid list",
    },
    {
      case: "with a message that is none",
      sent: request(user("a"), ["b"]),
      says: "messages.1: Input should be a valid dictionary or object to extract fields from",
    },
    {
      case: "with a message without a role",
      sent: request({ content: "a" }),
      says: "messages.0.role: Field required",
    },
    {
      case: "with a message without content",
      sent: request({ role: "user" }),
      says: "messages.0.content: Field required",
    },
    {
      case: "with content that is a number",
      sent: request(user(1)),
      says: "messages.0.content: Input should be a valid list",
    },
    {
      case: "with a message that says more",
      sent: request({ ...user("a"), uuid: "1" }),
      says: "messages.0.uuid: Extra inputs are not permitted",
    },
    {
      case: "with a block that says more",
      sent: request(user([{ ...text("a"), at: 1 }])),
      says: "messages.0.content.0.text.at: Extra inputs are not permitted",
    },
    {
      case: "with a block that says less",
      sent: block({ type: "thinking", thinking: "a" }),
      says: "messages.1.content.0.thinking.signature: Field required",
    },
    {
      case: "with a block that is none",
      sent: request(user([text("a"), "b"])),
      says: "messages.0.content.1: Input should be a valid dictionary or object to extract fields from",
    },
    {
      case: "with an unknown block",
      sent: request(user([{ type: "toolCall" }])),
      says: "messages.0.content.0: Input tag 'toolCall' found using 'type' does not match any of the expected tags: 'text', 'image', 'document', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result'",
    },
    {
      case: "with text that is none",
      sent: request(user([{ type: "text", text: 1 }])),
      says: "messages.0.content.0.text.text: Input should be a valid string",
    },
    {
      case: "with an input that is text",
      sent: block({ ...call("1"), input: "{}" }),
      says: "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
    },
    {
      case: "with an id of other characters",
      sent: block(call("a:1")),
      says: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    },
    {
      case: "with an error that says nothing",
      sent: request(
        user("a"),
        assistant([call("1")]),
        user([{ ...result("1"), content: "", is_error: true }]),
      ),
      says: "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    },
    {
      case: "with a tool of two names",
      sent: { ...whole, tools: [tool("a b")] },
      says: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    },
    {
      case: "with two tools of one name",
      sent: { ...whole, tools: [tool("a"), tool("a")] },
      says: "tools: Tool names must be unique.",
    },
    {
      case: "with tools that are no list",
      sent: { ...whole, tools: {} },
      says: "tools: Input should be a valid list",
    },
    {
      case: "that thinks more than it may say",
      sent: { ...whole, thinking: { type: "enabled", budget_tokens: 1024 } },
      says: "`max_tokens` must be greater than `thinking.budget_tokens`.",
    },
    {
      case: "that thinks too little",
      sent: { ...whole, thinking: { type: "enabled", budget_tokens: 1023 } },
      says: "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    },
    {
      case: "that thinks without a limit",
      sent: { ...whole, thinking: { type: "enabled" } },
      says: "thinking.enabled.budget_tokens: Field required",
    },
    {
      case: "that thinks at another temperature",
      sent: { ...whole, thinking: { type: "adaptive" }, temperature: 0.5 },
      says: "`temperature` may only be set to 1 when thinking is enabled.",
    },
    {
      case: "whose model is no name",
      sent: { ...whole, model: 1 },
      says: "model: Input should be a valid string",
    },
    {
      case: "that neither streams nor does not",
      sent: { ...whole, stream: "yes" },
      says: "stream: Input should be a valid boolean",
    },
    {
      case: "whose system prompt is a number",
      sent: { ...whole, system: 1 },
      says: "system: Input should be a valid list",
    },
    {
      case: "whose system prompt is an empty block",
      sent: { ...whole, system: [text("a"), text("")] },
      says: "system: text content blocks must be non-empty",
    },
    {
      case: "whose system prompt is no text",
      sent: { ...whole, system: [call("1")] },
      says: "system.0.type: Input should be 'text'",
    },
    {
      case: "with a call of two names",
      sent: block({ ...call("1"), name: "a b" }),
      says: "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    },
    {
      case: "with a result that holds something else",
      sent: request(
        user("a"),
        assistant([call("1")]),
        user([{ ...result("1"), content: [{ type: "text" }] }]),
      ),
      says: "messages.2.content.0.tool_result.content.0.text.text: Field required",
    },
    {
      case: "with five marks for the cache",
      sent: {
        ...request(
          user([1, 2, 3].map((each) => ({ ...text(`${each}`), cache_control: { type: "ephemeral" } }))),
        ),
        system: [1, 2].map((each) => ({ ...text(`${each}`), cache_control: { type: "ephemeral" } })),
      },
      says: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    },
    {
      case: "that is a list",
      sent: [],
      says: "Input should be a valid dictionary or object to extract fields from",
    },
  ])("$case", ({ sent, says }) => {
    expect(complaintOf(sent)).toBe(says);
  });

  it("without a key", () => {
    expect(checkRequest({ "anthropic-version": "2023-06-01" }, JSON.stringify(whole))).toEqual({
      refusal: { status: 401, type: "authentication_error", message: "x-api-key header is required" },
    });
  });

  it("without a version", () => {
    expect(checkRequest({ authorization: "Bearer sk-test" }, JSON.stringify(whole))).toEqual({
      refusal: {
        status: 400,
        type: "invalid_request_error",
        message: "anthropic-version: header is required",
      },
    });
  });

  it("that is no JSON", () => {
    expect(checkRequest(headers, "{")).toEqual({
      refusal: {
        status: 400,
        type: "invalid_request_error",
        message: expect.stringMatching(/^The request body is not valid JSON: /),
      },
    });
  });
});

it("takes a request to count tokens without a limit", () => {
  const sent = { model: "m", messages: [user("a")] };
  expect(checkRequest(headers, JSON.stringify(sent), { counting: true })).toEqual({ request: sent });
});
