import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type HandoverFault,
  type HandoverRehearsal,
  handoverFaults,
  meetHandoverFault,
  rehearseHandover,
  type Target,
} from "./handover-faults.ts";
import type { HandoverOperationName } from "./handover-operations.ts";
import { report } from "./report.ts";

/** Lets every fault loose on each of the operations, at every call by which it changes a file, and prints how often. */
export function describeHandoverFaults(operations: readonly HandoverOperationName[]): void {
  describe.each(operations)("%s", (operation) => {
    let rehearsal: HandoverRehearsal;
    let [faults, runs] = [0, 0];
    beforeAll(async () => {
      rehearsal = await rehearseHandover(operation);
    });
    afterAll(async () => {
      report(`Faults met by ${operation}`, { calls: rehearsal.targets.length, faults, runs });
      await rehearsal[Symbol.asyncDispose]();
    });

    it("changes the documents and the store", () => {
      const isIn = (folder: string) => rehearsal.targets.some(({ name }) => name.startsWith(folder));
      expect([isIn("work/.claude/sdd/handover/"), isIn("home/")]).toEqual([true, true]);
      expect(rehearsal.after).not.toEqual(rehearsal.before);
    });

    it.each(handoverFaults)("loses nothing and can be repeated after %s at any call", async (fault) => {
      const targets = rehearsal.targets.filter((target, index) => isDue(fault, target, index));
      for (const target of targets) runs += await meetHandoverFault(rehearsal, target, fault);
      faults += targets.length;
      expect(targets.length).toBeGreaterThan(0);
    });
  });
}

/** Each call on the store meets one of the faults in turn: to the documents they are the same. */
function isDue(fault: HandoverFault, { name }: Target, index: number): boolean {
  return !name.startsWith("home/") || fault === handoverFaults[index % handoverFaults.length];
}
