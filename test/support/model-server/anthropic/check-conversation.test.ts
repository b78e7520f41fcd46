import { describe, expect, it } from "vitest";
import { assistant, call, complaintOf, request, result, text, thinking, user } from "./sample-requests.ts";
import { signThinking } from "./signature.ts";

const system = (content: unknown) => ({ role: "system", content });

describe("the scripted model takes", () => {
  it.each([
    { case: "one prompt", messages: [user("hello")] },
    { case: "users and assistants in turn", messages: [user("a"), assistant("b"), user([text("c")])] },
    {
      case: "several messages of one role in a row",
      messages: [user("a"), user("b"), assistant("c"), assistant("d"), user("e")],
    },
    {
      case: "a tool call and its result",
      messages: [user("a"), assistant([text("b"), call("1")]), user([result("1")])],
    },
    {
      case: "results in several messages",
      messages: [user("a"), assistant([call("1"), call("2")]), user([result("2")]), user([result("1")])],
    },
    {
      case: "text after a result",
      messages: [user("a"), assistant([call("1")]), user([result("1"), text("b")])],
    },
    {
      case: "a result without content",
      messages: [user("a"), assistant([call("1")]), user([{ type: "tool_result", tool_use_id: "1" }])],
    },
    {
      case: "a system entry after a user",
      messages: [user("a"), system("b"), assistant("c"), user("d"), system([text("e")])],
    },
    {
      case: "a system entry that only sets the effort",
      messages: [user("a"), { ...system([]), output_config: { effort: "medium" } }],
    },
    { case: "a prefill", messages: [user("a"), assistant("b")] },
    { case: "an empty prefill", messages: [user("a"), assistant("")] },
    { case: "a thought of its own", messages: [user("a"), assistant([thinking("b"), text("c")]), user("d")] },
    {
      case: "a thought in a message of its own, before the rest of the answer",
      messages: [user("a"), assistant([thinking("b")]), assistant("c"), user("d")],
    },
    {
      case: "a thought whose text was left out",
      messages: [user("a"), assistant([thinking("", signThinking("b")), text("c")]), user("d")],
    },
    {
      case: "blocks of tools that run at the API",
      messages: [user("a"), assistant([{ type: "server_tool_use", any: 1 }]), user("b")],
    },
  ])("$case", ({ messages }) => {
    expect(complaintOf(request(...messages))).toBe("taken");
  });
});

const unanswered = (ids: string) =>
  `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
const unexpected = (place: string) =>
  `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: 9. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;

describe("the scripted model refuses a conversation", () => {
  it.each([
    { case: "without messages", messages: [], says: "messages: at least one message is required" },
    {
      case: "that the assistant begins",
      messages: [assistant("a")],
      says: 'messages: first message must use the "user" role',
    },
    {
      case: "with an unknown role",
      messages: [user("a"), { role: "tool", content: "b" }],
      says: 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"',
    },
    {
      case: "that a system entry begins",
      messages: [system("a"), user("b")],
      says: "messages.0: use the top-level 'system' parameter for the initial system prompt",
    },
    {
      case: "with a system entry after an assistant",
      messages: [user("a"), assistant("b"), system("c"), assistant("d")],
      says: "messages.2: role 'system' must follow a 'user' message",
    },
    {
      case: "with a system entry before a user",
      messages: [user("a"), system("b"), user("c")],
      says: "messages.1: role 'system' must precede an 'assistant' message or end the array",
    },
    {
      case: "with a call that nobody answers",
      messages: [user("a"), assistant([call("1"), call("2")]), user([result("1")])],
      says: unanswered("2"),
    },
    {
      case: "with a call that is answered too late",
      messages: [user("a"), assistant([call("1")]), user("b"), assistant("c"), user([result("1")])],
      says: unanswered("1"),
    },
    {
      case: "with a call that is answered after text",
      messages: [user("a"), assistant([call("1")]), user([text("b"), result("1")])],
      says: unanswered("1"),
    },
    { case: "that ends with a call", messages: [user("a"), assistant([call("1")])], says: unanswered("1") },
    {
      case: "with a result of no call",
      messages: [user("a"), assistant("b"), user([result("9")])],
      says: unexpected("messages.2.content.0"),
    },
    {
      case: "with a result of another call",
      messages: [user("a"), assistant([call("1")]), user([result("1"), result("9")])],
      says: unexpected("messages.2.content.1"),
    },
    {
      case: "with a result at the beginning",
      messages: [user([result("9")])],
      says: unexpected("messages.0.content.0"),
    },
    {
      case: "with two results of one call",
      messages: [user("a"), assistant([call("1")]), user([result("1"), result("1")])],
      says: "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: 1",
    },
    {
      case: "with two calls of one id",
      messages: [
        user("a"),
        assistant([call("1")]),
        user([result("1")]),
        assistant([call("1")]),
        user([result("1")]),
      ],
      says: "messages.3.content.0: `tool_use` ids must be unique",
    },
    {
      case: "with a call by the user",
      messages: [user([call("1")])],
      says: "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages",
    },
    {
      case: "with a result by the assistant",
      messages: [user("a"), assistant([result("1")]), user("b")],
      says: "messages.1.content.0: `tool_result` blocks can only be in `user` messages",
    },
    {
      case: "with an empty text",
      messages: [user([text("a"), text("")])],
      says: "messages: text content blocks must be non-empty",
    },
    {
      case: "with a blank text",
      messages: [user(" \n")],
      says: "messages: text content blocks must contain non-whitespace text",
    },
    {
      case: "with an empty message",
      messages: [user("a"), assistant([]), user("b")],
      says: "messages.1: all messages must have non-empty content except for the optional final assistant message",
    },
    {
      case: "with an empty prompt",
      messages: [user("")],
      says: "messages.0: all messages must have non-empty content except for the optional final assistant message",
    },
    {
      case: "with an empty system entry",
      messages: [user("a"), system([])],
      says: "messages.1: all messages must have non-empty content except for the optional final assistant message",
    },
    {
      case: "with a prefill that ends in a blank",
      messages: [user("a"), assistant("b ")],
      says: "messages: final assistant content cannot end with trailing whitespace",
    },
    {
      case: "with an empty text in a result",
      messages: [user("a"), assistant([call("1")]), user([{ ...result("1"), content: [text("")] }])],
      says: "messages: text content blocks must be non-empty",
    },
    {
      case: "with an answer that ends with a thought",
      messages: [user("a"), assistant([thinking("b")]), user("c")],
      says: "messages.1: The final block in an assistant message cannot be `thinking`.",
    },
    {
      case: "with a thought that was changed",
      messages: [user("a"), assistant([thinking("b", signThinking("c")), text("d")]), user("e")],
      says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    },
    {
      case: "with a thought of another model",
      messages: [user("a"), assistant([thinking("b", "EqQB"), text("c")]), user("d")],
      says: "messages.1.content.0: Invalid `signature` in `thinking` block",
    },
  ])("$case", ({ messages, says }) => {
    expect(complaintOf(request(...messages))).toBe(says);
  });
});
