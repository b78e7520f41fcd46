/** TORTURE_TRANSCRIPTS (2,000) says how many recorded transcripts are damaged and repaired. */
import { expect, it } from "vitest";
import { mutateTranscripts } from "../support/mutated-transcripts.ts";
import { report } from "../support/report.ts";

const count = Number(process.env.TORTURE_TRANSCRIPTS ?? 2000);

it(`loses no good line of ${count} damaged transcripts, and never crashes`, async () => {
  const counts = await mutateTranscripts(count, Math.floor(Math.random() * 1e9));
  report("Damaged transcripts", counts);
  expect(counts.repaired).toBeGreaterThan(count / 2);
});
