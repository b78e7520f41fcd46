import { expect, it } from "vitest";
import { empty, missing, other, type, unknown, value } from "./expected-complaints.ts";
import { assistant, call, calling, complaintOf, request, result, user } from "./sample-requests.ts";

const calls = (more: object) => request(user("a"), calling({ ...call("1"), ...more }), result("1"));
const named = (name: unknown) => calls({ function: { name, arguments: "{}" } });
const noString = (index: number) =>
  other("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`);
const name = "messages[1].tool_calls[0].function.name";

it.each([
  {
    case: "with a message that is none",
    sent: request(user("a"), "b"),
    says: type("messages[1]", "an object", "a string"),
  },
  {
    case: "with a message without a role",
    sent: request({ content: "a" }),
    says: missing("messages[0].role"),
  },
  {
    case: "with an unknown role",
    sent: request({ role: "human", content: "a" }),
    says: value("messages[0].role", "human", "'system', 'assistant', 'user', 'tool', and 'developer'"),
  },
  {
    case: "with a message that says more",
    sent: request({ ...user("a"), id: "1" }),
    says: unknown("messages[0].id"),
  },
  {
    case: "that gives a thought back",
    sent: request(user("a"), { ...assistant("b"), reasoning_content: "c" }, user("d")),
    says: unknown("messages[1].reasoning_content"),
  },
  {
    case: "with a prompt without content",
    sent: request({ role: "user" }),
    says: missing("messages[0].content"),
  },
  { case: "with a prompt of nothing", sent: request(user(null)), says: noString(0) },
  {
    case: "with an answer of nothing",
    sent: request(user("a"), assistant(null), user("b")),
    says: noString(1),
  },
  { case: "with content of no parts", sent: request(user([])), says: empty("messages[0].content") },
  {
    case: "with content that is an object",
    sent: request(user({})),
    says: type("messages[0].content", "one of a string or array of objects", "an object"),
  },
  {
    case: "with a part of another protocol",
    sent: request(user([{ type: "tool_result", tool_use_id: "1" }])),
    says: value(
      "messages[0].content[0].type",
      "tool_result",
      "'text', 'image_url', 'input_audio', and 'file'",
    ),
  },
  {
    case: "with a part that is none",
    sent: request(user(["a"])),
    says: type("messages[0].content[0]", "an object", "a string"),
  },
  {
    case: "with a part without a type",
    sent: request(user([{ text: "a" }])),
    says: missing("messages[0].content[0].type"),
  },
  {
    case: "with a part without text",
    sent: request(user([{ type: "text" }])),
    says: missing("messages[0].content[0].text"),
  },
  {
    case: "with a part whose text is none",
    sent: request(user([{ type: "text", text: true }])),
    says: type("messages[0].content[0].text", "a string", "a boolean"),
  },
  {
    case: "with an empty list of calls",
    sent: request(user("a"), { ...assistant("b"), tool_calls: [] }, user("c")),
    says: empty("messages[1].tool_calls"),
  },
  {
    case: "whose calls are no list",
    sent: request(user("a"), { ...assistant("b"), tool_calls: {} }, user("c")),
    says: type("messages[1].tool_calls", "an array of objects", "an object"),
  },
  {
    case: "with a call that is none",
    sent: request(user("a"), calling("b")),
    says: type("messages[1].tool_calls[0]", "an object", "a string"),
  },
  {
    case: "with a call without an id",
    sent: calls({ id: undefined }),
    says: missing("messages[1].tool_calls[0].id"),
  },
  {
    case: "with a call whose id is none",
    sent: calls({ id: null }),
    says: type("messages[1].tool_calls[0].id", "a string", "null"),
  },
  {
    case: "with a call as it is streamed",
    sent: calls({ index: 0 }),
    says: unknown("messages[1].tool_calls[0].index"),
  },
  {
    case: "with a call of another type",
    sent: calls({ type: "tool_use" }),
    says: value("messages[1].tool_calls[0].type", "tool_use", "'function' and 'custom'"),
  },
  {
    case: "with a call of no function",
    sent: calls({ function: "bash" }),
    says: type("messages[1].tool_calls[0].function", "an object", "a string"),
  },
  {
    case: "with arguments that are no text",
    sent: calls({ function: { name: "bash", arguments: { command: "ls" } } }),
    says: type("messages[1].tool_calls[0].function.arguments", "a string", "an object"),
  },
  {
    case: "with a call of a name that is none",
    sent: named(1.5),
    says: type(name, "a string", "a decimal number"),
  },
  {
    case: "with a call of an empty name",
    sent: named(""),
    says: other(
      `Invalid '${name}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
      name,
      "empty_string",
    ),
  },
  {
    case: "with a call of a long name",
    sent: named("a".repeat(65)),
    says: other(
      `Invalid '${name}': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.`,
      name,
      "string_above_max_length",
    ),
  },
  {
    case: "with a result whose call has no name",
    sent: request(user("a"), calling(call("1")), { ...result("1"), tool_call_id: 1 }),
    says: type("messages[2].tool_call_id", "a string", "an integer"),
  },
])("the scripted model refuses, of chat completions, a request $case", ({ sent, says }) => {
  expect(complaintOf(sent)).toEqual(says);
});
