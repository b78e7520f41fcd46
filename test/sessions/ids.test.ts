import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isName, makeEntryId, makeSessionId, parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { anyCharacter } from "../support/any-character.ts";

const now = new Date(2026, 10, 15, 14, 30, 22);
const random = (size: number) => new Uint8Array(size).map((_, index) => index * 9);

describe("session ids", () => {
  it.each([
    { title: "", id: "session-20261115-143022-ajs1" },
    { title: "Auth bug", id: "session-20261115-143022-ajs1-auth-bug" },
    { title: "  -- Größe & ÉTÉ!! --  ", id: "session-20261115-143022-ajs1-gro-e-ete" },
    { title: "修复登录", id: "session-20261115-143022-ajs1" },
    { title: `${"a".repeat(39)} b c`, id: `session-20261115-143022-ajs1-${"a".repeat(39)}` },
  ])("of a session titled $title say when it began, in local time", ({ title, id }) => {
    expect(makeSessionId(now, title, random)).toBe(id);
  });

  it("are valid for any title", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (title) => {
        const id = makeSessionId(now, title);
        expect(parseSessionId(id)).toBe(id);
        expect(id).toMatch(/^session-20261115-143022-[a-z0-9]{4}(-[a-z0-9]+)*$/);
        expect(id.length).toBeLessThanOrEqual("session-20261115-143022-k3f9-".length + 40);
      }),
    );
  });
});

it("makes entry ids that are valid and sort by time", () => {
  const one = makeEntryId(now);
  const other = makeEntryId(new Date(now.getTime() + 1));
  expect([isName(one), isName(other), one < other]).toEqual([true, true, true]);
});

it("accepts exactly the ids that are safe as a file name, an argument and a part of a URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 140 }), (text) => {
      const isSafe =
        text.length > 0 && text.length <= 128 && !/[^A-Za-z0-9_-]/.test(text) && !/^[-_]/.test(text);
      expect(isName(text)).toBe(isSafe);
    }),
  );
  expect([isName("a".repeat(128)), isName("a".repeat(129)), isName("a\n")]).toEqual([true, false, false]);
});

it.each([
  { bad: "", message: "The empty text is not a valid entry id." },
  { bad: "../../x", message: '"../../x" is not a valid entry id.' },
  { bad: "\u001b[31m\ud800", message: '"\\u001b[31m\\ud800" is not a valid entry id.' },
  { bad: "é".repeat(50), message: `"${"\\u00e9".repeat(40)}…" (50 characters) is not a valid entry id.` },
])("quotes a bad id so that a terminal can show it: $message", ({ bad, message }) => {
  expect(() => parseEntryId(bad)).toThrow(
    expect.objectContaining({ message, code: "invalid-id", kind: "usage" }),
  );
});
