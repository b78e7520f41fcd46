import type { AnswerMessage, Block } from "./wire.ts";

/** One event of a stream. `middle` marks the place where an answer that stalls is cut. */
export type StreamEvent = { readonly type: string; readonly [field: string]: unknown } | "middle";

/** Yields an answer as the events by which the API streams it. */
export function* streamAnswer(answer: AnswerMessage): Generator<StreamEvent> {
  const { content, stop_reason, stop_sequence, usage } = answer;
  const begun = { ...answer, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield { type: "message_start", message: begun };
  yield { type: "ping" };
  for (const [index, block] of content.entries()) {
    const { empty, deltas } = take(block);
    yield { type: "content_block_start", index, content_block: empty };
    for (const [at, delta] of deltas.entries()) {
      if (index === content.length - 1 && at === 1) yield "middle";
      yield { type: "content_block_delta", index, delta };
    }
    yield { type: "content_block_stop", index };
  }
  yield {
    type: "message_delta",
    delta: { stop_reason, stop_sequence },
    usage: { output_tokens: usage.output_tokens },
  };
  yield { type: "message_stop" };
}

/** Takes a block apart: as it is announced, and at least two pieces that fill it. */
function take(block: Block): { readonly empty: Block; readonly deltas: readonly object[] } {
  if (block.type === "thinking") {
    const thinking = halves(String(block.thinking)).map((half) => ({
      type: "thinking_delta",
      thinking: half,
    }));
    return {
      empty: { type: "thinking", thinking: "", signature: "" },
      deltas: [...thinking, { type: "signature_delta", signature: block.signature }],
    };
  }
  if (block.type === "tool_use") {
    const json = halves(JSON.stringify(block.input));
    return {
      empty: { ...block, input: {} },
      deltas: json.map((half) => ({ type: "input_json_delta", partial_json: half })),
    };
  }
  return {
    empty: { type: "text", text: "" },
    deltas: halves(String(block.text)).map((half) => ({ type: "text_delta", text: half })),
  };
}

/** Cuts a text in two, never inside a character. */
function halves(text: string): readonly string[] {
  const characters = [...text];
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(""), characters.slice(middle).join("")];
}
