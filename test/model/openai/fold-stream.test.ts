import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunk, foldStream } from "../../../src/model/openai/fold-stream.ts";
import { anyPieces } from "../../support/any-pieces.ts";
import { foldAll } from "../../support/fold-all.ts";

type Delta = NonNullable<NonNullable<Chunk["choices"]>[number]["delta"]>;

const chunk = (delta: Delta, finish_reason: string | null = null): Chunk => ({
  ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "qwen3-32b" },
  choices: [{ delta, finish_reason }],
});
const fragment = (index: number, id: string | undefined, name: string | undefined, args: string) =>
  chunk({
    tool_calls: [
      {
        index,
        ...(id === undefined ? {} : { id }),
        function: { ...(name === undefined ? {} : { name }), arguments: args },
      },
    ],
  });
const usage: Chunk = {
  ...chunk({}),
  choices: [],
  usage: {
    ...{ prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 },
    prompt_tokens_details: { cached_tokens: 60 },
  },
} as Chunk;
const used = { inputTokens: 40, outputTokens: 7, cacheReadTokens: 60 };

describe("the pieces of a chat completion", () => {
  it("are one reply, however the server has cut them", () => {
    const words = {
      thinking: "Zwölf 🙂 Boxkämpfer",
      text: "¿Qué? 世界 👩‍💻",
      first: '{"path":"ä"}',
      second: '{"n":[1,{"a":null}]}',
    };
    fc.assert(
      fc.property(
        ...([
          anyPieces(words.thinking),
          anyPieces(words.text),
          anyPieces(words.first),
          anyPieces(words.second),
        ] as const),
        (thinking, text, first, second) => {
          const chunks = [
            chunk({ role: "assistant", content: "" }),
            ...thinking.map((each) => chunk({ reasoning_content: each })),
            ...text.map((each) => chunk({ content: each })),
            fragment(0, "call_a", "read", ""),
            ...first.map((each) => fragment(0, undefined, undefined, each)),
            fragment(1, "call_b", "list", ""),
            ...second.map((each) => fragment(1, undefined, undefined, each)),
            chunk({}, "tool_calls"),
            usage,
          ];
          const { told, reply } = foldAll(foldStream, chunks);
          expect(reply).toEqual({
            parts: [
              { type: "thinking", text: words.thinking },
              { type: "text", text: words.text },
              { type: "tool-call", call: "call_a", name: "read", input: { path: "ä" } },
              { type: "tool-call", call: "call_b", name: "list", input: { n: [1, { a: null }] } },
            ],
            ...{ end: "calls", model: "qwen3-32b", usage: used },
          });
          expect(told).toEqual({ thinking: words.thinking, text: words.text, calls: ["read", "list"] });
        },
      ),
    );
  });

  it("are joined by index when the calls come mixed", () => {
    const chunks = [
      fragment(0, "a", "read", '{"x"'),
      fragment(1, "b", "list", "{"),
      fragment(0, undefined, undefined, ":1}"),
      fragment(1, undefined, undefined, "}"),
      chunk({}, "stop"),
    ];
    expect(foldAll(foldStream, chunks).reply).toMatchObject({
      parts: [
        { call: "a", name: "read", input: { x: 1 } },
        { call: "b", name: "list", input: {} },
      ],
      end: "calls",
    });
  });

  it("are calls of their own where the server gives whole ones without index or id", () => {
    const whole = (id: string | undefined, name: string) =>
      chunk({ tool_calls: [{ ...(id === undefined ? {} : { id }), function: { name, arguments: "{}" } }] });
    const chunks = [whole("a", "read"), whole("b", "list"), chunk({}, "stop")];
    expect(foldAll(foldStream, chunks).reply).toMatchObject({
      parts: [
        { call: "a", name: "read", input: {} },
        { call: "b", name: "list", input: {} },
      ],
    });
    expect(foldAll(foldStream, [whole(undefined, "read"), chunk({}, "stop")]).reply).toMatchObject({
      parts: [{ call: "call_0", name: "read", input: {} }],
    });
  });

  it.each([
    { case: "cut off", args: '{"path": "a' },
    { case: "no object", args: "[1]" },
    { case: "words", args: "the file a" },
    { case: "too deep to be stored", args: `{"a":${"[".repeat(100)}${"]".repeat(100)}}` },
  ])("say so in the input of a call whose arguments are $case", ({ args }) => {
    expect(foldAll(foldStream, [fragment(0, "a", "read", args), chunk({}, "length")]).reply).toMatchObject({
      parts: [{ name: "read", input: { error: "These arguments are not a JSON object.", arguments: args } }],
      end: "length",
    });
  });

  it.each([
    { finish: "stop", delta: { content: "Hi." }, end: "done" },
    { finish: "length", delta: { content: "Hi." }, end: "length" },
    { finish: "content_filter", delta: { content: "Hi." }, end: "refused" },
    { finish: "stop", delta: { refusal: "Hi." }, end: "refused" },
    { finish: "eos", delta: { content: "Hi." }, end: "done" },
  ])("end as the server says: $finish is $end", ({ finish, delta, end }) => {
    expect(foldAll(foldStream, [chunk(delta), chunk({}, finish)]).reply).toEqual({
      ...{ parts: [{ type: "text", text: "Hi." }], end, model: "qwen3-32b", usage: {} },
    });
  });

  it("are no reply before the server has said why it ended", () => {
    expect(foldAll(foldStream, [chunk({ content: "Hi." })]).reply).toBeUndefined();
  });
});
