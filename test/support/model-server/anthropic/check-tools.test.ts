import { expect, it } from "vitest";
import { complaintOf, request, tool, user } from "./sample-requests.ts";

const whole = { ...request(user("a")), tools: [tool("a"), tool("b")] };
const offered = (schema: unknown) => ({ ...whole, tools: [{ name: "a", input_schema: schema }] });

it.each([
  { case: "that chooses one of them", sent: { ...whole, tool_choice: { type: "tool", name: "b" } } },
  {
    case: "that run at the API",
    sent: { ...whole, tools: [{ type: "web_search_20250305", name: "web_search" }] },
  },
])("the scripted model takes a request with tools $case", ({ sent }) => {
  expect(complaintOf(sent)).toBe("taken");
});

it.each([
  {
    case: "that is none",
    sent: { ...whole, tools: ["a"] },
    says: "tools.0: Input should be a valid dictionary or object to extract fields from",
  },
  { case: "without a schema", sent: offered(undefined), says: "tools.0.custom.input_schema: Field required" },
  {
    case: "with a schema that is none",
    sent: offered("object"),
    says: "tools.0.custom.input_schema: Input should be a valid dictionary",
  },
  {
    case: "with a schema of no type",
    sent: offered({}),
    says: "tools.0.custom.input_schema.type: Field required",
  },
  {
    case: "with a schema of another type",
    sent: offered({ type: "string" }),
    says: "tools.0.custom.input_schema.type: Input should be 'object'",
  },
  {
    case: "that is chosen but not offered",
    sent: { ...whole, tool_choice: { type: "tool", name: "c" } },
    says: "Tool 'c' not found in provided tools",
  },
  {
    case: "that is chosen where none is offered",
    sent: { ...request(user("a")), tool_choice: { type: "auto" } },
    says: "tool_choice: may only be specified while providing tools",
  },
  {
    case: "that is chosen as chat completions do",
    sent: { ...whole, tool_choice: { type: "function", function: { name: "a" } } },
    says: "tool_choice: Input tag 'function' found using 'type' does not match any of the expected tags: 'auto', 'any', 'none', 'tool'",
  },
  {
    case: "that has to be called after a thought",
    sent: { ...whole, tool_choice: { type: "any" }, thinking: { type: "adaptive" } },
    says: "Thinking may not be enabled when tool_choice forces tool use.",
  },
])("the scripted model refuses a request with a tool $case", ({ sent, says }) => {
  expect(complaintOf(sent)).toBe(says);
});
