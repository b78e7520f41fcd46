import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Decision, Manner } from "./decide.ts";
import { halves, withMiddle } from "./pieces.ts";
import { type Frame, middle } from "./protocol.ts";

/** Sends an answer in its manner. Rejects if the client goes away meanwhile. */
export async function reply(outgoing: ServerResponse, { answer, manner }: Decision): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const pause = async (milliseconds: number | undefined) => {
    if (milliseconds !== undefined) await sleep(milliseconds, undefined, { signal: gone.signal });
  };
  const { delay, stall, pace, cut } = manner;
  await pause(delay);
  if (cut?.at === "start") return await leave(outgoing, cut);
  const { status, headers, body, frames } = answer;
  const isStream = frames !== undefined;
  const type = isStream ? "text/event-stream; charset=utf-8" : "application/json";
  outgoing.writeHead(status, { "content-type": type, ...headers });
  for (const frame of frames ?? halvesOf(body)) {
    if (frame !== middle) {
      outgoing.write(frame);
      if (isStream) await pause(pace);
      continue;
    }
    await pause(stall);
    if (cut !== undefined) return await leave(outgoing, cut);
  }
  outgoing.end();
}

/** Returns what is sent at once, with the mark in its middle. */
function halvesOf(body: object | undefined): readonly Frame[] {
  return body === undefined ? [middle] : [...withMiddle(halves(JSON.stringify(body)))];
}

/** Gives up a connection: destroys it, or says nothing until the client goes away. */
async function leave(outgoing: ServerResponse, { type, at }: NonNullable<Manner["cut"]>): Promise<void> {
  if (type === "hang") {
    if (!outgoing.closed) await once(outgoing, "close");
    return;
  }
  // A client throws away what it has not read when the connection ends, so it is given the time to read.
  if (at === "middle") await sleep(100);
  outgoing.destroy();
}
