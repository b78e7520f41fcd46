import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { report } from "./report.ts";
import {
  countCalls,
  type Fault,
  faults,
  isKill,
  noHardLinks,
  type Rehearsal,
  rehearse,
  sweep,
} from "./store-faults.ts";
import type { Trial } from "./store-trials.ts";

/** Lets every fault loose on the operation of each trial, at so many calls of a kind at most, and prints how often. */
export function describeSweeps(trials: readonly Trial[], most: number): void {
  describe.each(trials)("$name", (trial) => {
    let rehearsal: Rehearsal;
    beforeAll(async () => {
      rehearsal = await rehearse(trial);
    });
    afterAll(async () => {
      report(`Faults met by ${trial.name}`, runs);
      await rehearsal[Symbol.asyncDispose]();
    });

    const runs = { errors: 0, kills: 0 };
    const meet = async (fault: Fault) => {
      const met = await sweep(rehearsal, fault, most);
      runs[isKill(fault) ? "kills" : "errors"] += met;
      return met;
    };

    it("leaves a store without problems when nothing goes wrong", () => {
      expect(rehearsal.faults).toEqual([]);
      expect(rehearsal.steps.length).toBeGreaterThan(0);
    });

    it.each(faults)("loses nothing and can be repeated after $name", async (fault) => {
      expect(await meet(fault)).toBeGreaterThan(0);
    });

    it("notices nothing of a file system without hard links", async () => {
      const isUsed = (await countCalls(rehearsal, noHardLinks.calls)).size > 0;
      expect((await meet(noHardLinks)) > 0).toBe(isUsed);
    });
  });
}
