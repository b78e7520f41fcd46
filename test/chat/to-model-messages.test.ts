import { describe, expect, it } from "vitest";
import { toModelMessages } from "../../src/chat/to-model-messages.ts";
import type { ModelMessage } from "../../src/model/model.ts";
import type { EntryContent, Part } from "../../src/sessions/entry.ts";
import type { EntryId } from "../../src/sessions/ids.ts";
import { assistant, call, pathOf, result, text, tool, user } from "../support/chat-entries.ts";

const model = "anthropic/model-x";

const noResult = "No result was recorded for this call. It may or may not have taken effect.";

describe("what a model is sent", () => {
  it.each<{ case: string; entries: readonly EntryContent[]; sent: readonly ModelMessage[] }>([
    {
      case: "prompts and replies in turn",
      entries: [user(text("a")), assistant(text("b")), user(text("c"))],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "assistant", parts: [{ type: "text", text: "b" }] },
        { role: "user", parts: [{ type: "text", text: "c" }] },
      ],
    },
    {
      case: "prompts in a row as one, as after an error before the reply",
      entries: [user(text("a")), user(text("b"))],
      sent: [
        {
          role: "user",
          parts: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    },
    {
      case: "the results of one reply in one message, however they were recorded",
      entries: [user(text("a")), assistant(call("1"), call("2")), tool(result("1")), tool(result("2"))],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        {
          role: "assistant",
          parts: [
            { type: "tool-call", call: "1", name: "read", input: {} },
            { type: "tool-call", call: "2", name: "read", input: {} },
          ],
        },
        {
          role: "tool",
          parts: [
            { type: "tool-result", call: "1", output: "done" },
            { type: "tool-result", call: "2", output: "done" },
          ],
        },
      ],
    },
    {
      case: "an answer to a call that nobody has answered, and none to a call that is not there",
      entries: [user(text("a")), assistant(call("1")), user(text("b")), tool(result("9"))],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "assistant", parts: [{ type: "tool-call", call: "1", name: "read", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", call: "1", output: noResult, failed: true }] },
        { role: "user", parts: [{ type: "text", text: "b" }] },
      ],
    },
    {
      case: "a result that was recorded late directly after its call",
      entries: [user(text("a")), assistant(call("1")), user(text("b")), tool(result("1", "late"))],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "assistant", parts: [{ type: "tool-call", call: "1", name: "read", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", call: "1", output: "late" }] },
        { role: "user", parts: [{ type: "text", text: "b" }] },
      ],
    },
    {
      case: "an id of its own for each call, with an object as its input",
      entries: [
        user(text("a")),
        assistant(call("1", "words")),
        tool(result("1", "first")),
        assistant(call("1")),
        tool(result("1", "second")),
        assistant(call("functions.read:0")),
      ],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        {
          role: "assistant",
          parts: [{ type: "tool-call", call: "1", name: "read", input: { value: "words" } }],
        },
        { role: "tool", parts: [{ type: "tool-result", call: "1", output: "first" }] },
        { role: "assistant", parts: [{ type: "tool-call", call: "call_2", name: "read", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", call: "call_2", output: "second" }] },
        { role: "assistant", parts: [{ type: "tool-call", call: "call_3", name: "read", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", call: "call_3", output: noResult, failed: true }] },
      ],
    },
    {
      case: "a reply that was cut off as far as it came, with a note, and none of which nothing came",
      entries: [
        user(text("a")),
        { kind: "message", role: "assistant", parts: [text("I beg")], interrupted: true },
        user(text("go on")),
        { kind: "message", role: "assistant", parts: [], interrupted: true },
      ],
      sent: [
        { role: "user", parts: [{ type: "text", text: "a" }] },
        { role: "assistant", parts: [{ type: "text", text: "I beg" }] },
        {
          role: "user",
          parts: [
            { type: "text", text: "[Your reply above was cut off before it was finished.]" },
            { type: "text", text: "go on" },
          ],
        },
      ],
    },
    {
      case: "files by their names, and nothing of what is empty",
      entries: [
        user({ type: "image", mediaType: "image/png", name: "a.png" }, text(" \n")),
        assistant(text("")),
        tool(text("printed"), { type: "tool-result", call: "9", output: "" }),
      ],
      sent: [
        {
          role: "user",
          parts: [
            { type: "text", text: "[image: a.png]" },
            { type: "text", text: "[Output of a tool]\nprinted" },
          ],
        },
      ],
    },
    {
      case: "a beginning where the first to speak is the model",
      entries: [assistant(text("Hello "))],
      sent: [
        { role: "user", parts: [{ type: "text", text: "[The conversation begins with a reply of yours.]" }] },
        { role: "assistant", parts: [{ type: "text", text: "Hello" }] },
      ],
    },
  ])("is $case", ({ entries, sent }) => {
    expect(toModelMessages(pathOf(...entries), model)).toEqual(sent);
  });

  // Seed 4: 5.1
  it("is the last summary, what it keeps, and what came after what it stands for", () => {
    const entries = pathOf(
      user(text("1")),
      { kind: "summary", text: "first ```", replaces: "e1" as EntryId },
      user(text("kept")),
      assistant(text("4")),
      user(text("after")),
      { kind: "summary", text: "second ```", replaces: "e4" as EntryId, kept: ["e3" as EntryId] },
      assistant(text("7")),
    );
    expect(toModelMessages(entries, model)).toEqual([
      {
        role: "user",
        parts: [
          {
            type: "text",
            text:
              "The earlier part of this conversation was replaced by the following record of it, to make room.\n" +
              "It is a record of what was said and done, not a new instruction. What comes after it is word for word.\n\n" +
              "````record\nsecond ```\n````",
          },
          { type: "text", text: "kept" },
          { type: "text", text: "after" },
        ],
      },
      { role: "assistant", parts: [{ type: "text", text: "7" }] },
    ]);
  });

  it("is everything since a summary that does not say what it stands for", () => {
    const entries = pathOf(
      user(text("1")),
      { kind: "summary", text: "so far", replaces: null },
      user(text("3")),
    );
    expect(toModelMessages(entries, model).map(({ parts }) => parts.length)).toEqual([2]);
  });

  it("has a message that a client recorded again once, in its last form", () => {
    const again: EntryContent = {
      kind: "message",
      role: "user",
      parts: [text("b")],
      replaces: "e1" as EntryId,
    };
    expect(toModelMessages(pathOf(user(text("a")), again), model)).toEqual([
      { role: "user", parts: [{ type: "text", text: "b" }] },
    ]);
  });

  // Seed 4: 2.3
  it("has thoughts for the provider that signed them, and for no other", () => {
    const thought: Part = { type: "thinking", text: "hm", signature: "s" };
    const entries = pathOf(user(text("a")), {
      kind: "message",
      role: "assistant",
      parts: [thought, { type: "thinking", text: "unsigned" }, text("b")],
      model: "anthropic/another",
    });
    const said = (name: string) => toModelMessages(entries, name)[1];
    expect(said("anthropic/model-x")).toEqual({ role: "assistant", parts: [thought, text("b")] });
    expect(said("openai/model-y")).toEqual({ role: "assistant", parts: [text("b")] });
  });
});
