import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderJson, renderText } from "../../src/formats/render-sexp-session.ts";
import { parseSexp } from "../../src/formats/sexp/parse-sexp.ts";
import { readJson, readText } from "../../src/formats/sexp/read-fields.ts";
import { type Json, messageText } from "../../src/sessions/entry.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { visibleTalk } from "../../src/sessions/visible-talk.ts";
import { one, openWithSession } from "../contract/test-log.ts";
import { cases } from "../support/cases.ts";
import { anyNewEntry, anyText, collect, later, said } from "../support/entries.ts";
import { exportAll, importInto } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("a string in Lisp", () => {
  it("is read back as it was, whatever is in it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        // As it comes from a file: what has no form in UTF-8 would be lost.
        const stored = Buffer.from(renderText(text)).toString("utf8");
        expect(readText(parseSexp(stored))).toBe(text);
      }),
      { numRuns: cases(300) },
    );
  });

  it("escapes quotation marks and backslashes alone", () => {
    expect(renderText('a"b\\c\nd')).toBe('"a\\"b\\\\c\nd"');
    expect(renderText("x\ud800y")).toBe('(:text "x" 55296 "y")');
  });
});

describe("a value of JSON in Lisp", () => {
  it("is read back as it was", () => {
    const anyValue = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(readJson(parseSexp(Buffer.from(renderJson(value)).toString("utf8")))).toEqual(value);
      }),
      { numRuns: cases(300) },
    );
  });

  it.each([
    [5e-324, '(:number "5e-324")'],
    [1e21, "1d+21"],
    [0.1, "0.1d0"],
    [2 ** 53, "9007199254740992d0"],
    [
      JSON.parse('{"__proto__":[null,false,true,{},[]]}'),
      '(:object ("__proto__" (:array :null :false :true (:object) (:array))))',
    ],
  ])("loses nothing of %j", (value, text) => {
    expect(renderJson(value)).toBe(text);
    expect(readJson(parseSexp(text))).toEqual(value);
  });
});

