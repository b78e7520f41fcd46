import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** What an odd server was asked. */
export interface OddRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OddServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly OddRequest[];
}

/** Starts a server that answers as no provider does: for what the scripted model has no words for. */
export async function openOddServer(
  answer: (request: OddRequest, outgoing: ServerResponse) => void | Promise<void>,
): Promise<OddServer> {
  const requests: OddRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = { headers: incoming.headers, body: (await json(incoming)) as OddRequest["body"] };
    requests.push(request);
    await answer(request, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends a JSON error as OpenAI's protocol has it. */
export function refuse(outgoing: ServerResponse, status: number, message: string): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify({ error: { message, type: "invalid_request_error" } }));
}

/** Sends a reply of one text by OpenAI's protocol. */
export function saySomething(outgoing: ServerResponse, text: string): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ model: "odd", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  outgoing.end(`${chunk({ content: text }, null)}${chunk({}, "stop")}data: [DONE]\n\n`);
}
