import fc from "fast-check";
import { expect, it } from "vitest";
import { type ModelMessage, toPlainName, withPlainCallIds } from "../../src/model/model.ts";

const turn = (...ids: readonly string[]): readonly ModelMessage[] => [
  { role: "assistant", parts: ids.map((call) => ({ type: "tool-call", call, name: "read", input: {} })) },
  { role: "tool", parts: ids.map((call) => ({ type: "tool-result", call, output: "" })) },
];
const idsOf = (messages: readonly ModelMessage[]) =>
  messages.map(({ parts }) => parts.flatMap((part) => ("call" in part ? [part.call] : [])));

it("leaves ids as they are that every provider takes", () => {
  const messages = [...turn("toolu_01A", "call_9-x"), { role: "user" as const, parts: [] }];
  expect(withPlainCallIds(messages)).toEqual(messages);
});

it("gives each call an id of its own, and its result the same", () => {
  expect(
    idsOf(withPlainCallIds([...turn("call_0", "functions.read:1"), ...turn("call_0"), ...turn("")])),
  ).toEqual([
    ...[
      ["call_0", "functions_read_1"],
      ["call_0", "functions_read_1"],
    ],
    ...[["call_0_2"], ["call_0_2"], ["call"], ["call"]],
  ]);
});

it("makes ids that are plain, short and used once, whatever they were", () => {
  const anyIds = fc.uniqueArray(fc.oneof(fc.string(), fc.string({ minLength: 50, maxLength: 60 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(fc.array(anyIds, { maxLength: 6 }), (turns) => {
      const messages = turns.flatMap((ids) => turn(...ids));
      const ids = idsOf(withPlainCallIds(messages));
      const calls = ids.filter((_, index) => index % 2 === 0);
      expect(ids.filter((_, index) => index % 2 === 1)).toEqual(calls);
      expect(new Set(calls.flat()).size).toBe(turns.flat().length);
      for (const id of calls.flat()) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    }),
  );
});

it("makes a name of a tool plain", () => {
  expect(["read", "functions.read", "", "x".repeat(99)].map(toPlainName)).toEqual([
    ...["read", "functions_read", "unknown", "x".repeat(64)],
  ]);
});
