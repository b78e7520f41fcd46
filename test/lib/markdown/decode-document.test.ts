import { describe, expect, it } from "vitest";
import { decodeDocument } from "../../../src/lib/markdown/decode-document.ts";

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
