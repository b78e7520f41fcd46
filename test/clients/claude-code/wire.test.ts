import fc from "fast-check";
import { expect, it } from "vitest";
import { toRow } from "../../../src/clients/claude-code/wire.ts";

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

it.each([
  { value: null, reason: "not an object" },
  { value: [], reason: "not an object" },
  { value: "text", reason: "not an object" },
  { value: {}, reason: "no type" },
  { value: { type: 5 }, reason: "no type" },
  { value: { type: "user" }, reason: "no valid uuid" },
  { value: { type: "user", uuid: "../x" }, reason: "no valid uuid" },
  { value: { type: "of-a-newer-client", parentUuid: null }, reason: "no valid uuid" },
  { value: { type: "user", uuid: "u1", x: nested(70) }, reason: "nested deeper than 64 levels" },
])("rejects what is no row: $reason", ({ value, reason }) => {
  expect(toRow(value)).toEqual({ family: "rejected", reason });
});

it.each([
  {
    value: { type: "user", uuid: "u1", parentUuid: "u0", new: [1] },
    row: { family: "chain", type: "user", uuid: "u1", parentUuid: "u0" },
  },
  {
    value: { type: "of-a-newer-client", uuid: "u1", parentUuid: 7 },
    row: { family: "chain", type: "of-a-newer-client", uuid: "u1", parentUuid: null },
  },
  {
    value: { type: "custom-title", uuid: "u1", customTitle: "x" },
    row: { family: "state", type: "custom-title" },
  },
])("takes a row with fields that it does not know: $value.type", ({ value, row }) => {
  expect(toRow(value)).toEqual({ ...row, fields: value });
});

it("keeps nothing of what the client writes for itself, and only the type of what it does not know", () => {
  expect(toRow({ type: "api-request", params: {} })).toEqual({
    ...{ family: "state", type: "bookkeeping", fields: {} },
  });
  expect(toRow({ type: "of-a-newer-client", data: 1 })).toEqual({
    family: "unknown",
    type: "of-a-newer-client",
  });
});

it("never fails", () => {
  const type = fc.constantFrom("user", "assistant", "system", "attachment", "summary", "tag", "x");
  const value = fc.oneof(fc.jsonValue(), fc.record({ type, uuid: fc.jsonValue(), message: fc.jsonValue() }));
  fc.assert(
    fc.property(value, (any) => {
      expect(["chain", "state", "unknown", "rejected"]).toContain(toRow(any).family);
    }),
  );
});
