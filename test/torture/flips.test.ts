/** TORTURE_FLIPS (10,000) says how many bits are turned. */
import { expect, it } from "vitest";
import { report } from "../support/report.ts";
import { countOutcomes, makeFlippingStore, type Outcome } from "../support/store-flipping.ts";
import { tempDir } from "../support/temp-dir.ts";

const flips = Number(process.env.TORTURE_FLIPS ?? 10_000);

it(`never says something else than was written in ${flips} turned bits`, async () => {
  await using dir = await tempDir();
  const store = await makeFlippingStore(dir.join("home"));
  const outcomes: Outcome[] = [];
  while (outcomes.length < flips) outcomes.push(await store.flip(Math.floor(Math.random() * store.bits)));
  const counts = countOutcomes(outcomes);
  report("Turned bits", counts);
  expect(counts["entry named"]).toBeGreaterThan(flips / 10);
});
