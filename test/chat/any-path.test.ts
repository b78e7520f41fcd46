import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toModelMessages } from "../../src/chat/to-model-messages.ts";
import type { EntryContent, Part } from "../../src/sessions/entry.ts";
import type { EntryId } from "../../src/sessions/ids.ts";
import { cases } from "../support/cases.ts";
import { assistant, pathOf, text, user } from "../support/chat-entries.ts";
import { complaints } from "../support/complaints.ts";
import { anyNewEntry, anyText } from "../support/entries.ts";
import { signThinking } from "../support/model-server/anthropic/signature.ts";

const model = "anthropic/model-x";

const anyReference = fc.nat(30).map((number) => `e${number}` as EntryId);
/** Few ids, so that calls, results and references meet. */
const fewIds = fc.constantFrom("1", "2", "3", "a.b:c", "");
const anyCall: fc.Arbitrary<Part> = fc.record({
  type: fc.constant("tool-call" as const),
  call: fewIds,
  name: anyText,
  input: fc.constantFrom<null | string | object>(null, "x", { path: "\ud800" }, [
    "\0",
  ]) as fc.Arbitrary<never>,
});
const anyResult: fc.Arbitrary<Part> = fc.record({
  type: fc.constant("tool-result" as const),
  call: fewIds,
  output: fc.oneof(anyText, fc.constant(null), fc.constant({ stdout: "\ud800" })),
  failed: fc.boolean(),
});
const anyThought: fc.Arbitrary<Part> = anyText.map((words) => ({
  type: "thinking",
  text: words,
  signature: signThinking(words),
}));
const anyWords: fc.Arbitrary<Part> = fc.record({ type: fc.constant("text" as const), text: anyText });
const anyMessage: fc.Arbitrary<EntryContent> = fc.record(
  {
    kind: fc.constant("message" as const),
    role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
    parts: fc.array(fc.oneof(anyWords, anyCall, anyResult, anyThought), { maxLength: 4 }),
    model: fc.constantFrom(model, "anthropic/other"),
    interrupted: fc.constant(true as const),
    replaces: anyReference,
  },
  { requiredKeys: ["kind", "role", "parts"] },
);
const anySummary: fc.Arbitrary<EntryContent> = fc.record({
  kind: fc.constant("summary" as const),
  text: anyText,
  replaces: fc.oneof(fc.constant(null), anyReference),
  kept: fc.array(anyReference, { maxLength: 5 }),
});
/** What the other model has signed is worth nothing here. */
const anyOther = anyNewEntry.map(({ id: _id, at: _at, strand: _strand, parent: _parent, ...content }) =>
  content.kind === "message" ? { ...content, model: "other" } : content,
) as fc.Arbitrary<EntryContent>;
const anyPath = fc
  .array(fc.oneof({ weight: 8, arbitrary: anyMessage }, { weight: 1, arbitrary: anySummary }, anyOther), {
    maxLength: 30,
  })
  .map((contents) => pathOf(...contents));

describe("for any entries whatever, what a model is sent", () => {
  it("is a conversation that the API takes, with roles in turn", () => {
    fc.assert(
      fc.property(anyPath, (entries) => {
        const sent = toModelMessages(entries, model);
        if (sent.length === 0) return;
        expect(complaints(sent)).toEqual([]);
        const roles = sent.map(({ role }) => role);
        expect(roles.filter((role, index) => role === roles[index + 1])).toEqual([]);
        const calls = sent.flatMap(({ parts }) => parts.filter((part) => part.type === "tool-call"));
        for (const { call: id, name, input } of calls) {
          expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
          expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(input).toBeTypeOf("object");
          expect(Array.isArray(input) || input === null).toBe(false);
        }
        JSON.parse(JSON.stringify(sent), (_name, value) => {
          if (typeof value === "string") expect(value.isWellFormed()).toBe(true);
          return value;
        });
      }),
      { numRuns: cases(1000) },
    );
  });

  it("stays what it was when more is said, so that a provider needs not read it again", () => {
    const growing = fc.tuple(fc.array(anyMessage, { maxLength: 12 }), anyText);
    fc.assert(
      fc.property(growing, ([contents, words]) => {
        const before = contents.map((content) => withoutReference(content));
        const sent = toModelMessages(pathOf(...before, assistant(text("done"))), model);
        const more = toModelMessages(
          pathOf(...before, assistant(text("done")), user(text(`x${words}`))),
          model,
        );
        expect(more.slice(0, sent.length - 1)).toEqual(sent.slice(0, -1));
      }),
      { numRuns: cases(300) },
    );
  });
});

function withoutReference(content: EntryContent): EntryContent {
  const { replaces: _replaces, ...rest } = content as EntryContent & { replaces?: EntryId };
  return rest as EntryContent;
}
