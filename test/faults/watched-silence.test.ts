import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Silence } from "../../src/model/failure.ts";
import { watchSilence } from "../../src/model/watch-silence.ts";
import { openOddServer } from "../support/odd-server.ts";

const ask = { method: "POST", body: "{}" };

it("takes signs of life for what they are, however long nothing else comes", async () => {
  await using server = await openOddServer(async (_, outgoing) => {
    outgoing.writeHead(200);
    for (let count = 0; count < 18; count += 1) {
      outgoing.write(": ping\n\n");
      await sleep(300);
    }
    outgoing.end("data: at last\n\n");
  });
  const response = await watchSilence({ firstByteMs: 10_000, betweenBytesMs: 5000 })(server.url, ask);
  expect(await response.text()).toBe(`${": ping\n\n".repeat(18)}data: at last\n\n`);
});

it("does not take a slow reader for a silent server", async () => {
  const pieces = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(100_000));
  await using server = await openOddServer((_, outgoing) => {
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
  const response = await watchSilence({ firstByteMs: 10_000, betweenBytesMs: 3000 })(server.url, ask);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    if (text === "") await sleep(3500);
    text += decoder.decode(chunk, { stream: true });
  }
  expect(text).toBe(pieces.join(""));
});

it.each([
  { case: "before the headers", write: () => undefined },
  {
    case: "after the headers",
    write: (_: unknown, outgoing: ServerResponse) => outgoing.writeHead(200).flushHeaders(),
  },
])("ends a request that nobody answers: $case", async ({ write }) => {
  await using server = await openOddServer(write);
  const asked = watchSilence({ firstByteMs: 100, betweenBytesMs: 10_000 })(server.url, ask);
  await expect(asked.then((response) => response.text())).rejects.toBeInstanceOf(Silence);
});
