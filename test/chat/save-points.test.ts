import { describe, expect, it } from "vitest";
import { opened, replied, said } from "../support/chat-contents.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const draft = (input: string, reply = "") => ({ kind: "event", event: "draft", data: { input, reply } });
const checkpoint = (messages: number) => ({
  kind: "checkpoint",
  state: {
    ...{ chat: true, folder: "/work", branch: "main", commit: "c0ffee" },
    ...{ model: "anthropic/model-x", messages },
  },
});

describe("a save", () => {
  // Seed 4: 1.1
  it("records what is being typed and where the work stands, and nothing where nothing has changed", async () => {
    await using test = await openSqliteTestLog();
    await using chat = await openTestChat(test, { model: scriptedModel([{ text: "Hello" }]) });
    await sayAll(chat, "Hi");
    for (const input of ["", "", "an", "an", "and", ""]) await chat.save({ input });
    expect((await readContents(test, chat.status.session)).slice(3)).toEqual([
      checkpoint(2),
      ...[draft("an"), checkpoint(2)],
      ...[draft("and"), checkpoint(2)],
      ...[draft(""), checkpoint(2)],
    ]);
  });

  it("makes the session of a chat in which something was only typed", async () => {
    await using test = await openSqliteTestLog();
    const chat = await openTestChat(test, { model: scriptedModel([]) });
    await chat.end({ input: "How do I" }, "interrupted");
    expect(await readContents(test, chat.status.session)).toEqual([
      ...[opened("started"), draft("How do I"), checkpoint(0)],
      { kind: "event", event: "interrupted", data: {} },
    ]);
    await using again = await openTestChat(test, { model: scriptedModel([]), session: chat.status.session });
    expect(again.restored.draft).toEqual({ input: "How do I" });
  });

  it("records again what is typed again after it was sent", async () => {
    await using test = await openSqliteTestLog();
    await using chat = await openTestChat(test, { model: scriptedModel([{ text: "Hello" }]) });
    await chat.save({ input: "Hi" });
    await sayAll(chat, "Hi");
    await chat.save({ input: "Hi" });
    expect(await readContents(test, chat.status.session)).toEqual([
      ...[opened("started"), draft("Hi"), checkpoint(0)],
      ...[said("user", "Hi"), replied("Hello"), draft("Hi"), checkpoint(2)],
    ]);
  });

  // Seed 4: 3.4
  it("happens from time to time, with the reply as far as it has come", async () => {
    await using test = await openSqliteTestLog();
    let tick: () => void = () => undefined;
    let typed = "";
    await using chat = await openTestChat(test, {
      model: scriptedModel([{ text: "One two three" }]),
      onTick: (each) => {
        tick = each;
      },
      draft: () => ({ input: typed }),
    });
    for await (const event of chat.say("Count", {
      signal: new AbortController().signal,
      approve: async () => "yes",
    })) {
      if (event.type !== "text" || event.text !== "two ") continue;
      typed = "and on";
      tick();
      // A second one while the first is under way does nothing.
      tick();
    }
    expect((await readContents(test, chat.status.session)).slice(2)).toEqual([
      ...[draft("and on", "One two "), checkpoint(1), replied("One two three")],
    ]);
  });

  it("that fails in the background is told, and the next one is tried", async () => {
    await using test = await openSqliteTestLog();
    const troubles: unknown[] = [];
    let tick: () => void = () => undefined;
    const git: { failure?: Error } = {};
    await using chat = await openTestChat(test, {
      model: scriptedModel([]),
      onTick: (each) => {
        tick = each;
      },
      draft: () => ({ input: "typed" }),
      onTrouble: (error) => troubles.push(error),
      desk: {
        place: async () => {
          if (git.failure !== undefined) throw git.failure;
          return { branch: null, commit: null };
        },
      },
    });
    git.failure = new Error("no git");
    tick();
    await expect.poll(() => troubles, { timeout: 60_000 }).toEqual([new Error("no git")]);
    delete git.failure;
    await expect
      .poll(
        async () => {
          tick();
          return (await test.log.list()).sessions.length;
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(chat.status.messages).toBe(0);
  });
});
