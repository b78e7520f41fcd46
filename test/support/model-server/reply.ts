import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Decision } from "./decide.ts";
import { streamAnswer } from "./stream-answer.ts";

/** Sends an answer, at its pace, as a stream where that was asked for. Rejects if the client goes away meanwhile. */
export async function reply(
  outgoing: ServerResponse,
  { status, answer, pace }: Decision,
  { id, stream }: { readonly id: string; readonly stream: boolean },
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const pause = async (milliseconds: number | undefined) => {
    if (milliseconds !== undefined) await sleep(milliseconds, undefined, { signal: gone.signal });
  };
  await pause(pace.delay);
  if (!stream || answer === undefined || !("content" in answer)) {
    await pause(pace.stall);
    outgoing.writeHead(status, { "content-type": "application/json", "request-id": id });
    outgoing.end(answer === undefined ? undefined : JSON.stringify(answer));
    return;
  }
  outgoing.writeHead(status, { "content-type": "text/event-stream; charset=utf-8", "request-id": id });
  for (const event of streamAnswer(answer)) {
    if (event === "middle") await pause(pace.stall);
    else outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  outgoing.end();
}
