import fc from "fast-check";
import { expect, it } from "vitest";
import { formatBytes } from "../../src/lib/describe.ts";

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [1536, "1.5 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [1_234_567, "1.2 MB"],
  [5_000_000_000, "5.0 GB"],
  [7_300_000_000_000, "7.3 TB"],
  [Number.MAX_SAFE_INTEGER, "9.0 PB"],
  [1e18, "1000.0 PB"],
])("writes %i bytes as %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it("is short and within a twentieth of a unit of the truth", () => {
  const sizes = new Map([
    ["B", 1],
    ["kB", 1e3],
    ["MB", 1e6],
    ["GB", 1e9],
    ["TB", 1e12],
    ["PB", 1e15],
  ]);
  fc.assert(
    fc.property(fc.maxSafeNat(), (bytes) => {
      const [amount, unit = ""] = formatBytes(bytes).split(" ");
      const size = sizes.get(unit) ?? Number.NaN;
      expect(formatBytes(bytes).length).toBeLessThanOrEqual(8);
      expect(Math.abs(Number(amount) * size - bytes)).toBeLessThanOrEqual(0.0501 * size);
    }),
  );
});
