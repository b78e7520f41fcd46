import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTag, parseTitle } from "../../src/sessions/session-events.ts";
import { applyEntry, type SessionFacts, startFacts } from "../../src/sessions/session-facts.ts";
import { anyNewEntry, anyText, said, start } from "../support/entries.ts";

const begin = startFacts(start.getTime(), null);
const apply = (facts: SessionFacts, entry: Parameters<typeof said> | ReturnType<typeof said>) => {
  const content = Array.isArray(entry) ? said(...entry) : entry;
  return applyEntry(facts, { id: content.id, at: content.at, content });
};

describe("what the entries say of their session", () => {
  it("does not depend on the order of arrival, but for the opening", () => {
    const entries = fc.uniqueArray(anyNewEntry, { selector: (entry) => entry.id, maxLength: 8 });
    fc.assert(
      fc.property(
        entries.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([one, other]) => {
          const { opening: _one, ...first } = one.reduce(apply, begin);
          const { opening: _other, ...second } = other.reduce(apply, begin);
          expect(second).toEqual(first);
        },
      ),
    );
  });

  it("counts messages and never goes back in time", () => {
    fc.assert(
      fc.property(fc.array(anyNewEntry, { maxLength: 8 }), (entries) => {
        const facts = entries.reduce(apply, begin);
        expect(facts.messages).toBe(entries.filter((entry) => entry.kind === "message").length);
        expect(facts.updatedMs).toBe(
          Math.max(start.getTime(), ...entries.map((entry) => entry.at.getTime())),
        );
      }),
    );
  });

  it.each([
    { text: "short", opening: "short" },
    { text: "  two\n\n lines\t", opening: "two lines" },
    { text: "x".repeat(100), opening: "x".repeat(60) },
    { text: "👍".repeat(100), opening: "👍".repeat(60) },
    { text: `${"y".repeat(59)} z`, opening: "y".repeat(59) },
    { text: "half \ud83d", opening: "half \ufffd" },
    { text: " \n ", opening: null },
    { text: "a\0b", opening: "a\ufffdb" },
    { text: "<system-reminder>Be brief.</system-reminder>Go.", opening: "Go." },
    { text: "/carryon:load", opening: null },
    {
      text: "Implement the following plan:\n\n# Plan: Round the prices\n\n## Goal",
      opening: "Round the prices",
    },
    { text: "## Sort the names\nby length", opening: "Sort the names" },
    { text: "#12 is broken\nagain", opening: "#12 is broken again" },
  ])("opens with the first 60 characters of the first user message: $text", ({ text, opening }) => {
    expect(apply(begin, ["a", text]).opening).toBe(opening);
  });

  it("ignores a description that has the wrong form", () => {
    const event = (name: string, data: object) => ({
      ...said("a", ""),
      kind: "event" as const,
      event: name,
      data,
    });
    const wrong = [
      event("titled", { title: 5 }),
      event("titled", {}),
      event("tagged", { add: "x" }),
      event("tagged", { add: [1], remove: ["two words"] }),
      event("constructor", {}),
    ];
    for (const entry of wrong) {
      expect(applyEntry(begin, { id: entry.id, at: entry.at, content: entry as never })).toEqual(begin);
    }
  });
});

describe("titles and tags", () => {
  it("are one line of at most 200 characters", () => {
    expect(parseTitle("  a \n b  ")).toBe("a b");
    expect([...parseTitle("👍".repeat(300))]).toHaveLength(200);
    expect(() => parseTitle(" \t ")).toThrow(expect.objectContaining({ code: "empty-title" }));
  });

  it("are well-formed for any text", () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => text.trim() !== ""),
        (text) => {
          const title = parseTitle(text);
          expect([title.isWellFormed(), title.includes("\0"), title.trim() === title]).toEqual([
            true,
            false,
            true,
          ]);
        },
      ),
    );
  });

  it.each(["", "two words", "-x", "x".repeat(65), "\u202e", "a,b"])("refuses the tag %j", (tag) => {
    expect(() => parseTag(tag)).toThrow(expect.objectContaining({ code: "invalid-tag" }));
  });

  it.each(["pinned", "release/1.2", "重要", "a:b_c"])("accepts the tag %s", (tag) => {
    expect(parseTag(tag)).toBe(tag);
  });
});
