import fc from "fast-check";
import { expect, it } from "vitest";
import { describeEntry } from "../../../src/mcp/record/describe-entry.ts";
import { pageEntries, parsePlace, renderPlace } from "../../../src/mcp/record/page-entries.ts";
import type { Entry } from "../../../src/sessions/entry.ts";
import type { EntryId, SessionId, Strand } from "../../../src/sessions/ids.ts";

function toEntry(text: string, index: number): Entry {
  return {
    ...{ id: `e${index}` as EntryId, session: "s" as SessionId, seq: index + 1, parent: null },
    ...{ strand: "main" as Strand, at: new Date(0), kind: "message", role: "user" },
    parts: [{ type: "text", text }],
  };
}

async function* from(entries: readonly Entry[], seq: number): AsyncGenerator<Entry> {
  yield* entries.filter((entry) => entry.seq >= seq);
}

it("gives every character once, in order and within the room, whatever the entries are", async () => {
  const anyTexts = fc.array(fc.string({ unit: "grapheme", maxLength: 300, size: "max" }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(anyTexts, fc.integer({ min: 40, max: 400 }), async (texts, room) => {
      const entries = texts.map(toEntry);
      const expected = entries.map((entry) => describeEntry(entry, { full: true })).join("");
      let whole = "";
      let cursor: string | undefined = "1";
      while (cursor !== undefined) {
        const { seq, told } = parsePlace(cursor);
        const { text, next } = await pageEntries(from(entries, seq), { full: true, room, told });
        expect(text.length).toBeLessThanOrEqual(room);
        whole += text;
        expect(expected.startsWith(whole)).toBe(true);
        cursor = next && renderPlace(next);
      }
      expect(whole).toBe(expected);
    }),
  );
});

it.each(["", "0", "-1", "1.", "1.x", "1.2.3", "12345678901"])("takes %j for no cursor", (text) => {
  expect(() => parsePlace(text)).toThrow("is no cursor");
});
