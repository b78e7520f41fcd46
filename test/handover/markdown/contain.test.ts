import { describe, expect, it } from "vitest";
import { toBody } from "../../../src/handover/markdown/contain.ts";

describe("toBody", () => {
  it.each([
    { case: "a heading", text: "a\n## Direction", body: "a\n\\## Direction" },
    { case: "an underlined heading", text: "a\n===\n===\nb", body: "a\n\\===\n\\===\nb" },
    { case: "an open fence", text: "```sh\n# not a heading", body: "```sh\n# not a heading\n```" },
    { case: "open HTML", text: "<pre>\n# no heading", body: "<pre>\n# no heading\n</pre>" },
    { case: "a comment that hides the rest", text: "a\n<!-- b\n# c", body: "a\n\\<!-- b\n\\# c" },
    { case: "comments inside of comments", text: "a\n<!--\n<!--\n# b", body: "a\n\\<!--\n\\<!--\n\\# b" },
    { case: "a mark of a merge", text: "<<<<<<< HEAD", body: "\\<<<<<<< HEAD" },
    { case: "NUL and half characters", text: "a\0\uD800", body: "a\uFFFD\uFFFD" },
  ])("makes $case harmless", ({ text, body }) => {
    expect([toBody(text), toBody(body)]).toEqual([body, body]);
  });

  it.each([
    "#### deeper\n- [x] a\n  ## in an item\n> # quoted\n\n    # code\n\n| a |\n|---|",
    "a\n\n<!-- comment -->\n\nb",
    "```\n# code\n```",
    "**Added this session:**",
  ])("leaves alone what a section may hold: %j", (text) => {
    expect(toBody(text)).toBe(text);
  });

  it.each(["none", " なし\n", "-", "- None", "None.", "なし。"])("takes %j for nothing", (text) => {
    expect(toBody(text)).toBe("");
  });

  it("escapes, in a group of decisions, what would begin another group", () => {
    expect(toBody("1. a\n**Added this session:**\n2. b", "group")).toBe(
      "1. a\n\\**Added this session:**\n2. b",
    );
  });

  it("refuses a text that is too large to be read", () => {
    expect(() => toBody("a\n".repeat(5000))).toThrow(expect.objectContaining({ code: "document-too-large" }));
  });
});
