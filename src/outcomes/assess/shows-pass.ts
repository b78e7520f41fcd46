import type { Goal } from "../goal.ts";
import type { Rule } from "../rule.ts";
import { showEnd, showWhole } from "../scope/filters.ts";
import { isTelling, rulesOf } from "./find-rule.ts";
import type { WorkStep } from "./pick-steps.ts";
import type { StepKind } from "./step-kind.ts";

/** The kinds of step that can reach a goal. */
export const kindsOf: Readonly<Partial<Record<Goal, readonly StepKind[]>>> = {
  build: ["build", "lint"],
  lint: ["lint", "build"],
  test: ["test"],
  install: ["install"],
  commit: ["commit"],
  merge: ["merge", "git-status", "commit"],
  ci: ["ci"],
  review: ["ci"],
};

const goals: Readonly<Partial<Record<StepKind, Goal>>> = {
  build: "build",
  test: "test",
  lint: "lint",
  install: "install",
  commit: "commit",
  merge: "merge",
  "git-status": "merge",
  ci: "ci",
};

/** Returns the goal of a kind of step; undefined for one that may do anything. */
export const goalOf = (kind: StepKind): Goal | undefined => goals[kind];

/**
 * Tells whether an output shows that a step went well: its tool says so, nothing says otherwise, and no other step of
 * the line can have said it.
 */
export function showsPass(lines: readonly string[], step: WorkStep, steps: readonly WorkStep[]): boolean {
  if (!step.isClear || (mayRunOften(step) && !showWhole(step.filters))) return false;
  const ofKind = rulesOf(step.kind).filter(({ kinds }) => kinds === undefined || kinds.includes(step.kind));
  let isShown = false;
  for (const line of lines) {
    if (!isTelling(line, step.kind)) continue;
    const failed = ofKind.filter(({ pattern }) => pattern.test(line));
    if (failed.some(({ certainty }) => certainty === "summary")) return false;
    // Tests print diagnostics on purpose, but not after their last word.
    if (failed.length > 0) isShown = false;
    else isShown ||= ofKind.some((rule) => isPass(rule, line, step) && isOnlyOne(rule, step, steps));
  }
  return isShown;
}

/** Tells whether a step may stand for several runs, of which the last may pass where one before it has failed. */
function mayRunOften({ mayBeSkipped, words }: WorkStep): boolean {
  const runsInPackages =
    /^(?:npm|pnpm|yarn|bun)$/.test(words[0] ?? "") && words.some((word) => all.test(word));
  return mayBeSkipped || runsInPackages;
}

const all = /^(?:-ws|--workspaces|-r|--recursive|workspaces)$/;

function isPass({ certainty, passed, partPassed }: Rule, line: string, step: WorkStep): boolean {
  if (certainty !== "summary" || step.told.some((text) => text.includes(line.trim()))) return false;
  return partPassed?.test(line) === true ? showEnd(step.filters) : passed?.test(line) === true;
}

function isOnlyOne({ goal }: Rule, step: WorkStep, steps: readonly WorkStep[]): boolean {
  const kinds = (goal && kindsOf[goal]) ?? [];
  const key = step.words.join(" ");
  return (
    kinds.includes(step.kind) &&
    steps.every((other) => !kinds.includes(other.kind) || other.words.join(" ") === key)
  );
}
