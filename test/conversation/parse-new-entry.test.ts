import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEntryId } from "../../src/conversation/ids.ts";
import { parseNewEntry } from "../../src/conversation/parse-new-entry.ts";
import { anyNewEntry, start } from "../support/entries.ts";

const made = parseEntryId("made");
const parse = (value: unknown) => parseNewEntry(value, { now: start, entryId: () => made });

it("takes the short form of a message", () => {
  expect(parse({ role: "user", text: "hi" })).toEqual({
    id: "made",
    at: start,
    kind: "message",
    role: "user",
    parts: [{ type: "text", text: "hi" }],
  });
});

it("takes what show prints: number and session do not count", () => {
  const printed = {
    ...{
      id: "e1",
      seq: 7,
      session: "s1",
      parent: null,
      strand: "worker",
      at: "2026-11-15T13:00:00.000+01:00",
    },
    ...{ kind: "event", event: "denied", data: { tool: "Bash" } },
  };
  expect(parse(printed)).toEqual({
    ...{ id: "e1", at: start, strand: "worker", parent: null },
    ...{ kind: "event", event: "denied", data: { tool: "Bash" } },
  });
});

it("gives back any entry that was written as JSON", () => {
  fc.assert(
    fc.property(anyNewEntry, (entry) => {
      expect(parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
    }),
  );
});

describe("what is not an entry", () => {
  const deep = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

  it.each([
    { value: null, reason: "it must be an object" },
    { value: [], reason: "it must be an object" },
    { value: "text", reason: "it must be an object" },
    { value: {}, reason: /role/ },
    { value: { role: "system", text: "x" }, reason: /role/ },
    { value: { role: "user" }, reason: /text/ },
    { value: { role: "user", text: 5 }, reason: /text/ },
    { value: { role: "user", text: "x", extra: 1 }, reason: /extra/ },
    { value: { kind: "message", role: "user" }, reason: /parts/ },
    { value: { kind: "message", role: "user", parts: [{ type: "video" }] }, reason: /parts\.0\.type/ },
    { value: { kind: "hologram", x: 1 }, reason: /kind/ },
    { value: { role: "user", text: "x", id: "../../x" }, reason: /id/ },
    { value: { role: "user", text: "x", id: "" }, reason: /id/ },
    { value: { role: "user", text: "x", parent: "a b" }, reason: /parent/ },
    { value: { role: "user", text: "x", strand: "-rf" }, reason: /strand/ },
    { value: { role: "user", text: "x", at: "yesterday" }, reason: /at/ },
    { value: { role: "user", text: "x", at: 12 }, reason: /at/ },
    { value: { kind: "event", event: "x", data: [] }, reason: /data/ },
    { value: { kind: "other", raw: deep(70) }, reason: /nested deeper/ },
    { value: { kind: "other", raw: { a: deep(100_000) } }, reason: /nested deeper/ },
  ])("is refused with the reason $reason", ({ value, reason }) => {
    const message = expect.stringMatching(reason);
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: "bad-entry", kind: "usage", message }),
    );
  });

  it("cannot reach the prototype of anything", () => {
    const hostile = JSON.parse(
      '{"kind":"other","raw":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    );
    parse(hostile);
    expect("polluted" in {}).toBe(false);
  });
});
