import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { MessagesRequest } from "./anthropic/wire.ts";
import { countAttempts } from "./attempts.ts";
import { type Decision, decide } from "./decide.ts";
import type { ChatRequest } from "./openai/wire.ts";
import type { Arrival } from "./protocol.ts";
import { reply } from "./reply.ts";
import type { Scenario } from "./scenario.ts";

/** What a client asked, and what it is answered. */
export interface SeenRequest
  extends Omit<Arrival, "source">,
    Pick<Decision, "rule" | "step" | "refusal" | "failure"> {
  /** The request as it came, or undefined if it was no JSON. A refused one may lack any field. */
  readonly body: MessagesRequest | ChatRequest | undefined;
  readonly status: number;
  /** What is sent at once or as a stream. */
  readonly answer: object | undefined;
}

/** A model that says what a scenario tells it to say. */
export interface ModelServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40001`: the base URL that a client is given. */
  readonly url: string;
  /** All requests so far, in the order of their arrival; `GET /__requests` gives the same. */
  readonly requests: readonly SeenRequest[];
  /** Those of them that the real API would not take. */
  readonly refusals: readonly SeenRequest[];
  /** Waits for a request, which may have come already. Resolves on arrival: before an answer that is delayed. */
  waitFor(matches: (request: SeenRequest) => boolean): Promise<SeenRequest>;
}

/** Starts a scripted model on 127.0.0.1, on a free port unless told which. It ends with its scope. */
export async function openModelServer(scenario: Scenario, port = 0): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const attempts = countAttempts();
  const arrivals = new EventEmitter().setMaxListeners(0);
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "", url: path = "", headers } = incoming;
    const source = await text(incoming);
    if (path === "/__requests") {
      outgoing.setHeader("content-type", "application/json").end(JSON.stringify(requests));
      return;
    }
    const decision = decide(scenario, { method, path, headers, source }, attempts);
    const { answer, manner: _, ...said } = decision;
    const seen: SeenRequest = {
      method,
      path,
      headers,
      body: parseIfJson(source),
      ...said,
      status: answer.status,
      answer: answer.body,
    };
    requests.push(seen);
    arrivals.emit("request", seen);
    await reply(outgoing, decision);
  };
  const server = createServer((incoming, outgoing) => {
    // A client that is killed cuts the connection; that must not end the server.
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get refusals() {
      return requests.filter(({ refusal }) => refusal !== undefined);
    },
    waitFor: async (matches) => {
      for (let index = 0; ; index += 1) {
        const request = requests[index] ?? (await once(arrivals, "request"))[0];
        if (matches(request)) return request;
      }
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      if (arrivals.listenerCount("request") > 0) {
        arrivals.emit("error", new Error("The model server was closed before the request came."));
      }
    },
  };
}

function parseIfJson(source: string): SeenRequest["body"] {
  try {
    return JSON.parse(source);
  } catch {
    // The log leaves it out; the client is told in the answer.
    return undefined;
  }
}
