import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { opened, replied, said } from "../support/chat-contents.ts";
import { text } from "../support/chat-entries.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const noDraft = { input: "" };
const talker = () => scriptedModel((_request, index) => ({ text: `Reply ${index + 1}` }));

describe("a chat", () => {
  // Seed 4: 4.3
  it("changes to another session after it has saved this one, and gives this one back", async () => {
    await using test = await openSqliteTestLog();
    const first = await openTestChat(test, { model: talker() });
    await sayAll(first, "In the first");
    await first.end(noDraft, "ended");
    const model = talker();
    await using chat = await openTestChat(test, { model });
    await sayAll(chat, "In the second");
    const second = chat.status.session;
    expect(await chat.load(first.status.session, { input: "/load" })).toMatchObject({ messages: 2 });
    expect(chat.status).toMatchObject({ session: first.status.session, title: "In the first" });
    expect((await readContents(test, second)).slice(3)).toMatchObject([
      { event: "draft", data: { input: "/load" } },
      { kind: "checkpoint" },
      { event: "ended" },
    ]);
    expect((await test.log.list({ id: second })).sessions).toMatchObject([{ status: "ended", writer: null }]);
    await sayAll(chat, "Again");
    expect(model.requests[1]?.messages).toEqual([
      { role: "user", parts: [text("In the first")] },
      { role: "assistant", parts: [text("Reply 1")] },
      { role: "user", parts: [text("Again")] },
    ]);
  });

  // Seed 4: 4.3
  it("stays where it is when the other session is not there or is being written", async () => {
    await using test = await openSqliteTestLog();
    await using other = await openTestChat(test, { model: talker() });
    await sayAll(other, "Elsewhere");
    await using chat = await openTestChat(test, { model: talker() });
    await sayAll(chat, "Here");
    const { session } = chat.status;
    const load = (id: string) => chat.load(parseSessionId(id), noDraft);
    await expect(load("nowhere")).rejects.toMatchObject({ code: "session-not-found" });
    await expect(load(other.status.session)).rejects.toMatchObject({ code: "session-in-use" });
    expect(chat.status.session).toBe(session);
    await sayAll(chat, "Still here");
    expect(chat.status.messages).toBe(4);
    expect((await chat.load(session, noDraft)).messages).toBe(0);
  });

  it("goes on in a fork, from the end or from an entry by its number", async () => {
    await using test = await openSqliteTestLog();
    const model = talker();
    await using chat = await openTestChat(test, { model });
    await expect(chat.fork(undefined, noDraft)).rejects.toMatchObject({ code: "nothing-to-fork" });
    await sayAll(chat, "One");
    await sayAll(chat, "Two");
    const origin = chat.status.session;
    await expect(chat.fork(99, noDraft)).rejects.toMatchObject({ code: "entry-not-found" });
    const early = await chat.fork(3, noDraft);
    expect(chat.status).toMatchObject({ session: early, title: "One", messages: 2 });
    await sayAll(chat, "Other two");
    expect(model.requests[2]?.messages.map(({ parts }) => parts)).toEqual([
      ...[[text("One")], [text("Reply 1")], [text("Other two")]],
    ]);
    const late = await chat.fork(undefined, noDraft);
    expect(chat.status).toMatchObject({ session: late, messages: 4 });
    const { sessions } = await test.log.list();
    expect(sessions.map(({ id, forkedFrom }) => [id, forkedFrom?.session])).toEqual(
      expect.arrayContaining([
        [early, origin],
        [late, early],
      ]),
    );
  });

  it("has a title, also before it has anything else", async () => {
    await using test = await openSqliteTestLog();
    await using chat = await openTestChat(test, { model: talker() });
    await chat.rename("  The   login ");
    expect([chat.status.title, (await test.log.list()).sessions]).toEqual(["The login", []]);
    await sayAll(chat, "Hi");
    expect((await test.log.list()).sessions).toMatchObject([{ title: "The login" }]);
    await chat.rename("The logout");
    expect((await test.log.list()).sessions).toMatchObject([{ title: "The logout" }]);
    await expect(chat.rename(" ")).rejects.toMatchObject({ code: "empty-title" });
  });

  it("talks to another model from now on", async () => {
    await using test = await openSqliteTestLog();
    const model = talker();
    await using chat = await openTestChat(test, { model });
    await chat.useModel("openai/model-y");
    await sayAll(chat, "Hi");
    await chat.useModel("openai/model-z");
    await chat.useModel("openai/model-z");
    await sayAll(chat, "Again");
    expect(await readContents(test, chat.status.session)).toEqual([
      opened("started", "openai/model-y"),
      said("user", "Hi"),
      { ...replied("Reply 1"), model: "openai/model-y" },
      { kind: "event", event: "model-changed", data: { model: "openai/model-z", before: "openai/model-y" } },
      said("user", "Again"),
      { ...replied("Reply 2"), model: "openai/model-z" },
    ]);
  });

  it("that ends in the middle of a turn stops it and keeps what had come", async () => {
    await using test = await openSqliteTestLog();
    const chat = await openTestChat(test, { model: scriptedModel([{ text: "I begin", hangs: true }]) });
    const events: string[] = [];
    for await (const event of chat.say("Hi", {
      signal: new AbortController().signal,
      approve: async () => "yes",
    })) {
      events.push(event.type);
      if (event.type === "text" && event.text === "begin") await chat.end(noDraft, "interrupted");
    }
    expect(events).toEqual(["prompt-saved", "text", "text"]);
    expect((await readContents(test, chat.status.session)).slice(2)).toMatchObject([
      { kind: "message", role: "assistant", interrupted: true },
      { kind: "checkpoint" },
      { kind: "event", event: "interrupted" },
    ]);
    await expect(sayAll(chat, "More")).rejects.toMatchObject({ code: "chat-ended" });
    await chat.end(noDraft, "ended");
  });

  it("that goes out of scope without having ended was interrupted", async () => {
    await using test = await openSqliteTestLog();
    {
      await using chat = await openTestChat(test, { model: talker() });
      await sayAll(chat, "Hi");
    }
    expect((await test.log.list()).sessions).toMatchObject([{ status: "interrupted", writer: null }]);
  });
});
