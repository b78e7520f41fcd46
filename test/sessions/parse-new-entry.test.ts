import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { parseNewEntry } from "../../src/sessions/parse-new-entry.ts";
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
      const make = { now: new Date("2100-01-01"), entryId: () => made };
      expect(parseNewEntry(JSON.parse(JSON.stringify(entry)), make)).toEqual(entry);
    }),
  );
});

describe("what is not an entry", () => {
  const deep = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

  it.each([
    { value: null, reason: "it must be an object" },
    { value: [], reason: "it must be an object" },
    { value: "text", reason: "it must be an object" },
    { value: {}, reason: /: role must be one of user, assistant, tool\.$/ },
    { value: { role: "system", text: "x" }, reason: /role/ },
    { value: { role: "user" }, reason: /: text is missing\.$/ },
    { value: { role: "user", text: 5 }, reason: /: text must be a string\.$/ },
    { value: { role: "user", text: "x", extra: 1 }, reason: /: there is no field extra\.$/ },
    { value: { kind: "message", role: "user" }, reason: /: parts is missing\.$/ },
    {
      value: { kind: "event", event: "scrubbed", data: {} },
      reason: /: the event scrubbed is made by a scrub/,
    },
    {
      value: { kind: "message", role: "user", parts: [{ type: "video" }] },
      reason: /: parts\.0\.type is missing or unknown\.$/,
    },
    { value: { kind: "hologram", x: 1 }, reason: /: kind is missing or unknown\.$/ },
    { value: { role: "user", text: "x", id: "../../x" }, reason: /id/ },
    { value: { role: "user", text: "x", id: "" }, reason: /id/ },
    { value: { role: "user", text: "x", parent: "a b" }, reason: /parent/ },
    { value: { role: "user", text: "x", strand: "-rf" }, reason: /strand/ },
    { value: { role: "user", text: "x", at: "yesterday" }, reason: /: at must be a time such as 2026/ },
    { value: { role: "user", text: "x", at: 12 }, reason: /at/ },
    { value: { role: "user", text: "x", at: "2026-11-16T12:00:00.001Z" }, reason: /in the future/ },
    { value: { kind: "event", event: "x", data: [] }, reason: /: data must be an object\.$/ },
    { value: { kind: "other", raw: deep(70) }, reason: /nested deeper/ },
    { value: { kind: "other", raw: { a: deep(100_000) } }, reason: /nested deeper/ },
  ])("is refused with the reason $reason", ({ value, reason }) => {
    const message = expect.stringMatching(reason);
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: "bad-entry", kind: "usage", message }),
    );
  });

  it("keeps every key of what it carries along, without reaching the prototype of anything", () => {
    const raw = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"d":{"__proto__":5}}';
    expect(JSON.stringify(parse(JSON.parse(`{"kind":"other","raw":${raw}}`)))).toContain(raw);
    expect("polluted" in {}).toBe(false);
  });
});
