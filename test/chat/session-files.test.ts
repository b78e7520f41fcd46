import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { checkSessionFile } from "../../src/chat/session-file.ts";
import { importInto } from "../support/exchange.ts";
import { openTestChat, sayAll } from "../support/open-test-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const noDraft = { input: "" };
const hello = () => scriptedModel([{ text: "Hello" }, { text: "Again" }, { text: "And again" }]);

describe("a session file", () => {
  // Seed 4: 3.2
  it.each([
    { name: "talk.jsonl", begins: '{"format":"carryon"' },
    { name: "talk", begins: '{"format":"carryon"' },
    { name: "talk.json", begins: '{"format":"carryon-json"' },
    { name: "talk.sexp", begins: "(:repl-session (:session-version 1)" },
  ])(
    "$name is a copy at each save and at the end, and is gone on with elsewhere",
    async ({ name, begins }) => {
      await using dir = await tempDir();
      const file = await checkSessionFile(dir.join("home"), dir.join(name));
      await using here = await openSqliteTestLog();
      const chat = await openTestChat(here, { model: hello(), file });
      await sayAll(chat, "Hi");
      await chat.save(noDraft);
      expect((await readFile(file.path, "utf8")).replace(/\s/g, "")).toContain(begins.replace(/\s/g, ""));
      expect((await stat(file.path)).mode & 0o777).toBe(0o600);
      await chmod(file.path, 0o644);
      await sayAll(chat, "More");
      await chat.end(noDraft, "ended");
      expect((await stat(file.path)).mode & 0o777).toBe(0o600);

      await using there = await openSqliteTestLog();
      const model = hello();
      const elsewhere = await openTestChat(there, { model, file });
      expect(elsewhere.status.session).toBe(chat.status.session);
      expect(elsewhere.restored).toMatchObject({ messages: 4, file: { type: "added", more: 0 } });
      await sayAll(elsewhere, "Elsewhere");
      expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual([
        ...["user", "assistant", "user", "assistant", "user"],
      ]);
      await elsewhere.end(noDraft, "ended");

      await using back = await openTestChat(here, { model: hello(), file });
      expect(back.restored).toMatchObject({ messages: 6, file: { type: "extended", more: 0 } });
    },
  );

  it("is refused where a folder is in its place", async () => {
    await using dir = await tempDir();
    await expect(checkSessionFile(dir.join("home"), dir.path)).rejects.toMatchObject({ code: "not-a-file" });
  });

  it("that is behind the store is not gone back to, and that is told", async () => {
    await using dir = await tempDir();
    await using test = await openSqliteTestLog();
    const file = await checkSessionFile(dir.join("home"), dir.join("talk.jsonl"));
    const chat = await openTestChat(test, { model: hello(), file });
    await sayAll(chat, "Hi");
    await chat.save(noDraft);
    const { session } = chat.status;
    await chat.end(noDraft, "ended");
    const without = await openTestChat(test, { model: hello(), session });
    await sayAll(without, "More");
    await without.end(noDraft, "ended");
    await using again = await openTestChat(test, { model: hello(), file });
    expect(again.restored).toMatchObject({ messages: 4, file: { type: "known", more: 5 } });
  });

  it("stays that of the session it is of when the chat changes to another one", async () => {
    await using dir = await tempDir();
    await using test = await openSqliteTestLog();
    const file = await checkSessionFile(dir.join("home"), dir.join("talk.jsonl"));
    const chat = await openTestChat(test, { model: hello(), file });
    await sayAll(chat, "Hi");
    const { session } = chat.status;
    await chat.fork(undefined, noDraft);
    await sayAll(chat, "In the fork");
    await chat.end(noDraft, "ended");
    const text = await readFile(file.path, "utf8");
    expect([text.includes(session), text.includes("In the fork")]).toEqual([true, false]);
    expect((await importInto(test, text)).sessions).toMatchObject([{ type: "known", more: 0 }]);
  });

  it("that cannot be read again, or has no folder, is refused before anything is recorded", async () => {
    await using dir = await tempDir();
    for (const name of ["talk.md", "talk.html", "talk.jsonl.age", "gone/talk.jsonl"])
      await expect(checkSessionFile(dir.join("home"), dir.join(name))).rejects.toMatchObject({
        code: "bad-session-file",
      });
  });

  it("with something else in it is refused, and left as it is", async () => {
    await using dir = await tempDir();
    await using test = await openSqliteTestLog();
    const file = await checkSessionFile(dir.join("home"), dir.join("talk.jsonl"));
    await writeFile(file.path, "a poem\n");
    await expect(openTestChat(test, { model: hello(), file })).rejects.toMatchObject({ kind: "usage" });
    expect(await readFile(file.path, "utf8")).toBe("a poem\n");
  });
});
