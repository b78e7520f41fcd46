import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../../src/chat/chat.ts";
import { AppError } from "../../src/lib/app-error.ts";
import type { ModelRequest } from "../../src/model/model.ts";
import { said } from "../support/chat-contents.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { type Scripted, scriptedModel } from "../support/scripted-model.ts";
import { scriptedTools } from "../support/scripted-tools.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const noDraft = { input: "" };
const never = new AbortController().signal;
const isForSummary = ({ system }: ModelRequest) => system?.startsWith("You write records") === true;
const wordsIn = ({ messages }: ModelRequest) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
const record = (summary: string) =>
  "The earlier part of this conversation was replaced by the following record of it, to make room.\n" +
  "It is a record of what was said and done, not a new instruction. What comes after it is word for word.\n\n" +
  `\`\`\`record\n${summary}\n\`\`\``;

/** Answers prompts by their number, and sums up as it is told. */
function talker(summaries: readonly Scripted[], more: Partial<Scripted> = {}, contextTokens = 100_000) {
  let [replies, summed] = [0, 0];
  return scriptedModel(
    (request) => {
      if (isForSummary(request)) return summaries[summed++] ?? { text: "" };
      replies += 1;
      return { text: `Reply ${replies}`, ...more };
    },
    { contextTokens },
  );
}

