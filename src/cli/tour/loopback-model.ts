import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a client asks, as far as the tour looks at it. */
export interface ModelQuestion {
  readonly model: string;
  readonly system?: unknown;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly QuestionMessage[];
}

export interface QuestionMessage {
  readonly role: string;
  readonly content: string | readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
}

/** A part of an answer: words, or the call of a tool. */
export type AnswerBlock = Readonly<Record<string, unknown>> & { readonly type: "text" | "tool_use" };

/** An answer, which is begun and never ended where it is not whole. */
export interface ModelAnswer {
  readonly content: readonly AnswerBlock[];
  readonly isWhole: boolean;
}

/** A model on this machine that says what the tour needs, by the protocol of Anthropic. */
export interface LoopbackModel extends AsyncDisposable {
  /** The base URL that a client is given. */
  readonly url: string;
}

/** Starts a model on a free port of 127.0.0.1. */
export async function openLoopbackModel(
  answer: (question: ModelQuestion) => ModelAnswer,
): Promise<LoopbackModel> {
  const server = createServer((incoming, outgoing) => {
    text(incoming)
      .then((source) => {
        const question: ModelQuestion = source === "" ? { model: "" } : JSON.parse(source);
        say(outgoing, question, answer(question));
      })
      // A client that is killed cuts the connection; that must not end the tour.
      .catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function say(outgoing: ServerResponse, question: ModelQuestion, { content, isWhole }: ModelAnswer): void {
  const blocks = content.flatMap((block, index) => [
    ...stream(block, index),
    ...(isWhole ? [{ type: "content_block_stop", index }] : []),
  ]);
  if (!isWhole) {
    write(outgoing, [announce(question), ...blocks]);
    return;
  }
  const reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  if (question.stream !== true) {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ ...message(question), content, stop_reason: reason }));
    return;
  }
  const end = { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 20 } };
  write(outgoing, [announce(question), ...blocks, end, { type: "message_stop" }]);
  outgoing.end();
}

function message({ model }: ModelQuestion): object {
  const usage = { input_tokens: 100, output_tokens: 20 };
  return { id: "msg_tour", type: "message", role: "assistant", model, stop_sequence: null, usage };
}

function announce(question: ModelQuestion): StreamEvent {
  return { type: "message_start", message: { ...message(question), content: [], stop_reason: null } };
}

function stream(block: AnswerBlock, index: number): readonly StreamEvent[] {
  const isText = block.type === "text";
  const empty = isText ? { ...block, text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  const begin = { type: "content_block_start", index, content_block: empty };
  return [begin, { type: "content_block_delta", index, delta }];
}

function write(outgoing: ServerResponse, events: readonly StreamEvent[]): void {
  if (!outgoing.headersSent) outgoing.setHeader("content-type", "text/event-stream");
  for (const event of events) outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
