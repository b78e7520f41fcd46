/** From the lightest to the heaviest. */
export const severities = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof severities)[number];

interface BlockerKind {
  readonly severity: Severity;
  /** The agents that can clear it, in the order in which they are called; without any a person must. */
  readonly agents: readonly string[];
  /** What helps where nothing else is known. */
  readonly resolution: string;
}

/** What there is that stops work, and what is usual for it. */
export const blockerKinds = {
  build_error: {
    severity: "critical",
    agents: ["cpp-builder"],
    resolution: "Fix what the build names, then build again.",
  },
  test_failure: {
    severity: "high",
    agents: ["tester", "code-editor"],
    resolution: "Run the failing test alone, fix the code or the test, then run all tests again.",
  },
  dependency: {
    severity: "high",
    agents: ["cpp-builder"],
    resolution: "Install what is missing, or correct its name and version.",
  },
  design_issue: {
    severity: "medium",
    agents: ["architect"],
    resolution: "Settle the design, and write down the decision.",
  },
  review_blocked: {
    severity: "medium",
    agents: ["code-editor"],
    resolution: "Settle what the review asks for, and ask for it again.",
  },
  ci_failure: {
    severity: "high",
    agents: ["devops"],
    resolution: "Read the log of the run, fix what it names, and push again.",
  },
  merge_conflict: {
    severity: "critical",
    agents: [],
    resolution: "Resolve the conflicts in the files, add them, and finish the merge.",
  },
  decision_required: {
    severity: "medium",
    agents: [],
    resolution: "Decide, and write down the decision.",
  },
  other: {
    severity: "medium",
    agents: [],
    resolution: "Settle what stops the work, then run `carryon blocker resolve`.",
  },
} as const satisfies Readonly<Record<string, BlockerKind>>;

export type BlockerType = keyof typeof blockerKinds;
export const blockerTypes = Object.keys(blockerKinds) as readonly BlockerType[];

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
  return blockerKinds[type].severity;
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
