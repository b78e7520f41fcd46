import { type Cut, halves, withMiddle } from "../pieces.ts";
import { type Frame, middle } from "../protocol.ts";
import type { ChatAnswer, ChatAnswerMessage } from "./wire.ts";

/** Yields an answer as the chunks by which the API streams it; the last one tells the usage where that is asked for. */
export function* streamAnswer(
  answer: ChatAnswer,
  { cut, withUsage }: { readonly cut: Cut; readonly withUsage: boolean },
): Generator<Frame> {
  const { usage, choices, ...common } = answer;
  const [{ message, finish_reason }] = choices;
  const chunk = (more: object) => {
    const part = { ...common, object: "chat.completion.chunk", ...more };
    return renderChunk(withUsage ? { usage: null, ...part } : part);
  };
  const choice = (delta: object, reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });
  const { role, content, refusal } = message;
  yield choice({ role, content: content === null ? null : "", refusal });
  const blocks = blocksOf(message, cut);
  for (const [index, deltas] of blocks.entries()) {
    const marked = index === blocks.length - 1 ? withMiddle(deltas) : deltas;
    for (const delta of marked) yield delta === middle ? middle : choice(delta);
  }
  yield choice({}, finish_reason);
  if (withUsage) yield chunk({ choices: [], usage });
  yield "data: [DONE]\n\n";
}

/** Renders a chunk as it goes over the wire. */
export function renderChunk(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** Takes a message apart: for its thought, its text and each of its calls the deltas that fill it. */
function blocksOf(message: ChatAnswerMessage, cut: Cut): readonly (readonly object[])[] {
  const { reasoning_content: thought, content, tool_calls: calls } = message;
  return [
    ...(thought === undefined ? [] : [cut(thought).map((piece) => ({ reasoning_content: piece }))]),
    ...(content === null ? [] : [cut(content).map((piece) => ({ content: piece }))]),
    ...(calls ?? []).map(({ id, type, function: { name, arguments: json } }, index) => [
      { tool_calls: [{ index, id, type, function: { name, arguments: "" } }] },
      ...halves(json).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
}
