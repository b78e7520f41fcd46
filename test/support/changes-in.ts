import type { DecisionsReport } from "../../src/handover/decisions/inspect-decisions.ts";

/** Returns what a report says of the bytes and of the numbers. */
export function changesIn(report: DecisionsReport) {
  const { isIntact, altered, missing, repeated, conflicts } = report;
  return { isIntact, altered, missing, repeated, conflicts };
}
