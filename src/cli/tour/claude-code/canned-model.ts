import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A model on this machine that says what the tour needs: one tool call, and then the beginning of an answer. */
export interface CannedModel extends AsyncDisposable {
  /** The base URL that a client is given. */
  readonly url: string;
  /** Resolves when the answer has begun that never ends. */
  readonly stalled: Promise<void>;
}

/** What the model says before it uses the tool. */
export const opening = "I will look at how sessions expire.";

/** The shell command that the model wants to run, and what it stands for. */
export const toolCall = {
  command: "grep -n lifetime session.ts",
  description: "Find how long sessions live",
};

/** What the model has begun to say when its client is killed. */
const begun = "The lifetime is fixed at one hour";

/** Starts the model on a free port of 127.0.0.1. */
export async function openCannedModel(): Promise<CannedModel> {
  const stall = Promise.withResolvers<void>();
  const server = createServer((incoming, outgoing) => {
    // A client that is killed cuts the connection; that must not end the tour.
    answer(incoming, outgoing, stall.resolve).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stalled: stall.promise,
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

interface Request {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages?: readonly unknown[];
}

type Block = Readonly<Record<string, unknown>> & { readonly type: "text" | "tool_use" };

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onStall: () => void,
): Promise<void> {
  const source = await text(incoming);
  const request: Request = source === "" ? { model: "" } : JSON.parse(source);
  const canUseTools = request.tools?.some(({ name }) => name === "Bash") === true;
  const hasUsedTool = JSON.stringify(request.messages ?? []).includes('"tool_result"');
  if (!canUseTools) return finish(outgoing, request, [{ type: "text", text: "Login" }]);
  if (!hasUsedTool) {
    const call = { type: "tool_use", id: "toolu_tour", name: "Bash", input: toolCall } as const;
    return finish(outgoing, request, [{ type: "text", text: opening }, call]);
  }
  write(outgoing, [announce(request), ...stream({ type: "text", text: begun }, 0)]);
  onStall();
}

function finish(outgoing: ServerResponse, request: Request, content: readonly Block[]): void {
  const reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  if (request.stream !== true) {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ ...message(request), content, stop_reason: reason }));
    return;
  }
  const blocks = content.flatMap((block, index) => [
    ...stream(block, index),
    { type: "content_block_stop", index },
  ]);
  const end = { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 20 } };
  write(outgoing, [announce(request), ...blocks, end, { type: "message_stop" }]);
  outgoing.end();
}

function message({ model }: Request): object {
  const usage = { input_tokens: 100, output_tokens: 20 };
  return { id: "msg_tour", type: "message", role: "assistant", model, stop_sequence: null, usage };
}

function announce(request: Request): StreamEvent {
  return { type: "message_start", message: { ...message(request), content: [], stop_reason: null } };
}

function stream(block: Block, index: number): readonly StreamEvent[] {
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
