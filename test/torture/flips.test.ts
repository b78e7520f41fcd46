/** TORTURE_FLIPS (10,000) says how many bits are turned. */
import { expect, it } from "vitest";
import { report } from "../support/report.ts";
import { makeFlippingStore, type Outcome } from "../support/store-flipping.ts";
import { tempDir } from "../support/temp-dir.ts";

const flips = Number(process.env.TORTURE_FLIPS ?? 10_000);

it(`never says something else than was written in ${flips} turned bits`, async () => {
  await using dir = await tempDir();
  const store = await makeFlippingStore(dir.join("home"));
  const counts: Record<Outcome, number> = { noticed: 0, "described otherwise": 0, "no effect": 0 };
  for (let number = 0; number < flips; number += 1) {
    counts[await store.flip(Math.floor(Math.random() * store.bits))] += 1;
  }
  report("Turned bits", counts);
  expect(counts.noticed).toBeGreaterThan(flips / 2);
});
