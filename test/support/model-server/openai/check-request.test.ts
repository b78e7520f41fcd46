import { describe, expect, it } from "vitest";
import { checkRequest } from "./check-request.ts";
import { empty, missing, other, type, unknown, value } from "./expected-complaints.ts";
import { complaintOf, headers, request, tool, user } from "./sample-requests.ts";

const whole = request(user("a"));

describe("the scripted model refuses, of chat completions, a request", () => {
  it.each([
    {
      case: "without a model",
      sent: { messages: [user("a")] },
      says: other("you must provide a model parameter", null),
    },
    {
      case: "whose model is no name",
      sent: { ...whole, model: 1 },
      says: type("model", "a string", "an integer"),
    },
    { case: "with a field that there is not", sent: { ...whole, system: "a" }, says: unknown("system") },
    { case: "without messages", sent: { model: "m" }, says: missing("messages") },
    {
      case: "whose messages are no list",
      sent: { model: "m", messages: "a" },
      says: type("messages", "an array of objects", "a string"),
    },
    { case: "with no message", sent: request(), says: empty("messages") },
    {
      case: "with a tool of two names",
      sent: { ...whole, tools: [tool("a"), tool("b c")] },
      says: other(
        "Invalid 'tools[1].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        "tools[1].function.name",
        "invalid_value",
      ),
    },
    { case: "with no tools in a list", sent: { ...whole, tools: [] }, says: empty("tools") },
    {
      case: "whose tools are no list",
      sent: { ...whole, tools: {} },
      says: type("tools", "an array of objects", "an object"),
    },
    {
      case: "with a tool that is none",
      sent: { ...whole, tools: ["bash"] },
      says: type("tools[0]", "an object", "a string"),
    },
    {
      case: "with a tool of another protocol",
      sent: { ...whole, tools: [{ name: "bash", input_schema: {} }] },
      says: missing("tools[0].type"),
    },
    {
      case: "with a tool of another type",
      sent: { ...whole, tools: [{ ...tool("a"), type: "tool" }] },
      says: value("tools[0].type", "tool", "'function' and 'custom'"),
    },
    {
      case: "with a tool of no function",
      sent: { ...whole, tools: [{ type: "function", function: "bash" }] },
      says: type("tools[0].function", "an object", "a string"),
    },
    {
      case: "with a tool that takes no object",
      sent: {
        ...whole,
        tools: [{ type: "function", function: { name: "a", parameters: { type: "string" } } }],
      },
      says: other(
        `Invalid schema for function 'a': schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
        "tools[0].function.parameters",
        "invalid_function_parameters",
      ),
    },
    {
      case: "with two tools of one name",
      sent: { ...whole, tools: [tool("a"), tool("a")] },
      says: other("Invalid 'tools': function names must be unique.", "tools"),
    },
    {
      case: "that chooses among no tools",
      sent: { ...whole, tool_choice: "auto" },
      says: other(
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
        "tool_choice",
      ),
    },
    {
      case: "that chooses in another way",
      sent: { ...whole, tools: [tool("a")], tool_choice: "any" },
      says: value("tool_choice", "any", "'none', 'auto', and 'required'"),
    },
    {
      case: "that chooses no function",
      sent: { ...whole, tools: [tool("a")], tool_choice: { type: "tool", name: "a" } },
      says: missing("tool_choice.function"),
    },
    {
      case: "that chooses a tool which is not offered",
      sent: { ...whole, tools: [tool("a")], tool_choice: { type: "function", function: { name: "b" } } },
      says: other("Tool choice 'b' not found in 'tools' parameter.", "tool_choice"),
    },
    {
      case: "with a limit of 0",
      sent: { ...whole, max_completion_tokens: 0 },
      says: other(
        "Invalid 'max_completion_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
        "max_completion_tokens",
        "integer_below_min_value",
      ),
    },
    {
      case: "with a limit that is no number",
      sent: { ...whole, max_tokens: "many" },
      says: type("max_tokens", "an integer", "a string"),
    },
    {
      case: "with two limits",
      sent: { ...whole, max_tokens: 1, max_completion_tokens: 1 },
      says: other(
        "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        "max_tokens",
        "invalid_parameter_combination",
      ),
    },
    {
      case: "that neither streams nor does not",
      sent: { ...whole, stream: "yes" },
      says: type("stream", "a boolean", "a string"),
    },
    {
      case: "with options of a stream that is none",
      sent: { ...whole, stream_options: { include_usage: true } },
      says: other(
        "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        "stream_options",
      ),
    },
    {
      case: "with an option of a stream that there is not",
      sent: { ...whole, stream: true, stream_options: { usage: true } },
      says: unknown("stream_options.usage"),
    },
    {
      case: "whose options of a stream are none",
      sent: { ...whole, stream: true, stream_options: true },
      says: type("stream_options", "an object", "a boolean"),
    },
  ])("$case", ({ sent, says }) => {
    expect(complaintOf(sent)).toEqual(says);
  });

  it.each([
    { case: "without a key", headers: {} },
    { case: "with an empty key", headers: { authorization: "Bearer " } },
    { case: "with the key of another protocol", headers: { "x-api-key": "sk-test" } },
  ])("$case", ({ headers: sent }) => {
    expect(checkRequest(sent, JSON.stringify(whole))).toEqual({
      refusal: {
        status: 401,
        message: expect.stringMatching(/^You didn't provide an API key\. /),
        param: null,
        code: null,
      },
    });
  });

  it.each(["{", "[]"])("that is no object: %s", (source) => {
    expect(checkRequest(headers, source)).toEqual({
      refusal: {
        status: 400,
        message: expect.stringMatching(/^We could not parse the JSON body of your request\. /),
        param: null,
        code: null,
      },
    });
  });
});
