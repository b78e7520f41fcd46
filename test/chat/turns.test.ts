import { describe, expect, it } from "vitest";
import type { AskedCall } from "../../src/chat/chat.ts";
import { answered, called, opened, replied, said, types } from "../support/chat-contents.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { scriptedTools } from "../support/scripted-tools.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("a turn", () => {
  it("records the prompt, tells the reply as it comes, and records it whole", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ text: "Hello you", usage: { inputTokens: 10, outputTokens: 2 } }]);
    await using chat = await openTestChat(test, { model });
    const events = await sayAll(chat, "Hi");
    expect(events).toEqual([
      { type: "prompt-saved", entry: expect.stringMatching(/^ent_/) },
      { type: "text", text: "Hello " },
      { type: "text", text: "you" },
      {
        ...{ type: "reply-saved", entry: expect.stringMatching(/^ent_/), end: "done" },
        message: { ...replied("Hello you"), usage: { inputTokens: 10, outputTokens: 2 } },
      },
    ]);
    expect(model.requests).toEqual([
      { system: "Be brief.", messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }] },
    ]);
    expect(await readContents(test, chat.status.session)).toEqual([
      opened("started"),
      said("user", "Hi"),
      { ...replied("Hello you"), usage: { inputTokens: 10, outputTokens: 2 } },
    ]);
    expect(chat.status).toEqual({
      ...{ session: chat.status.session, title: "Hi", model: "anthropic/model-x", messages: 2 },
      ...{ contextTokens: 12, contextLimit: 100_000, usage: { inputTokens: 10, outputTokens: 2 } },
    });
  });

  it("makes the session with its first message, and none where nothing was said", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ text: "Hello" }]);
    {
      await using chat = await openTestChat(test, { model });
      await chat.save({ input: "" });
    }
    expect((await test.log.list()).sessions).toEqual([]);
    await using chat = await openTestChat(test, { model, name: "The login" });
    await sayAll(chat, "Hi");
    expect((await test.log.list()).sessions).toMatchObject([
      { id: chat.status.session, title: "The login", client: "carryon-chat", messages: 2, branch: "main" },
    ]);
    expect(chat.status.session).toMatch(/^session-\d{8}-\d{6}-[a-z0-9]{4}-the-login$/);
  });

  // Seed 4: 2.1, 5.3
  it("runs the tools that the model calls and goes on with their results", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([
      {
        calls: [
          { call: "1", name: "look", input: { at: "a" } },
          { call: "2", name: "gone", input: {} },
          { call: "3", name: "look-badly", input: {} },
        ],
      },
      { text: "Done" },
    ]);
    const toolbox = scriptedTools({
      look: async (input) => ({ output: `saw ${JSON.stringify(input)}`, failed: false }),
      "look-badly": () => Promise.reject(new Error("a bug")),
    });
    await using chat = await openTestChat(test, { model, toolbox });
    expect(types(await sayAll(chat, "Look"))).toEqual([
      ...["prompt-saved", "reply-saved", "tool-started", "tool-saved", "tool-saved"],
      ...["tool-started", "tool-saved", "text", "reply-saved"],
    ]);
    const talk = (await readContents(test, chat.status.session)).slice(2);
    expect(talk).toEqual([
      called(
        { call: "1", name: "look", input: { at: "a" } },
        { call: "2", name: "gone", input: {} },
        { call: "3", name: "look-badly", input: {} },
      ),
      answered("1", 'saw {"at":"a"}'),
      answered("2", 'There is no tool "gone". The tools are look, look-badly.', true),
      answered("3", "The tool failed: a bug", true),
      replied("Done"),
    ]);
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(model.requests[1]?.tools?.map(({ name }) => name)).toEqual(["look", "look-badly"]);
  });

  it("asks before a tool writes or runs something: yes, no, or always", async () => {
    await using test = await openSqliteTestLog();
    const write = (call: string) => ({ calls: [{ call, name: "write", input: { call } }] });
    const model = scriptedModel([write("1"), write("2"), write("3"), write("4"), { text: "Done" }]);
    const written: unknown[] = [];
    const toolbox = scriptedTools({
      write: async (input) => {
        written.push(input);
        return { output: "written", failed: false };
      },
    });
    await using chat = await openTestChat(test, { model, toolbox });
    const asked: AskedCall[] = [];
    const answers = ["yes", "no", "always"] as const;
    await sayAll(chat, "Write", {
      approve: async (call) => {
        asked.push(call);
        return answers[asked.length - 1] ?? "no";
      },
    });
    expect(asked[0]).toEqual({
      call: { type: "tool-call", call: "1", name: "write", input: { call: "1" } },
      description: 'write {"call":"1"}',
      preview: "write changes this",
    });
    expect(asked.length).toBe(3);
    expect(written).toEqual([{ call: "1" }, { call: "3" }, { call: "4" }]);
    expect(await readContents(test, chat.status.session)).toContainEqual(
      answered("2", "The user declined this call. It was not run.", true),
    );
  });

  it("pauses after a hundred replies, and goes on when something is said", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel((_request, index) =>
      index < 100 ? { calls: [{ call: String(index), name: "look", input: {} }] } : { text: "Done" },
    );
    const toolbox = scriptedTools({ look: async () => ({ output: "seen", failed: false }) });
    await using chat = await openTestChat(test, { model, toolbox });
    expect((await sayAll(chat, "Look")).at(-1)).toEqual({ type: "paused", steps: 100 });
    expect(types(await sayAll(chat, "Go on"))).toEqual(["prompt-saved", "text", "reply-saved"]);
  });

  // Seed 4: 5.5
  it("is the only one at a time", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ text: "a", hangs: true }]);
    await using chat = await openTestChat(test, { model });
    const stop = new AbortController();
    const turn = chat.say("Hi", { signal: stop.signal, approve: async () => "yes" })[Symbol.asyncIterator]();
    await turn.next();
    await expect(sayAll(chat, "And?")).rejects.toMatchObject({ code: "turn-running" });
    await expect(chat.reset({ input: "" })).rejects.toMatchObject({ code: "turn-running" });
    stop.abort();
    await turn.return?.();
    expect(chat.status.messages).toBe(1);
  });
});
