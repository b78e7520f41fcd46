import { expect, it } from "vitest";
import { mutateTranscripts } from "../support/mutated-transcripts.ts";
import { report } from "../support/report.ts";

it("loses no good line of 50 damaged transcripts, and never crashes", async () => {
  const counts = await mutateTranscripts(50, 1);
  report("Damaged transcripts", counts);
  expect(counts.repaired).toBeGreaterThan(25);
});

it.each([
  { seed: 88_235_370, damage: "whose last row stands too early, behind which the store has a queued prompt" },
  { seed: 604_052_114, damage: "whose first prompt follows its own answer" },
  { seed: 807_609_092, damage: "of which only the boundary of a compaction is left" },
])("mends a transcript $damage", async ({ seed }) => {
  expect(await mutateTranscripts(1, seed)).toMatchObject({ repaired: 1 });
});
