import { expect, inject, it } from "vitest";
import type { Chat } from "../../src/chat/chat.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { answered, called, opened, replied, said } from "../support/chat-contents.ts";
import { openTestChat, readContents, sayAll } from "../support/open-test-chat.ts";
import { makeName } from "../support/postgres-database.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { scriptedTools } from "../support/scripted-tools.ts";
import { patientDeadlines, testKey } from "../support/store-address.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { openTestLog } from "../support/test-log.ts";

/** Says something, and does something at the first event of a type. */
async function sayAnd(chat: Chat, text: string, type: string, act: () => void): Promise<void> {
  let isDue = true;
  const options = { signal: new AbortController().signal, approve: async () => "yes" as const };
  for await (const event of chat.say(text, options)) {
    if (event.type !== type || !isDue) continue;
    isDue = false;
    act();
  }
}

it.each(["cut-before", "cut-reply"] as const)(
  "a reply and a result that could not be stored come with what is said next, once: %s",
  async (weather) => {
    const url = new URL(inject("postgresUrl"));
    await using proxy = await openProxy(Number(url.port));
    url.port = String(proxy.port);
    const schema = makeName();
    await using test = await openTestLog(() => openPostgres(url.href, testKey, schema, patientDeadlines));
    const cut = () => proxy.become({ type: weather, said: "COMMIT" });
    const look = { call: "1", name: "look", input: {} };
    const model = scriptedModel([{ text: "First" }, { calls: [look] }, { text: "Third" }]);
    const toolbox = scriptedTools({ look: async () => ({ output: "seen", failed: false }) });
    await using chat = await openTestChat(test, { model, toolbox });
    await expect(sayAnd(chat, "One", "text", cut)).rejects.toMatchObject({ code: "store-unreachable" });
    await expect(sayAnd(chat, "Two", "tool-started", cut)).rejects.toMatchObject({
      code: "store-unreachable",
    });
    await sayAll(chat, "Three");
    const contents = await readContents(test, chat.status.session);
    expect(contents).toEqual([
      ...[opened("started"), said("user", "One"), replied("First"), said("user", "Two")],
      ...[called(look), answered("1", "seen")],
      ...[said("user", "Three"), replied("Third")],
    ]);
    expect(model.requests[2]?.messages.slice(2)).toMatchObject([
      { role: "user", parts: [{ text: "Two" }] },
      { role: "assistant", parts: [{ call: "1" }] },
      { role: "tool", parts: [{ call: "1", output: "seen" }] },
      { role: "user", parts: [{ text: "Three" }] },
    ]);
    expect((await test.log.verify(chat.status.session)).problem).toBe(null);
  },
);
