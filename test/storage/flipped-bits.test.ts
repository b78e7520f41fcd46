import fc from "fast-check";
import { expect, it } from "vitest";
import { makeFlippingStore, type Outcome } from "../support/store-flipping.ts";
import { tempDir } from "../support/temp-dir.ts";

it("never says something else than was written after a bit of its file is turned, and fails only with a reason", async () => {
  await using dir = await tempDir();
  const store = await makeFlippingStore(dir.join("home"));
  const outcomes: Outcome[] = [];
  await fc.assert(
    fc.asyncProperty(fc.nat(store.bits - 1), async (bit) => {
      outcomes.push(await store.flip(bit));
    }),
    { numRuns: 300 },
  );
  expect(outcomes.filter((outcome) => outcome === "noticed").length).toBeGreaterThan(180);
});
