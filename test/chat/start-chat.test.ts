import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startChat } from "../../src/chat/start-chat.ts";
import { models, openChatWorld } from "../support/chat-world.ts";
import { makeRepo } from "../support/git-repo.ts";
import { sayAll } from "../support/open-test-chat.ts";

const noDraft = { input: "" };

describe.each(models)("a chat with %s", (model) => {
  it("reads, writes and runs in its folder, and goes on with what comes of it", async () => {
    await using world = await openChatWorld({
      rules: [
        {
          when: "Make it",
          steps: [
            { thinking: "Look first.", text: "Let me look.", calls: [{ tool: "list", input: {} }] },
            {
              calls: [
                { tool: "write", input: { path: "b.txt", content: "two\n" } },
                { tool: "bash", input: { command: "cat a.txt b.txt" } },
                { tool: "read", input: { path: "../secret" } },
              ],
            },
            { text: "Made." },
          ],
        },
      ],
      otherwise: { text: "You said {{prompt}}" },
    });
    await writeFile(join(world.folder, "a.txt"), "one\n");
    const chat = await world.start({ model, thinkingTokens: 2000 });
    await sayAll(chat, "Make it");
    const last = (await sayAll(chat, "Thanks")).at(-1);
    expect(last).toMatchObject({ type: "reply-saved", message: { parts: [{ text: "You said Thanks" }] } });
    expect(await readFile(join(world.folder, "b.txt"), "utf8")).toBe("two\n");
    await chat[Symbol.asyncDispose]();
    const results = (await world.read(chat.status.session)).flatMap((entry) =>
      "role" in entry && entry.role === "tool" ? [JSON.stringify(entry)] : [],
    );
    expect(results.map((each) => each.includes('"failed":true'))).toEqual([false, false, false, true]);
    expect(results[2]).toContain("one\\ntwo\\n");
    expect(world.server.refusals).toEqual([]);
  });

  it("that is lost in mid-stream keeps what had come, and is resumed", async () => {
    await using world = await openChatWorld({
      rules: [
        { when: "Go on", steps: [{ text: "Here is the rest." }] },
        { when: "Tell", steps: [{ text: "This is cut in two pieces.", drop: { at: "middle" } }] },
      ],
    });
    const chat = await world.start({ model });
    await expect(sayAll(chat, "Tell me")).rejects.toMatchObject({ code: "model-lost" });
    await chat.end(noDraft, "interrupted");
    const { session } = chat.status;
    await chat[Symbol.asyncDispose]();
    const again = await world.start({ model, session });
    expect(again.restored.messages).toBe(2);
    await sayAll(again, "Go on");
    await again[Symbol.asyncDispose]();
    const talk = (await world.read(session)).filter((entry) => "role" in entry);
    expect(talk).toMatchObject([
      { role: "user" },
      { role: "assistant", interrupted: true, parts: [{ text: expect.stringMatching(/^This is /) }] },
      { role: "user" },
      { role: "assistant", parts: [{ text: "Here is the rest." }] },
    ]);
    expect(world.server.refusals).toEqual([]);
  });

  it("is stopped by a signal, while the model talks and while a command runs", async () => {
    await using world = await openChatWorld({
      rules: [
        { when: "Talk", steps: [{ text: "I talk and talk.", hang: { at: "middle" } }] },
        { when: "Sleep", steps: [{ calls: [{ tool: "bash", input: { command: "echo on; sleep 60" } }] }] },
      ],
      otherwise: { text: "Well." },
    });
    await using chat = await world.start({ model });
    const stopAt = async (text: string, type: string) => {
      const stop = new AbortController();
      const seen: string[] = [];
      for await (const event of chat.say(text, { signal: stop.signal, approve: async () => "yes" })) {
        seen.push(event.type);
        if (event.type === type) setTimeout(() => stop.abort(), 50);
      }
      return seen.at(-1);
    };
    expect([await stopAt("Talk", "text"), await stopAt("Sleep", "tool-started")]).toEqual([
      ...["interrupted", "interrupted"],
    ]);
    await sayAll(chat, "Well?");
    expect(world.server.refusals).toEqual([]);
  });

  it("has older messages summed up by the model", async () => {
    await using world = await openChatWorld({
      rules: [{ system: "You write records", steps: [{ text: "The record." }] }],
      otherwise: { text: "{{turn}}" },
    });
    await using chat = await world.start({ model });
    for (const prompt of ["One", "Two", "Three"]) await sayAll(chat, prompt);
    expect(await chat.compact(new AbortController().signal)).toBe("The record.");
    await sayAll(chat, "Four");
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain("The record.");
    expect(world.server.refusals).toEqual([]);
  });
});