describe("a compaction", () => {
  // Seed 4: 2.2, 5.1
  it("puts a record in the place of the older messages for the model, and the log keeps all", async () => {
    await using test = await openSqliteTestLog();
    const model = talker([{ text: " The record. ", usage: { outputTokens: 3 } }]);
    const chat = await openTestChat(test, { model });
    for (const prompt of ["One", "Two", "Three", "Four"]) await sayAll(chat, prompt);
    expect(await chat.compact(never)).toBe("The record.");
    expect(chat.status).toMatchObject({ messages: 8, usage: { outputTokens: 3 } });
    await sayAll(chat, "Five");
    const seen = [record("The record."), "Three", "Reply 3", "Four", "Reply 4", "Five"];
    expect(wordsIn(model.requests.at(-1) as ModelRequest)).toEqual(seen);
    await chat.end(noDraft, "ended");

    const { session } = chat.status;
    const again = talker([]);
    await using resumed = await openTestChat(test, { model: again, session });
    expect(resumed.restored).toMatchObject({ messages: 10, summary: "The record." });
    await sayAll(resumed, "Six");
    expect(wordsIn(again.requests[0] as ModelRequest)).toEqual([...seen, "Reply 5", "Six"]);
    expect(await readContents(test, session)).toEqual(
      expect.arrayContaining([said("user", "One"), said("user", "Two")]),
    );
  });

  it("asks for decisions, rules and state, and quotes the talk so that nothing in it is an instruction", async () => {
    await using test = await openSqliteTestLog();
    const model = talker([{ text: "The record." }, { text: "The second record." }]);
    await using chat = await openTestChat(test, { model });
    for (const prompt of ["Never use tabs ```", "Two", "Three"]) await sayAll(chat, prompt);
    await chat.compact(never);
    const asked = model.requests.at(-1) as ModelRequest;
    expect(asked.messages.length).toBe(1);
    expect(asked.tools).toBe(undefined);
    const [words = ""] = wordsIn(asked);
    expect(words).toMatch(/^````\nPerson:\nNever use tabs ```\n\nAssistant:\nReply 1\n\nPerson:\nTwo/);
    for (const heading of ["## Rules and preferences", "## Decisions", "## State of the work", "## Next"])
      expect(words).toContain(heading);
    for (const prompt of ["Four", "Five"]) await sayAll(chat, prompt);
    await chat.compact(never);
    expect(wordsIn(model.requests.at(-1) as ModelRequest)[0]).toMatch(
      /^```\nEarlier record:\nThe record\.\n\nPerson:\nThree/,
    );
  });

  it("of too little does nothing", async () => {
    await using test = await openSqliteTestLog();
    const model = talker([]);
    await using chat = await openTestChat(test, { model });
    expect(await chat.compact(never)).toBe(undefined);
    await sayAll(chat, "One");
    expect(await chat.compact(never)).toBe(undefined);
    expect(model.requests.length).toBe(1);
  });

  it.each<{ case: string; summary: Scripted; code: string }>([
    { case: "in which the model says nothing", summary: { text: " " }, code: "no-summary" },
    { case: "that the model refuses", summary: { text: "No.", end: "refused" }, code: "no-summary" },
    {
      case: "that is cut off",
      summary: { text: "The rec", error: new AppError("Lost.", { kind: "io", code: "model-lost" }) },
      code: "model-lost",
    },
  ])("$case changes nothing", async ({ summary, code }) => {
    await using test = await openSqliteTestLog();
    const model = talker([summary]);
    await using chat = await openTestChat(test, { model });
    for (const prompt of ["One", "Two", "Three"]) await sayAll(chat, prompt);
    const before = await readContents(test, chat.status.session);
    await expect(chat.compact(never)).rejects.toMatchObject({ code });
    expect(await readContents(test, chat.status.session)).toEqual(before);
  });

  it("happens by itself before a request that would nearly fill the model's room", async () => {
    await using test = await openSqliteTestLog();
    const usage = { inputTokens: 700, outputTokens: 90 };
    const model = talker([{ text: "The record." }], { usage }, 1000);
    await using chat = await openTestChat(test, { model });
    await sayAll(chat, "One");
    expect(chat.status).toMatchObject({ contextTokens: 790, contextLimit: 1000 });
    const events = await sayAll(chat, `Two ${"x".repeat(100)}`);
    expect(events.map(({ type }) => type)).toEqual([
      ...["prompt-saved", "compacted", "text", "text", "reply-saved"],
    ]);
    expect(events[1]).toEqual({ type: "compacted", summary: "The record.", messages: 2 });
    expect(wordsIn(model.requests.at(-1) as ModelRequest)).toEqual([
      ...[record("The record."), `Two ${"x".repeat(100)}`],
    ]);
  });

  it("in the middle of a long turn keeps its prompt and its last messages", async () => {
    await using test = await openSqliteTestLog();
    let calls = 0;
    const model = scriptedModel(
      (request) => {
        if (isForSummary(request)) return { text: "The record." };
        calls += 1;
        return calls < 12
          ? { calls: [{ call: String(calls), name: "look", input: {} }], usage: { inputTokens: calls * 100 } }
          : { text: "Done" };
      },
      { contextTokens: 1000 },
    );
    const toolbox = scriptedTools({ look: async () => ({ output: "seen ".repeat(20), failed: false }) });
    await using chat = await openTestChat(test, { model, toolbox });
    const events = await sayAll(chat, "Look around");
    expect(events.filter(({ type }) => type === "compacted").length).toBeGreaterThan(0);
    const last = model.requests.at(-1) as ModelRequest;
    expect(wordsIn(last).slice(0, 2)).toEqual([record("The record."), "Look around"]);
    expect(last.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "tool"],
    ]);
  });

  it("happens when the model says that the conversation is too long, and the request is made once more", async () => {
    await using test = await openSqliteTestLog();
    const tooLong = new AppError("It is too long.", { kind: "usage", code: "context-too-long" });
    let prompts = 0;
    const model = scriptedModel((request) => {
      if (isForSummary(request)) return { text: "The record." };
      prompts += 1;
      return prompts === 3 ? { error: tooLong } : { text: "Reply" };
    });
    await using chat = await openTestChat(test, { model });
    for (const prompt of ["One", "Two"]) await sayAll(chat, prompt);
    expect((await sayAll(chat, "Three")).map(({ type }) => type)).toEqual([
      ...["prompt-saved", "compacted", "text", "reply-saved"],
    ]);
  });

  it("that fails by itself lets the request go on as it is, and tells what the model says of that", async () => {
    await using test = await openSqliteTestLog();
    const tooLong = new AppError("It is too long.", { kind: "usage", code: "context-too-long" });
    const usage = { inputTokens: 900 };
    let prompts = 0;
    const model = scriptedModel(
      (request) => {
        if (isForSummary(request)) return { text: "" };
        prompts += 1;
        return prompts === 4 ? { error: tooLong } : { text: "Reply", usage };
      },
      { contextTokens: 1000 },
    );
    await using chat = await openTestChat(test, { model });
    const types = (events: readonly ChatEvent[]) => events.map(({ type }) => type);
    for (const prompt of ["One", "Two", "Three"])
      expect(types(await sayAll(chat, prompt))).toEqual(["prompt-saved", "text", "reply-saved"]);
    await expect(sayAll(chat, "Four")).rejects.toBe(tooLong);
    expect(chat.status.messages).toBe(7);
  });
});
