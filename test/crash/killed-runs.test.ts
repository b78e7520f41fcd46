import { expect, it } from "vitest";
import { killRun, unkilled } from "../support/kill-runs.ts";

const [parts, kills] = [12, 40];

it("finishes a run that is killed at any moment as if it had not been, and repeats no round and no effect", async () => {
  const { killed, ...run } = await killRun(parts, kills);
  expect(run).toEqual(unkilled(parts));
  expect(killed).toBeGreaterThan(kills / 2);
});
