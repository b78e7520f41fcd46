import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Chat } from "../src/chat/chat.ts";
import { startChat } from "../src/chat/start-chat.ts";
import type { NewEntry } from "../src/sessions/entry.ts";
import { type EntryId, makeEntryId } from "../src/sessions/ids.ts";
import { type ModelServer, openModelServer } from "../test/support/model-server/open-model-server.ts";
import type { Bench, Outcome } from "./figure.ts";
import type { FilledStore } from "./fixtures.ts";
import { collectGarbage, interleave, medianOf, subject, type Times } from "./measure.ts";

const resumeBarMs = 1000;
const firstTokenBarMs = 50;
const resumeRounds = 12;
const tokenRounds = 40;
/** How many messages a chat has whose first token is measured. */
const talkLength = 200;

/** How long a long session takes to its prompt beside a new one, and a reply to its first word beside a bare request. */
export async function chat(bench: Bench): Promise<Outcome> {
  const { readLength } = bench.scale;
  const [whole, summed] = [await bench.fixtures.store(readLength), await bench.fixtures.store(readLength)];
  await sumUp(summed, readLength);
  await using server = await openModelServer({ rules: [], otherwise: { text: "Well." } });
  const folder = bench.fixtures.newPath("work");
  mkdirSync(folder);
  const open = (filled: FilledStore, session?: string) =>
    startChat({
      ...{ cwd: folder, home: dirname(filled.store.path), machine: "bench", autoSaveInterval: 0 },
      env: { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: server.url },
      ...{ model: "anthropic/claude-bench", tools: "none" },
      ...(session === undefined ? {} : { session }),
    });
  const opening = (name: string, filled: FilledStore, session?: string) =>
    subject({
      ...{ name, prepare: collectGarbage },
      work: async () => (await open(filled, session))[Symbol.asyncDispose](),
    });
  const starts = await interleave(
    [
      opening("new", whole),
      opening("whole", whole, whole.session),
      opening("summed", summed, summed.session),
    ],
    resumeRounds,
  );
  const talk = await bench.fixtures.store(talkLength);
  const words = await measureFirstWord(await open(talk, talk.session), server);
  const over = (name: string) => Math.max(0, medianOf(starts, name) - medianOf(starts, "new")) / resumeBarMs;
  const length = readLength.toLocaleString("en");
  return {
    measurements: [
      {
        ...{ work: `resume a chat of ${length} messages to its prompt`, limit: "1 s more than a new one" },
        ...{ ratio: over("whole"), bar: 1, n: resumeRounds },
      },
      {
        ...{ work: `the same, summed up ${keptAfterSummary} messages ago`, limit: "1 s more than a new one" },
        ...{ ratio: over("summed"), bar: 1, n: resumeRounds },
      },
      {
        ...{
          work: `first word of a reply, after ${talkLength} messages`,
          limit: "50 ms more than a bare request",
        },
        ratio: Math.max(0, medianOf(words, "chat") - medianOf(words, "bare")) / firstTokenBarMs,
        ...{ bar: 1, n: tokenRounds },
      },
    ],
    milliseconds: {
      "new chat": medianOf(starts, "new"),
      resume: medianOf(starts, "whole"),
      "resume, after a summary": medianOf(starts, "summed"),
      "first word": medianOf(words, "chat"),
      "first byte of a bare request": medianOf(words, "bare"),
    },
  };
}

const keptAfterSummary = 100;

/** Records a summary as a chat does, which stands for all but the last messages. */
async function sumUp({ store, session }: FilledStore, length: number): Promise<void> {
  const last = await Array.fromAsync(store.log.read(session, { from: -keptAfterSummary, to: length }));
  const at = new Date();
  const replaces: EntryId = last[0]?.id ?? makeEntryId(at);
  const entries: readonly NewEntry[] = [
    { kind: "summary", text: "What came before.", replaces, id: makeEntryId(at), at },
    { kind: "event", event: "compacted", data: { messages: length }, id: makeEntryId(at), at },
  ];
  await store.log.append(session, entries);
}

/** Measures a prompt to the first word of its reply, and the same request without anything around it. */
async function measureFirstWord(chat: Chat, server: ModelServer): Promise<Times> {
  await hearFirstWord(chat);
  const body = JSON.stringify(server.requests.at(-1)?.body);
  const times = await interleave(
    [
      subject({ name: "chat", prepare: collectGarbage, work: () => hearFirstWord(chat) }),
      subject({ name: "bare", prepare: collectGarbage, work: () => hearFirstByte(server.url, body) }),
    ],
    tokenRounds,
  );
  await chat[Symbol.asyncDispose]();
  return times;
}

async function hearFirstWord(chat: Chat): Promise<number> {
  const began = performance.now();
  let took = Number.NaN;
  const { signal } = new AbortController();
  for await (const { type } of chat.say("And?", { signal, approve: async () => "no" }))
    if (type === "text" && Number.isNaN(took)) took = performance.now() - began;
  return took;
}

async function hearFirstByte(url: string, body: string): Promise<number> {
  const began = performance.now();
  const headers = { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" };
  const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
  let took = Number.NaN;
  let heard = "";
  for await (const chunk of response.body ?? []) {
    heard += Buffer.from(chunk).toString();
    if (Number.isNaN(took) && heard.includes("content_block_delta")) took = performance.now() - began;
  }
  return took;
}
