import { expect, it } from "vitest";
import { mutateTranscripts } from "../support/mutated-transcripts.ts";
import { report } from "../support/report.ts";

it("loses no good line of 50 damaged transcripts, and never crashes", async () => {
  const counts = await mutateTranscripts(50, 1);
  report("Damaged transcripts", counts);
  expect(counts.repaired).toBeGreaterThan(25);
});
