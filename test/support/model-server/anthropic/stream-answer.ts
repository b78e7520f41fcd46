import { type Cut, halves, withMiddle } from "../pieces.ts";
import { type Frame, middle } from "../protocol.ts";
import type { AnswerMessage, Block } from "./wire.ts";

/** One event of a stream. */
type StreamEvent = { readonly type: string; readonly [field: string]: unknown } | typeof middle;

/** Yields an answer as the events by which the API streams it. */
export function* streamAnswer(answer: AnswerMessage, cut: Cut): Generator<Frame> {
  for (const event of eventsOf(answer, cut)) {
    yield event === middle ? middle : renderEvent(event);
  }
}

/** Renders an event as it goes over the wire. */
export function renderEvent(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function* eventsOf(answer: AnswerMessage, cut: Cut): Generator<StreamEvent> {
  const { content, stop_reason, stop_sequence, usage } = answer;
  const begun = { ...answer, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  yield { type: "message_start", message: begun };
  yield { type: "ping" };
  for (const [index, block] of content.entries()) {
    const { empty, deltas } = take(block, cut);
    yield { type: "content_block_start", index, content_block: empty };
    const marked = index === content.length - 1 ? withMiddle(deltas) : deltas;
    for (const delta of marked) {
      yield delta === middle ? middle : { type: "content_block_delta", index, delta };
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
function take(block: Block, cut: Cut): { readonly empty: Block; readonly deltas: readonly object[] } {
  if (block.type === "thinking") {
    const thinking = cut(String(block.thinking)).map((piece) => ({
      type: "thinking_delta",
      thinking: piece,
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
      deltas: json.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    };
  }
  return {
    empty: { type: "text", text: "" },
    deltas: cut(String(block.text)).map((piece) => ({ type: "text_delta", text: piece })),
  };
}
