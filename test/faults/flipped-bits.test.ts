import fc from "fast-check";
import { expect, it } from "vitest";
import { report } from "../support/report.ts";
import { countOutcomes, makeFlippingStore, type Outcome } from "../support/store-flipping.ts";
import { tempDir } from "../support/temp-dir.ts";

it("names every entry that changed when one of 500 bits of its file is turned, and never crashes", async () => {
  await using dir = await tempDir();
  const store = await makeFlippingStore(dir.join("home"));
  const outcomes: Outcome[] = [];
  await fc.assert(
    fc.asyncProperty(fc.noBias(fc.nat(store.bits - 1)), async (bit) => {
      outcomes.push(await store.flip(bit));
    }),
    { numRuns: 500, seed: 1 },
  );
  const counts = countOutcomes(outcomes);
  report("Turned bits", counts);
  expect(counts["entry named"]).toBeGreaterThan(60);
});
