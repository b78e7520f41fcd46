import { AppError } from "../lib/app-error.ts";
import type { SaveReport } from "./save.ts";

/** The work is saved, but the push or the verification that was to follow broke off. */
export class SaveUnfinished extends AppError {
  /** What was saved, and what was done until then. */
  readonly report: SaveReport;

  constructor(report: SaveReport) {
    const { failure } = report;
    const why = failure instanceof Error ? failure.message : String(failure);
    super(`The work is saved, but what was to follow broke off: ${why}`, {
      ...{ kind: "busy", code: "save-unfinished", cause: failure },
      hint: "Save again to push and verify it.",
    });
    this.report = report;
  }
}