describe("a session in the format sexp", () => {
  // Seed 4: 2.1
  it("says the same after it was imported elsewhere, for any talk, and importing twice adds nothing", async () => {
    const anyTalk = fc.uniqueArray(anyNewEntry, { selector: ({ id }) => id, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(anyTalk, async (talk) => {
        await using from = await openWithSession(openSqliteTestLog);
        await using to = await openSqliteTestLog();
        await from.log.append(one, talk);
        const text = await exportAll(from, "sexp");
        await importInto(to, text);
        const messages = (form: string) => form.slice(form.indexOf(":message-count"));
        expect(messages(await exportAll(to, "sexp"))).toBe(messages(text));
        expect((await importInto(to, text)).sessions[0]?.type).toBe("known");
        expect((await importInto(from, text)).sessions[0]?.type).toBe("known");
      }),
      { numRuns: 15 },
    );
  });

  it("holds the stretch after the last reset", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    const reset = { ...said("r", ""), kind: "event", event: "reset", data: {} } as const;
    await test.log.append(one, [said("a", "before"), reset, said("b", "after")]);
    expect(await exportAll(test, "sexp")).toContain("after");
    expect(await exportAll(test, "sexp")).not.toContain("before");
  });

  it("is known where it comes from, although that has more before its last reset", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    const reset = { ...said("r", ""), kind: "event", event: "reset", data: {} } as const;
    await test.log.append(one, [said("a", "before"), reset, said("b", "after")]);
    const text = await exportAll(test, "sexp");
    await test.log.append(one, [said("c", "more")]);
    expect((await importInto(test, text)).sessions).toEqual([
      { type: "known", session: "one", from: "one", more: 1 },
    ]);
  });

  it("puts its summary after what that stands for, and keeps what that keeps", async () => {
    await using from = await openWithSession(openSqliteTestLog);
    await using to = await openSqliteTestLog();
    const summary = {
      kind: "summary",
      text: "so far",
      replaces: parseEntryId("c"),
      kept: [parseEntryId("b")],
    } as const;
    await from.log.append(one, [
      ...[said("a", "1"), said("b", "2"), said("c", "3"), said("d", "4")],
      { ...summary, id: parseEntryId("s"), at: later(1) },
      said("e", "5"),
    ]);
    await importInto(to, await exportAll(from, "sexp"));
    const entries = await collect(to.log.read(one));
    const { summary: text, messages } = visibleTalk(entries);
    expect({ text, seen: messages.map(messageText), of: entries.length }).toEqual({
      ...{ text: "so far", seen: ["2", "4", "5"], of: 6 },
    });
  });

  it("goes on where it was when the file has grown, and stands beside what went another way", async () => {
    await using test = await openSqliteTestLog();
    const form = (...texts: readonly string[]) =>
      `; saved by the REPL\n(:REPL-SESSION (:session-version 1) :id "session-20250219-143022" :created-at 3949000000
        :last-modified 3949000100 :message-count ${texts.length} :summary NIL :messages
        (${texts.map((text) => `(:role :user :content "${text}" :timestamp 3949000050)`).join(" ")}))`;
    expect((await importInto(test, form("1", "2"))).sessions).toMatchObject([{ type: "added", added: 2 }]);
    expect((await importInto(test, form("1", "2", "3"))).sessions).toMatchObject([
      { type: "extended", added: 1 },
    ]);
    expect((await importInto(test, form("1"))).sessions).toMatchObject([{ type: "known" }]);
    const beside = { session: "session-20250219-143022-imported", from: "session-20250219-143022" };
    expect((await importInto(test, form("1", "other"))).sessions).toMatchObject([
      { type: "added", ...beside },
    ]);
    expect((await importInto(test, form("1", "other"))).sessions).toMatchObject([
      { type: "known", ...beside },
    ]);
    const { sessions } = await test.log.list();
    expect(sessions.map(({ client, startedAt }) => [client, startedAt.toISOString()])).toEqual(
      Array(2).fill(["carryon-chat", "2025-02-20T00:26:40.000Z"]),
    );
  });

  it("is known again although a secret was taken out of it", async () => {
    await using test = await openSqliteTestLog();
    const form = `(:repl-session (:session-version 1) :id "s" :created-at "2026-01-01" :messages
      ((:role :user :content "use ghp_${"a1B2".repeat(9)}")))`;
    expect((await importInto(test, form)).sessions[0]?.type).toBe("added");
    expect(JSON.stringify(await collect(test.log.read("s" as typeof one)))).toContain("[redacted:");
    expect((await importInto(test, form)).sessions[0]?.type).toBe("known");
  });

  it.each([
    ['(:repl-session (:session-version 2) :id "a")', "Line 1: version 2 of the form is not known."],
    ['(:repl-session (:session-version 1)\n:id "a" :id "b")', "Line 2: :id comes twice."],
    [
      '(:repl-session (:session-version 1) :id "../x" :created-at "2026-01-01")',
      "Line 1: :id must be 1 to 128 letters, digits, - and _.",
    ],
    ['(:repl-session\n(:session-version 1)\n:id "a', "Line 3: a string was cut off."],
    ['(:repl-session (:session-version 1) :id #.(run-program "rm"))', 'Line 1: "#" cannot stand here.'],
    ["(:other)", "Line 1: it is no :repl-session."],
    [`(${"(".repeat(500)}`, "Line 1: it is nested deeper than 200 levels."],
    [
      '(:repl-session (:session-version 1) :id "a" :created-at "2026-01-01" :message-count 2 :messages ())',
      "Line 1: :message-count does not fit: there are 0 messages.",
    ],
    [
      '(:repl-session (:session-version 1) :id "a" :created-at "2026-01-01" :messages ((:role :god)))',
      "Line 1: :role must be :user, :assistant, :tool or :system.",
    ],
    ['(:repl-session (:session-version 1) :id "a") (more)', "Line 1: something follows the session."],
  ])("is refused with the line: %s", async (form, message) => {
    await using test = await openSqliteTestLog();
    await expect(importInto(test, form)).rejects.toMatchObject({ code: "bad-import", message });
    expect((await test.log.list()).sessions).toEqual([]);
  });

  it("is refused when it was cut off at any byte", async () => {
    await using test = await openWithSession(openSqliteTestLog);
    await test.log.append(one, [said("a", 'say "hi"'), said("b", "2", { at: later(1) })]);
    const bytes = Buffer.from((await exportAll(test, "sexp")).trimEnd());
    for (let length = 0; length < bytes.length; length += 1)
      await expect(importInto(test, bytes.subarray(0, length))).rejects.toMatchObject({ code: "bad-import" });
  });
});
