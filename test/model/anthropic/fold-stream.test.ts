import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldStream } from "../../../src/model/anthropic/fold-stream.ts";
import { anyPieces } from "../../support/any-pieces.ts";
import { foldAll } from "../../support/fold-all.ts";

/** Events are written as they come over the wire, without what nobody reads. */
const wire = (...events: readonly object[]) => events as readonly RawMessageStreamEvent[];

const started = {
  type: "message_start",
  message: {
    model: "claude-opus-5-5",
    usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 60, cache_creation_input_tokens: 7 },
  },
};
const begin = (index: number, content_block: object) => ({
  type: "content_block_start",
  index,
  content_block,
});
const deltas = (index: number, type: string, field: string, pieces: readonly string[]) =>
  pieces.map((piece) => ({ type: "content_block_delta", index, delta: { type, [field]: piece } }));
const end = (index: number) => ({ type: "content_block_stop", index });
const stopped = (stop_reason: string) => [
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 33, input_tokens: null } },
  { type: "message_stop" },
];
const usage = { inputTokens: 5, outputTokens: 33, cacheReadTokens: 60, cacheWriteTokens: 7 };

describe("the events of the Messages API", () => {
  it("are one reply, however the server has cut it", () => {
    const words = { thought: "Zwölf 🙂 Boxkämpfer", text: "¿Qué? 世界 👩‍💻", input: '{"path":"ä","n":[1]}' };
    const pieces = [
      anyPieces(words.thought),
      anyPieces(words.text),
      anyPieces(words.input),
      anyPieces("EqQB"),
    ] as const;
    fc.assert(
      fc.property(...pieces, (thought, text, input, signature) => {
        const { told, reply } = foldAll(
          foldStream,
          wire(
            started,
            begin(0, { type: "thinking", thinking: "", signature: "" }),
            ...deltas(0, "thinking_delta", "thinking", thought),
            ...deltas(0, "signature_delta", "signature", signature),
            end(0),
            begin(1, { type: "redacted_thinking", data: "opaque" }),
            end(1),
            begin(2, { type: "text", text: "" }),
            ...deltas(2, "text_delta", "text", text),
            end(2),
            begin(3, { type: "tool_use", id: "toolu_1", name: "read", input: {} }),
            ...deltas(3, "input_json_delta", "partial_json", input),
            end(3),
            ...stopped("tool_use"),
          ),
        );
        expect(reply).toEqual({
          parts: [
            { type: "thinking", text: words.thought, signature: "EqQB" },
            { type: "thinking", text: "", signature: "redacted_thinking:opaque" },
            { type: "text", text: words.text },
            { type: "tool-call", call: "toolu_1", name: "read", input: { path: "ä", n: [1] } },
          ],
          ...{ end: "calls", model: "claude-opus-5-5", usage },
        });
        expect(told).toEqual({ thinking: words.thought, text: words.text, calls: ["read"] });
      }),
    );
  });

  it("keep a thought without words that has a signature, and none without both", () => {
    const events = wire(
      started,
      begin(0, { type: "thinking", thinking: "", signature: "" }),
      ...deltas(0, "signature_delta", "signature", ["EqQB"]),
      begin(1, { type: "thinking", thinking: "", signature: "" }),
      begin(2, { type: "text", text: "" }),
      ...stopped("end_turn"),
    );
    expect(foldAll(foldStream, events).reply?.parts).toEqual([
      { type: "thinking", text: "", signature: "EqQB" },
    ]);
  });

  it("may bring a whole block at once", () => {
    const events = wire(
      started,
      begin(0, { type: "text", text: "Hi." }),
      begin(1, { type: "tool_use", id: "1", name: "read", input: { path: "a" } }),
      ...stopped("tool_use"),
    );
    const { told, reply } = foldAll(foldStream, events);
    expect(told).toEqual({ text: "Hi.", thinking: "", calls: ["read"] });
    expect(reply?.parts).toEqual([
      { type: "text", text: "Hi." },
      { type: "tool-call", call: "1", name: "read", input: { path: "a" } },
    ]);
  });

  it("are passed over where they are of a kind that nobody knows", () => {
    const events = wire(
      { type: "ping" },
      started,
      { type: "from_the_future" },
      begin(0, { type: "hologram", light: 1 }),
      ...deltas(0, "hologram_delta", "light", ["2"]),
      ...deltas(7, "text_delta", "text", ["of no block"]),
      begin(1, { type: "text", text: "Hi." }),
      ...stopped("end_turn"),
    );
    expect(foldAll(foldStream, events).reply?.parts).toEqual([{ type: "text", text: "Hi." }]);
  });

  it.each([
    { reason: "end_turn", end: "done" },
    { reason: "stop_sequence", end: "done" },
    { reason: "max_tokens", end: "length" },
    { reason: "model_context_window_exceeded", end: "length" },
    { reason: "refusal", end: "refused" },
    { reason: "from_the_future", end: "done" },
  ])("end as the server says: $reason is $end", ({ reason, end: expected }) => {
    expect(
      foldAll(foldStream, wire(started, begin(0, { type: "text", text: "Hi." }), ...stopped(reason))).reply,
    ).toEqual({
      ...{ parts: [{ type: "text", text: "Hi." }], end: expected, model: "claude-opus-5-5", usage },
    });
  });

  it("say in the input of a call that its arguments were cut off", () => {
    const events = wire(
      started,
      begin(0, { type: "tool_use", id: "1", name: "write", input: {} }),
      ...deltas(0, "input_json_delta", "partial_json", ['{"path": "a', '", "text": "On']),
      ...stopped("max_tokens"),
    );
    expect(foldAll(foldStream, events).reply).toMatchObject({
      parts: [
        {
          name: "write",
          input: { error: "These arguments are not a JSON object.", arguments: '{"path": "a", "text": "On' },
        },
      ],
      end: "length",
    });
  });

  it("are no reply before the server has said why it ended", () => {
    const events = wire(started, begin(0, { type: "text", text: "Hi." }), end(0));
    expect(foldAll(foldStream, events).reply).toBeUndefined();
  });
});
