import fc from "fast-check";
import { expect, it } from "vitest";
import { makeUuidV7 } from "../../src/lib/uuid-v7.ts";

const zeros = (size: number) => new Uint8Array(size);

it("puts the time into the first 48 bits and marks version and variant", () => {
  expect(makeUuidV7(new Date("2026-11-15T20:06:08.123Z"), zeros)).toBe(
    "01a1e0d1-2ffb-7000-8000-000000000000",
  );
});

it("sorts by time as text", () => {
  const moment = fc.date({ min: new Date(0), max: new Date(2 ** 47), noInvalidDate: true });
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const order = Math.sign(one.getTime() - other.getTime());
      expect(Math.sign(makeUuidV7(one, zeros).localeCompare(makeUuidV7(other, zeros)))).toBe(order);
    }),
  );
});

it("never makes the same one twice", () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => makeUuidV7(now))).size).toBe(10_000);
});
