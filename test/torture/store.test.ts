/**
 * What takes too long for every day: run it with `npm run torture`.
 *
 * TORTURE_KILLS (10,000) and TORTURE_FLIPS (10,000) say how often a writer is killed and a bit is turned.
 */
import { describe, expect, it } from "vitest";
import { sweep, sweeps } from "../support/store-faults.ts";
import { makeFlippingStore, type Outcome } from "../support/store-flipping.ts";
import { type Killing, killWriters } from "../support/store-killing.ts";
import { tempDir } from "../support/temp-dir.ts";

const kills = Number(process.env.TORTURE_KILLS ?? 10_000);
const flips = Number(process.env.TORTURE_FLIPS ?? 10_000);

function report(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}

it(`loses no acknowledged entry in ${kills} kills`, async () => {
  const atOnce = 16;
  const total: Record<keyof Killing, number> = { kills: 0, writing: 0, receipts: 0 };
  while (total.kills < kills) {
    // A new store now and then: it is checked as a whole after each round.
    await using dir = await tempDir();
    const round = await killWriters(dir.join("home"), { kills: Math.min(160, kills - total.kills), atOnce });
    for (const [key, value] of Object.entries(round)) total[key as keyof Killing] += value;
  }
  report("Kills", total);
  expect(total.kills).toBe(kills);
});

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

describe("loses nothing when any call fails or its process is killed there", () => {
  it.each(sweeps)("$action at $call on the $place, lasting: $lasting", async (fault) => {
    const tried = await sweep(fault, 1);
    report(`${fault.action} at ${fault.call}`, { tried });
    expect(tried).toBeGreaterThan(0);
  });
});
