import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { AppError } from "../../src/lib/app-error.ts";
import { literalPattern, regexPattern } from "../../src/redaction/text-pattern.ts";
import { anyCharacter } from "../support/any-character.ts";
import { patience } from "../support/process-group.ts";

const mark = (match: string) => `<${match}>`;

describe("a literal pattern", () => {
  it.each([
    { case: "the text itself, each time", secret: "pass", text: "pass, passes", found: "<pass>, <pass>es" },
    {
      case: "characters that mean something else in a regular expression",
      secret: "a.b*c$",
      text: "aXb a.b*c$",
      found: "aXb <a.b*c$>",
    },
    {
      case: "quotes as JSON text spells them",
      secret: 'say "it"',
      text: '{"a":"say \\"it\\""}',
      found: '{"a":"<say "it">"}',
    },
    {
      case: "letters as ASCII JSON spells them",
      secret: "größe",
      text: String.raw`gr\u00f6\u00dfe größe`,
      found: "<größe> <größe>",
    },
    {
      case: "an address with percent signs",
      secret: "p@ss wörd",
      text: "https://me:p%40ss%20w%C3%B6rd@host",
      found: "https://me:<p@ss wörd>@host",
    },
    { case: "lines with other ends", secret: "one\ntwo", text: "one\r\ntwo", found: "<one\ntwo>" },
    { case: "lines that a title has joined", secret: "one\n  two", text: "one two", found: "<one\n  two>" },
    { case: "nothing in another case", secret: "Secret", text: "secret", found: "secret" },
  ])("finds $case", ({ secret, text, found }) => {
    expect(literalPattern(secret).replace(text, mark)).toBe(found);
  });

  it("finds every case when it is to ignore it", () => {
    expect(literalPattern("Straße", { ignoreCase: true }).replace("STRAßE straße", mark)).toBe(
      "<Straße> <Straße>",
    );
  });

  it.each(["", "abc", "äöü", "🔑🔑🔑"])("is not made of %j, which is too short", (text) => {
    expect(() => literalPattern(text)).toThrow(
      expect.objectContaining({ kind: "usage", code: "bad-pattern" }),
    );
  });

  it("takes any text out of any other, wherever it stands in a JSON text", () => {
    const anyText = fc.string({ unit: anyCharacter });
    const anySecret = fc.string({ unit: anyCharacter, minLength: 4 }).filter((text) => !text.includes("*"));
    fc.assert(
      fc.property(anyText, anySecret, anyText, (before, secret, after) => {
        const pattern = literalPattern(secret);
        const text = before + secret + after;
        expect(pattern.mayBeIn(JSON.stringify({ text }))).toBe(true);
        expect(pattern.replace(text, () => "*")).not.toContain(secret);
      }),
    );
  });

  it("need not look at a JSON text that does not hold it", () => {
    expect(literalPattern("secret").mayBeIn('{"text":"nothing"}')).toBe(false);
  });
});

describe("a pattern of a regular expression", () => {
  it("gives each match a marker of its own, and never stops at an empty one", () => {
    expect(regexPattern(String.raw`key-\d+|(?=key)`).replace("key-1 and key-22", mark)).toBe(
      "<key-1> and <key-22>",
    );
    expect(regexPattern("KEY", { ignoreCase: true }).replace("Key key", mark)).toBe("<Key> <key>");
  });

  it.each([
    { source: "(", reason: "The regular expression is not valid: Unterminated group." },
    { source: "secret[", reason: "The regular expression is not valid: Unterminated character class." },
    ...["x*", String.raw`\b|key`, "^", "$", "(?=.)", String.raw`(?<=\s)|key`].map((source) => ({
      source,
      reason: "The regular expression matches the empty text, so that it would match everywhere.",
    })),
  ])("refuses $source without repeating it", ({ source, reason }) => {
    let thrown: unknown;
    try {
      regexPattern(source);
    } catch (error) {
      thrown = error;
    }
    const { kind, code, message, cause } = thrown as AppError;
    expect({ kind, code, message, cause }).toEqual({ kind: "usage", code: "bad-pattern", message: reason });
  });
});

it("is given up when it takes for ever, and can be used again", async () => {
  // A busy machine may not do in this time what takes none.
  const pattern = await vi.waitFor(() => regexPattern("(a+)+$", { deadlineMs: 100 }), patience);
  const slow = `${"a".repeat(60)}!`;
  const refusal = expect.objectContaining({ kind: "usage", code: "slow-pattern" });
  expect(() => pattern.replace(slow, mark)).toThrow(refusal);
  expect(() => pattern.isLike(slow)).toThrow(refusal);
  expect(() => pattern.together(() => ["aa", slow].map((text) => pattern.replace(text, mark)))).toThrow(
    refusal,
  );
  expect(await vi.waitFor(() => pattern.together(() => pattern.replace("aa", mark)), patience)).toBe("<aa>");
});

it.each([
  { pattern: literalPattern("My P4ss_Word"), text: "MY P4SS_WORD!", like: true },
  { pattern: literalPattern("My P4ss_Word"), text: "session-20261115-my-p4ss-word-2", like: true },
  { pattern: literalPattern("My P4ss_Word"), text: "session-my-pass-word", like: false },
  { pattern: literalPattern("----"), text: "session-a", like: false },
  { pattern: regexPattern("Key-[A-F]+"), text: "key-abc", like: true },
  { pattern: regexPattern("[a-z]+"), text: "[redacted:scrubbed:0123abcd]", like: false },
])("knows that $text holds it in any case, or not: $like", ({ pattern, text, like }) => {
  expect(pattern.isLike(text)).toBe(like);
});

it.each([
  { pattern: literalPattern("redacted"), text: "[redacted:scrubbed:0123abcd]" },
  { pattern: literalPattern("0123"), text: "[redacted:scrubbed:0123abcd]" },
  { pattern: regexPattern(".+"), text: "[redacted:a:0123abcd][redacted:b:0123abcd]" },
  { pattern: regexPattern("(?<=password=).+"), text: "password=[redacted:scrubbed:0123abcd]" },
])("leaves markers as they are: $text", ({ pattern, text }) => {
  expect(pattern.replace(text, mark)).toBe(text);
});
