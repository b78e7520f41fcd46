import type { Step } from "../command-steps.ts";
import { type StepKind, stepKind } from "./step-kind.ts";

/** A step whose result may be a blocker. */
export interface WorkStep {
  readonly words: readonly string[];
  readonly kind: StepKind;
  /** Whether the exit code of the line is its own. */
  readonly decides: boolean;
  /** Whether it succeeds even when what it shows is a failure, as `git status` does. */
  readonly reports: boolean;
  /** Whether a failure of the line can be nobody else's. */
  readonly isAlone: boolean;
  /** Whether what looks like its words can be nobody else's. */
  readonly isClear: boolean;
}

/** Of a longer line the last commands are looked at: they decide how it ended. */
const mostSteps = 50;

const shown: ReadonlySet<StepKind> = new Set(["view", "quiet", "other"]);

/** Returns the steps of a line whose result counts, in order: those that do work. */
export function pickSteps(steps: readonly Step[]): readonly WorkStep[] {
  const known = steps.slice(-mostSteps).map((step) => ({ step, kind: stepKind(step) }));
  const works = known.filter(({ kind }) => !shown.has(kind));
  return works.map(({ step, kind }) => ({
    words: step.words,
    kind,
    decides: step.decides,
    reports: kind === "git-status" || kind === "ci",
    isAlone: works.length === 1 && known.every((other) => other.kind === "quiet" || other.step === step),
    isClear: known.every((other) => isNoTalk(other, step)),
  }));
}

/** What may print anything at all. */
const talkers: ReadonlySet<StepKind> = new Set(["view", "other", "script", "run"]);

/** Tells whether a step can have printed nothing that looks like the result of another. */
function isNoTalk({ step, kind }: { readonly step: Step; readonly kind: StepKind }, of: Step): boolean {
  if (step === of || !talkers.has(kind)) return true;
  if (kind !== "view") return false;
  return (
    `${of.pipeline}.`.startsWith(`${step.pipeline}.`) || step.words.some((word) => of.writes.includes(word))
  );
}
