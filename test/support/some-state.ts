import type { WorkState } from "../../src/work/work-state.ts";

/** A state of work in which nothing is out of the way. */
export const someState: WorkState = {
  ...{ mode: "quick", savedAt: new Date("2026-11-16T12:00:00Z"), branch: "main", commit: "abc1234" },
  ...{ isPushed: false, change: null, changeStatus: null, workingOn: "the form", nextSteps: [] },
  ...{ blocker: null, completed: [], pending: [], session: null },
  modifiedFiles: [],
};
