import { describe, expect, it } from "vitest";
import { toBody } from "../../../src/handover/markdown/contain.ts";
import { decodeDocument } from "../../../src/handover/markdown/decode-document.ts";

describe("decodeDocument", () => {
  it.each([
    { case: "binary bytes", bytes: Buffer.from("PK\0\u0001"), reason: "it is binary, or not UTF-8" },
    {
      case: "UTF-16",
      bytes: Buffer.from("\uFEFF# Session", "utf16le"),
      reason: "it is binary, or not UTF-8",
    },
    { case: "Latin-1", bytes: Buffer.from("café", "latin1"), reason: "it is not UTF-8" },
    {
      case: "a text that is too long",
      bytes: Buffer.alloc(262_145, "a"),
      reason: "it has 262145 characters",
    },
    { case: "too many lines", bytes: Buffer.alloc(9000, "a\n"), reason: "it has 4500 lines" },
    {
      case: "quotes inside of quotes without end",
      bytes: Buffer.from(`a\n${"> ".repeat(5000)}b`),
      reason: "it is nested too deeply in line 2",
    },
    {
      case: "lists inside of lists without end",
      bytes: Buffer.from(`${" ".repeat(250)}- b`),
      reason: "it is nested too deeply in line 1",
    },
    {
      case: "too many lists inside of lists",
      bytes: Buffer.from("- - - b\n".repeat(1001)),
      reason: "it is nested too deeply in line 1001",
    },
  ])("reports $case", ({ bytes, reason }) => {
    expect(decodeDocument(bytes)).toEqual({ type: "undecodable", reason });
  });

  it.each(["", "# Session Handover\r\n", "\uFEFF日本", "-".repeat(300), "   * * * ".repeat(5)])(
    "reads %j",
    (text) => {
      expect(decodeDocument(Buffer.from(text))).toEqual({ type: "text", text });
    },
  );
});

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
