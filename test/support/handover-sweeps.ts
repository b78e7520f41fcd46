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

/** Which of the calls of an operation one file takes, so that several files share a long one. */
interface Share {
  readonly of: number;
  /** Counted from 0. */
  readonly number: number;
}

/** Lets every fault loose on each of the operations, at every call by which it changes a file, and prints how often. */
export function describeHandoverFaults(
  operations: readonly HandoverOperationName[],
  share: Share = { of: 1, number: 0 },
): void {
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
      const due = rehearsal.targets.filter((target) => isDue(fault, target));
      const targets = due.filter((_, index) => index % share.of === share.number);
      for (const target of targets) runs += await meetHandoverFault(rehearsal, target, fault);
      faults += targets.length;
      expect(targets.length).toBeGreaterThan(0);
    });
  });
}

/** Who is killed in a call on the store leaves documents in the making; how the store itself fails, it has tests of its own for. */
function isDue(fault: HandoverFault, { name }: Target): boolean {
  return fault === "SIGKILL" || !name.startsWith("home/");
}
