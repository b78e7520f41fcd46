import { describe, expect, it } from "vitest";
import { assistant, call, calling, complaintOf, request, result, user } from "./sample-requests.ts";

const system = { role: "system", content: "Be brief." };

describe("the scripted model takes, of chat completions,", () => {
  it.each([
    { case: "one prompt", messages: [user("hello")] },
    {
      case: "a system prompt of either role",
      messages: [system, { ...system, role: "developer" }, user("a")],
    },
    {
      case: "messages of one role in a row",
      messages: [user("a"), user("b"), assistant("c"), assistant("d")],
    },
    { case: "content in parts", messages: [user([{ type: "text", text: "a" }])] },
    { case: "a call and its result", messages: [user("a"), calling(call("1")), result("1"), user("b")] },
    {
      case: "text beside a call",
      messages: [user("a"), { ...calling(call("1")), content: "b" }, result("1")],
    },
    {
      case: "results in any order",
      messages: [user("a"), calling(call("1"), call("2")), result("2"), result("1")],
    },
    {
      case: "a result without output",
      messages: [user("a"), calling(call("1")), { ...result("1"), content: "" }],
    },
    { case: "what it said itself", messages: [user("a"), { ...assistant("b"), refusal: null }, user("c")] },
  ])("$case", ({ messages }) => {
    expect(complaintOf(request(...messages))).toBe("taken");
  });
});

const unanswered = (ids: string, param: string) => ({
  message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids}`,
  param,
  code: null,
});
const uncalled = (param: string) => ({
  message:
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  param,
  code: null,
});

describe("the scripted model refuses, of chat completions, a conversation", () => {
  it.each([
    {
      case: "with a call that nobody answers",
      messages: [user("a"), calling(call("1"), call("2")), result("1"), user("b")],
      says: unanswered("2", "messages.[3].role"),
    },
    {
      case: "that ends with a call",
      messages: [user("a"), calling(call("1"))],
      says: unanswered("1", "messages"),
    },
    {
      case: "with a call that is answered too late",
      messages: [user("a"), calling(call("1")), user("b"), result("1")],
      says: unanswered("1", "messages.[2].role"),
    },
    { case: "with a result at the beginning", messages: [result("1")], says: uncalled("messages.[0].role") },
    {
      case: "with a result of no call",
      messages: [user("a"), assistant("b"), result("1")],
      says: uncalled("messages.[2].role"),
    },
    {
      case: "with a result of another call",
      messages: [user("a"), calling(call("1")), result("1"), result("9")],
      says: {
        message: "Invalid parameter: 'tool_call_id' of '9' not found in 'tool_calls' of previous message.",
        param: "messages.[3].tool_call_id",
        code: null,
      },
    },
    {
      case: "with two results of one call",
      messages: [user("a"), calling(call("1")), result("1"), result("1")],
      says: {
        message:
          "Invalid parameter: Duplicate value for 'tool_call_id' of '1', in messages[2] and messages[3].",
        param: "messages.[3].tool_call_id",
        code: null,
      },
    },
    {
      case: "with two calls of one id",
      messages: [user("a"), calling(call("1")), result("1"), calling(call("1")), result("1")],
      says: {
        message: "Invalid parameter: Duplicate value for 'id' of '1', in messages[1] and messages[3].",
        param: "messages.[3].tool_calls.[0].id",
        code: null,
      },
    },
  ])("$case", ({ messages, says }) => {
    expect(complaintOf(request(...messages))).toEqual(says);
  });
});
