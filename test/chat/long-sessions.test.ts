import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/model/model.ts";
import { one } from "../contract/test-log.ts";
import { newSession, said } from "../support/entries.ts";
import { openTestChat, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const isForSummary = ({ system }: ModelRequest) => system?.startsWith("You write records") === true;

describe("a session that is far longer than the model has room for", () => {
  it("is opened without reading all of it, and summed up as a whole before the model is asked", async () => {
    await using test = await openSqliteTestLog();
    await test.log.open(
      newSession("one", test.project, { client: "carryon-chat" }),
      Array.from({ length: 700 }, (_, index) => said(`m${index}`, `Word ${index} ${"x".repeat(40)}`)),
    );
    const model = scriptedModel((request) => ({ text: isForSummary(request) ? "The record." : "Hello" }), {
      contextTokens: 4000,
    });
    const chat = await openTestChat(test, { model, session: one });
    expect(chat.restored).toMatchObject({ messages: 700 });
    expect(chat.recent(10_000).length).toBe(512);
    const events = await sayAll(chat, "And now?");
    expect(events.map(({ type }) => type)).toEqual(["prompt-saved", "compacted", "text", "reply-saved"]);
    const [asked, last] = model.requests;
    expect(JSON.stringify(asked)).toMatch(/older messages are not shown/);
    expect(JSON.stringify(asked).length).toBeLessThan(4000 * 4);
    expect(JSON.stringify(last).length).toBeLessThan(4000 * 4);
    expect(JSON.stringify(last)).toContain("The record.");
    await chat.end({ input: "" }, "ended");

    await using again = await openTestChat(test, { model, session: one });
    expect(again.restored).toMatchObject({ messages: 702, summary: "The record." });
  });
});
