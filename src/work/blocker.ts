export const blockerTypes = [
  "build_error",
  "test_failure",
  "dependency",
  "design_issue",
  "review_blocked",
  "ci_failure",
  "merge_conflict",
  "decision_required",
  "other",
] as const;
export type BlockerType = (typeof blockerTypes)[number];

/** From the lightest to the heaviest. */
export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

/** What stops the work. */
export interface Blocker {
  readonly type: BlockerType;
  readonly severity: Severity;
  /** The type and severity that another program wrote and this version does not know, and its further fields. */
  readonly foreign?: Readonly<Record<string, unknown>>;
  /** One sentence for people. */
  readonly description: string;
  /** The text by which it was known. */
  readonly errorPattern?: string;
  readonly resolution?: string;
  /** What was done last before it appeared, such as the subject of a commit. */
  readonly appearedAfter?: string;
  readonly detectedAt: Date;
  readonly isAutoDetected: boolean;
  /** Set where newer work came after it, and the command was not run again. */
  readonly isStale?: boolean;
  /** Who can clear it; absent where a person must. */
  readonly recoveryAgent?: string;
  readonly recoveryAttempted: number;
  /** The hash of the approved command that was tried last; absent where none was. */
  readonly recoveryCommand?: string;
  readonly maxRecoveryAttempts: number;
}

/** Returns how heavy a blocker of a type is unless something else is known. */
export function severityOf(type: BlockerType): Severity {
  switch (type) {
    case "build_error":
    case "merge_conflict":
      return "critical";
    case "test_failure":
    case "dependency":
    case "ci_failure":
      return "high";
    case "design_issue":
    case "review_blocked":
    case "decision_required":
    case "other":
      return "medium";
  }
}

/** Says that a command was not run again after it failed, and since when; "" where it belongs to the newest work. */
export function describeStale({ isStale, detectedAt }: Pick<Blocker, "isStale" | "detectedAt">): string {
  if (!isStale) return "";
  return `Not run again since ${detectedAt.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

/** Says when a blocker is to be resolved: at once while it belongs to the newest work. */
export function describeUrgency({ isStale }: Pick<Blocker, "isStale">): string {
  return isStale ? "Run the command again to see whether it still fails" : "Resolve it before anything else";
}