describe("a chat", () => {
  it("quotes earlier sessions of the project to the model, neither itself nor what it has quoted before", async () => {
    const ask = { tool: "carryon_recall", input: { question: "Why was the kettle unplugged? since:soon" } };
    await using world = await openChatWorld({
      rules: [{ when: "Why", steps: [{ text: "Let me ask.", calls: [ask] }, { text: "The fuse blew." }] }],
      otherwise: { text: "Noted: the kettle is unplugged, because its fuse blew." },
    });
    const [model] = models;
    const sessions: string[] = [];
    const talk = async (prompt: string) => {
      await using chat = await world.start({ model });
      await sayAll(chat, prompt);
      sessions.push(chat.status.session);
      const entries = await world.read(chat.status.session);
      return JSON.stringify(entries.findLast((each) => "role" in each && each.role === "tool"));
    };
    await talk("Remember the kettle");
    const told = [await talk("Why did you unplug the kettle?"), await talk("Why did you unplug the kettle?")];
    const sources = told.map((each) => [
      ...new Set([...each.matchAll(/\\n(session-\S+?)#/g)].map(([, session]) => session)),
    ]);
    expect(sources.map((each) => each.toSorted())).toEqual([
      sessions.slice(0, 1),
      sessions.slice(0, 2).toSorted(),
    ]);
    for (const each of told) {
      expect(each).toMatch(
        /"\d passages\. since:soon was taken as text: .*\\n\\nWhat follows is quoted from the record.*"echo":true/,
      );
      expect(each).toContain("because its fuse blew");
      expect(each).not.toContain("Why was the kettle unplugged?");
    }
  });

  // Seed 4: 3.3
  it("goes on with another provider where one has left it, thoughts and open calls included", async () => {
    await using world = await openChatWorld({
      rules: [
        {
          when: "Look",
          steps: [
            { thinking: "Hm.", text: "I look.", calls: [{ tool: "list", input: {} }] },
            { text: "Seen.", drop: { at: "middle" } },
          ],
        },
      ],
      otherwise: { text: "Well." },
    });
    let session: string | undefined;
    for (const model of [...models, ...models]) {
      const chat = await world.start({
        model,
        thinkingTokens: 2000,
        ...(session === undefined ? {} : { session }),
      });
      await expect(sayAll(chat, "Look")).rejects.toMatchObject({ code: "model-lost" });
      await sayAll(chat, "Well?");
      session = chat.status.session;
      await chat[Symbol.asyncDispose]();
    }
    expect(world.server.refusals).toEqual([]);
  });

  it("uses the model that the user has chosen, and says what is missing without a key", async () => {
    await using world = await openChatWorld({ rules: [], otherwise: { text: "Hello" } });
    await using chat = await startChat({ ...world.options, autoSaveInterval: 0 });
    expect(chat.status.model).toMatch(/^anthropic\//);
    const { ANTHROPIC_API_KEY: _key, ...without } = world.options.env;
    await expect(world.start({ env: without })).rejects.toMatchObject({ code: "no-model-key" });
  });

  // Seed 4: 1.2, 3.6, 4.4
  it("finds a session by what a person types, and names near ones where there is none", async () => {
    await using world = await openChatWorld({ rules: [], otherwise: { text: "Hello" } });
    const chat = await world.start({ name: "The login" });
    await sayAll(chat, "Hi");
    const { session } = chat.status;
    await chat[Symbol.asyncDispose]();
    for (const typed of ["latest", "The log", session.slice(0, 24)]) {
      await using found = await world.start({ session: typed });
      expect(found.status.session).toBe(session);
    }
    await expect(world.start({ session: "The logn" })).rejects.toMatchObject({
      code: "session-not-found",
      hint: "Did you mean The login?",
    });
  });

  it("notes branch and commit at a save, and keeps no key anywhere", async () => {
    await using world = await openChatWorld({ rules: [], otherwise: { text: "Hello" } });
    await makeRepo(world.folder, ["Begin"]);
    const chat = await world.start();
    await sayAll(chat, "Hi");
    await chat.save(noDraft);
    await chat[Symbol.asyncDispose]();
    const contents = await world.read(chat.status.session);
    expect(contents.find((entry) => "state" in entry)).toMatchObject({
      state: { branch: "main", commit: expect.stringMatching(/^[0-9a-f]{40}$/), messages: 2 },
    });
    expect(JSON.stringify(contents)).not.toContain("sk-test");
  });
});
