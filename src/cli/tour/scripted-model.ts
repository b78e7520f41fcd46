import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the model: text, or a tool call. */
export type Answer = { readonly text: string } | { readonly tool: string; readonly input: object };

/** A model on this machine that gives prepared answers, in the protocol of Anthropic. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
}

/** Starts a model on a free port of 127.0.0.1. Each request gets the next answer; one request too many fails. */
export async function openScriptedModel(answers: readonly Answer[]): Promise<ScriptedModel> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const answer = answers[asked];
    asked += 1;
    if (answer === undefined) outgoing.writeHead(400).end();
    else send(outgoing, answer, `toolu_${asked}`);
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

function send(outgoing: ServerResponse, answer: Answer, id: string): void {
  const isText = "text" in answer;
  const block = isText ? { type: "text", text: "" } : { type: "tool_use", id, name: answer.tool, input: {} };
  const delta = isText
    ? { type: "text_delta", text: answer.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(answer.input) };
  const message = {
    id: "msg_tour",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use" },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  ];
  outgoing.setHeader("content-type", "text/event-stream");
  outgoing.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
