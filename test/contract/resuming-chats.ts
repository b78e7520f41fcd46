import { expect, it } from "vitest";
import type { EntryContent, NewEntry } from "../../src/sessions/entry.ts";
import { parseEntryId, type SessionId } from "../../src/sessions/ids.ts";
import { answered, said as message, opened, replied } from "../support/chat-contents.ts";
import { assistant, call, result, text, tool } from "../support/chat-entries.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { one, type TestLog, two } from "./test-log.ts";

const noDraft = { input: "" };
const entry = (id: string, content: EntryContent): NewEntry => ({
  ...content,
  id: parseEntryId(id),
  at: later(2),
});

/** What a chat must do when it goes on with a session. Add an engine by calling this once with a way to open it. */
export function resumingChatsContract(open: () => Promise<TestLog>): void {
  it("goes on with the messages as they were, and says how many there are", async () => {
    await using test = await open();
    const first = scriptedModel([{ text: "Hello" }]);
    const session = await record(test, first, ["Hi"]);
    const second = scriptedModel([{ text: "Still here" }]);
    await using chat = await openTestChat(test, { model: second, session });
    expect(chat.restored).toEqual({
      ...{ messages: 2, summary: undefined, draft: undefined, modelBefore: undefined },
      ...{ repaired: 0, partial: false, file: undefined },
    });
    expect(chat.recent(2).map((entry) => entry.kind)).toEqual(["checkpoint", "event"]);
    await sayAll(chat, "And now?");
    expect(second.requests[0]?.messages).toEqual([
      { role: "user", parts: [{ type: "text", text: "Hi" }] },
      { role: "assistant", parts: [{ type: "text", text: "Hello" }] },
      { role: "user", parts: [{ type: "text", text: "And now?" }] },
    ]);
    expect((await readContents(test, session)).slice(5)).toEqual([
      ...[opened("resumed"), message("user", "And now?"), replied("Still here")],
    ]);
    expect((await test.log.list({ id: session })).sessions).toMatchObject([
      { status: "open", writer: { program: "carryon chat" }, messages: 4 },
    ]);
  });

  it("leaves a session as it is in which nothing is said", async () => {
    await using test = await open();
    const session = await record(test, scriptedModel([{ text: "Hello" }]), ["Hi"]);
    const before = await test.log.list({ id: session });
    const chat = await openTestChat(test, { model: scriptedModel([]), session });
    await chat.end(noDraft, "ended");
    expect(await test.log.list({ id: session })).toEqual(before);
  });

  it("says how it ended, and gives the session back", async () => {
    await using test = await open();
    for (const how of ["ended", "interrupted"] as const) {
      const chat = await openTestChat(test, { model: scriptedModel([{ text: "Hello" }]) });
      await sayAll(chat, "Hi");
      await chat.end(noDraft, how);
      expect((await test.log.list({ id: chat.status.session })).sessions).toMatchObject([
        { status: how, writer: null },
      ]);
    }
  });

  it("refuses a session that another chat writes, and names the command that forks it", async () => {
    await using test = await open();
    await using chat = await openTestChat(test, { model: scriptedModel([{ text: "Hello" }]) });
    await sayAll(chat, "Hi");
    const { session } = chat.status;
    await expect(openTestChat(test, { model: scriptedModel([]), session })).rejects.toMatchObject({
      code: "session-in-use",
      hint: expect.stringContaining(`carryon fork ${session}`),
    });
  });

  it("refuses what a client writes, goes on with a fork of it, and knows no session that is not there", async () => {
    await using test = await open();
    await test.log.open(newSession("one", test.project, { client: "claude-code", clientSessionId: "c1" }), [
      said("a", "Hi"),
    ]);
    const model = scriptedModel([{ text: "Hello" }]);
    await expect(openTestChat(test, { model, session: one })).rejects.toMatchObject({
      code: "not-a-chat",
      hint: expect.stringContaining("carryon fork one"),
    });
    await expect(openTestChat(test, { model, session: two })).rejects.toMatchObject({
      code: "session-not-found",
    });
    await test.log.fork(newFork("two"));
    await using chat = await openTestChat(test, { model, session: two });
    await sayAll(chat, "And?");
    expect(model.requests[0]?.messages).toEqual([{ role: "user", parts: [text("Hi"), text("And?")] }]);
  });

  it("answers, for good, the calls that a crash has left without a result", async () => {
    await using test = await open();
    await test.log.open(newSession("one", test.project, { client: "carryon-chat" }), [
      said("a", "Look"),
      entry("b", assistant(call("1"), call("2"))),
      entry("c", tool(result("1"))),
    ]);
    const model = scriptedModel([{ text: "I see" }]);
    await using chat = await openTestChat(test, { model, session: one });
    expect(chat.restored).toMatchObject({ messages: 4, repaired: 1 });
    const interrupted =
      "Interrupted: the program ended before a result was recorded. The call may or may not have taken effect.";
    expect((await readContents(test, one)).slice(3)).toEqual([
      ...[opened("resumed"), answered("2", interrupted, true)],
    ]);
    await sayAll(chat, "Go on");
    expect(model.requests[0]?.messages.slice(2)).toEqual([
      {
        role: "tool",
        parts: [
          { type: "tool-result", call: "1", output: "done" },
          { type: "tool-result", call: "2", output: interrupted, failed: true },
        ],
      },
      { role: "user", parts: [text("Go on")] },
    ]);
  });

  it("gives back what was being typed, and keeps what had come of a reply, when the process was killed", async () => {
    await using test = await open();
    const model = scriptedModel([{ text: "I begin", hangs: true }]);
    const killed = await openTestChat(test, { model });
    const turn = killed.say("Hi", { signal: new AbortController().signal, approve: async () => "yes" });
    for await (const event of turn)
      if (event.type === "text" && event.text === "begin") {
        await killed.save({ input: "and then" });
        break;
      }
    const { session } = killed.status;
    // What was saved is all that a process leaves that is killed at that moment.
    await forget(test, session, 4);
    const again = scriptedModel([{ text: "Done" }]);
    await using chat = await openTestChat(test, { model: again, session: two });
    expect(chat.restored).toMatchObject({ messages: 2, draft: { input: "and then" }, partial: true });
    expect((await readContents(test, two)).slice(4)).toEqual([
      opened("resumed"),
      { ...message("assistant", "I begin"), model: "anthropic/model-x", interrupted: true },
    ]);
    await sayAll(chat, "Go on");
    await chat.end(noDraft, "ended");
    await using third = await openTestChat(test, { model: again, session: two });
    expect(third.restored).toMatchObject({ draft: undefined, partial: false });
  });

  it("tells of another model than before, and uses the one of this start", async () => {
    await using test = await open();
    const session = await record(test, scriptedModel([{ text: "Hello" }]), ["Hi"]);
    const model = scriptedModel([{ text: "Done" }], { name: "openai/model-y" });
    await using chat = await openTestChat(test, { model, session });
    expect(chat.restored.modelBefore).toBe("anthropic/model-x");
    await sayAll(chat, "Go on");
    expect((await readContents(test, session)).slice(5)).toEqual([
      opened("resumed", "openai/model-y"),
      message("user", "Go on"),
      { ...replied("Done"), model: "openai/model-y" },
    ]);
  });

  it("sees what was said since the last reset, and nothing before it", async () => {
    await using test = await open();
    const chat = await openTestChat(test, { model: scriptedModel([{ text: "1" }, { text: "2" }]) });
    await sayAll(chat, "before");
    await chat.reset(noDraft);
    expect(chat.status.messages).toBe(0);
    await sayAll(chat, "after");
    await chat.end(noDraft, "ended");
    const model = scriptedModel([{ text: "3" }]);
    await using again = await openTestChat(test, { model, session: chat.status.session });
    expect(again.restored.messages).toBe(2);
    await sayAll(again, "now");
    expect(model.requests[0]?.messages).toEqual([
      { role: "user", parts: [text("after")] },
      { role: "assistant", parts: [text("2")] },
      { role: "user", parts: [text("now")] },
    ]);
    const entries = await Array.fromAsync(test.log.read(chat.status.session));
    expect(entries.filter(({ parent }) => parent === null).map((entry) => entry.seq)).toEqual([1, 5]);
    expect((await test.log.verify(chat.status.session)).problem).toBe(null);
  });
}

/** Has a chat that ends, and returns its session. */
async function record(
  test: TestLog,
  model: ReturnType<typeof scriptedModel>,
  prompts: readonly string[],
): Promise<SessionId> {
  const chat = await openTestChat(test, { model });
  for (const prompt of prompts) await sayAll(chat, prompt);
  await chat.end(noDraft, "ended");
  return chat.status.session;
}

/** Makes a session of the first entries of another one: what was on disk when a process was killed. */
async function forget(test: TestLog, from: SessionId, entries: number): Promise<void> {
  const kept = await Array.fromAsync(test.log.read(from, { to: entries }));
  await test.log.fork({ ...newFork("two", from), at: kept.at(-1)?.id ?? parseEntryId("none") });
}
