import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  countCalls,
  type Fault,
  faults,
  noHardLinks,
  type Rehearsal,
  rehearse,
  sweep,
} from "./store-faults.ts";
import type { Trial } from "./store-trials.ts";

/** Lets every fault loose on the operation of each trial, at so many calls of a kind at most. */
export function describeSweeps(
  trials: readonly Trial[],
  most: number,
  report: (what: string, runs: number) => void = () => undefined,
): void {
  describe.each(trials)("$name", (trial) => {
    let rehearsal: Rehearsal;
    beforeAll(async () => {
      rehearsal = await rehearse(trial);
    });
    afterAll(() => rehearsal[Symbol.asyncDispose]());

    const meet = async (fault: Fault) => {
      const runs = await sweep(rehearsal, fault, most);
      report(`${trial.name}, ${fault.name}`, runs);
      return runs;
    };

    it("leaves a store without problems when nothing goes wrong", () => {
      expect(rehearsal.end).toMatchObject({ problems: [], strays: [] });
      expect(rehearsal.steps.length).toBeGreaterThan(0);
    });

    it.each(faults)("loses nothing and can be repeated after $name", async (fault) => {
      expect(await meet(fault)).toBeGreaterThan(0);
    });

    it("notices nothing of a file system without hard links", async () => {
      const isUsed = (await countCalls(rehearsal, noHardLinks.calls)).size > 0;
      expect(await meet(noHardLinks)).toBe(isUsed ? 1 : 0);
    });
  });
}
