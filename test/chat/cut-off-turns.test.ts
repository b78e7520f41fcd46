import { describe, expect, it } from "vitest";
import type { ChatEvent } from "../../src/chat/chat.ts";
import { answered, called, replied, said } from "../support/chat-contents.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { scriptedTools } from "../support/scripted-tools.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("a turn that is cut off", () => {
  it("by the person keeps what had come of the reply, marked so, and the next prompt goes on", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ text: "I begin", hangs: true }, { text: "Done" }]);
    await using chat = await openTestChat(test, { model });
    const stop = new AbortController();
    const events: ChatEvent[] = [];
    for await (const event of chat.say("Hi", { signal: stop.signal, approve: async () => "yes" })) {
      events.push(event);
      if (event.type === "text" && event.text === "begin") stop.abort();
    }
    expect(events.at(-1)).toEqual({
      ...{ type: "interrupted", reason: "stopped", entry: expect.stringMatching(/^ent_/) },
    });
    const { usage: _usage, ...cut } = { ...replied("I begin"), interrupted: true };
    expect((await readContents(test, chat.status.session)).at(-1)).toEqual(cut);
    await sayAll(chat, "Go on");
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      parts: [
        { type: "text", text: "[Your reply above was cut off before it was finished.]" },
        { type: "text", text: "Go on" },
      ],
    });
  });

  it("before anything came records nothing but the prompt", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ hangs: true }]);
    await using chat = await openTestChat(test, { model });
    const events = await sayAll(chat, "Hi", { signal: AbortSignal.abort() });
    expect(events.slice(1)).toEqual([{ type: "interrupted", reason: "stopped", entry: undefined }]);
    expect(chat.status.messages).toBe(1);
  });

  it("by a lost connection keeps what had come, tells so, and throws", async () => {
    await using test = await openSqliteTestLog();
    const lost = new Error("The connection was lost.");
    const model = scriptedModel([
      { thinking: "Hm.", text: "I beg", error: lost },
      { error: lost },
      { text: "Done" },
    ]);
    await using chat = await openTestChat(test, { model });
    const events: ChatEvent[] = [];
    const listen = async () => {
      for await (const event of chat.say("Hi", {
        signal: new AbortController().signal,
        approve: async () => "yes",
      }))
        events.push(event);
    };
    await expect(listen()).rejects.toBe(lost);
    expect(events.at(-1)).toMatchObject({ type: "interrupted", reason: "lost" });
    expect((await readContents(test, chat.status.session)).at(-1)).toEqual({
      ...{ kind: "message", role: "assistant", model: "anthropic/model-x", interrupted: true },
      parts: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "I beg" },
      ],
    });
    await expect(sayAll(chat, "Again")).rejects.toBe(lost);
    await sayAll(chat, "And again");
    expect(
      model.requests[2]?.messages.at(-1)?.parts.map((part) => part.type === "text" && part.text),
    ).toEqual(["[Your reply above was cut off before it was finished.]", "Again", "And again"]);
  });

  it("while a tool runs answers that call and all that were still to come", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([
      { calls: ["1", "2", "3"].map((call) => ({ call, name: call === "2" ? "run" : "look", input: {} })) },
      { text: "Done" },
    ]);
    const stop = new AbortController();
    const toolbox = scriptedTools({
      look: async () => ({ output: "seen", failed: false }),
      run: async (_input, signal) => {
        stop.abort();
        signal.throwIfAborted();
        return { output: "", failed: false };
      },
    });
    await using chat = await openTestChat(test, { model, toolbox });
    const events = await sayAll(chat, "Look", { signal: stop.signal });
    expect(events.at(-1)).toEqual({ type: "interrupted", reason: "stopped", entry: undefined });
    expect((await readContents(test, chat.status.session)).slice(3)).toEqual([
      answered("1", "seen"),
      answered(
        "2",
        "Interrupted: it was stopped while it was running. It may have taken effect in part.",
        true,
      ),
      answered("3", "Not run: the user stopped the turn before this call.", true),
    ]);
  });

  it("while the person is asked answers the call without running it", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([{ calls: [{ call: "1", name: "run", input: {} }] }]);
    await using chat = await openTestChat(test, { model, toolbox: scriptedTools({ run: neverRun }) });
    const stop = new AbortController();
    const never = new Promise<never>(() => undefined);
    await sayAll(chat, "Run", {
      signal: stop.signal,
      approve: () => {
        stop.abort();
        return never;
      },
    });
    expect((await readContents(test, chat.status.session)).at(-1)).toEqual(
      answered("1", "Not run: the user stopped the turn before this call.", true),
    );
  });

  it("because nobody listens any more is recorded like any other", async () => {
    await using test = await openSqliteTestLog();
    const model = scriptedModel([
      { text: "I begin" },
      { calls: [{ call: "1", name: "look", input: {} }] },
      { text: "Done" },
    ]);
    await using chat = await openTestChat(test, { model, toolbox: scriptedTools({ look: neverRun }) });
    const stopAt = async (text: string, type: ChatEvent["type"]) => {
      for await (const event of chat.say(text, {
        signal: new AbortController().signal,
        approve: async () => "yes",
      }))
        if (event.type === type) break;
    };
    await stopAt("Hi", "text");
    await stopAt("Look", "reply-saved");
    expect((await readContents(test, chat.status.session)).slice(2)).toEqual([
      { ...said("assistant", "I "), model: "anthropic/model-x", interrupted: true },
      said("user", "Look"),
      called({ call: "1", name: "look", input: {} }),
    ]);
    await sayAll(chat, "Go on");
    expect((await readContents(test, chat.status.session)).slice(5, 7)).toEqual([
      answered(
        "1",
        "Interrupted before a result was recorded. The call may or may not have taken effect.",
        true,
      ),
      said("user", "Go on"),
    ]);
    expect(model.requests[2]?.messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "user", "assistant", "tool", "user"],
    ]);
  });
});

function neverRun(): Promise<never> {
  return Promise.reject(new Error("It should not have been run."));
}
