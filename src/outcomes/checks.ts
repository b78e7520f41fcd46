import { plainLines } from "../lib/plain-lines.ts";
import type { EntryId } from "../sessions/ids.ts";
import { assessResult, type Failure, type StepResult } from "./assess/assess-result.ts";
import { describeStep, isScratch, tidy } from "./assess/describe-step.ts";
import { pickSteps } from "./assess/pick-steps.ts";
import { goalOf } from "./assess/shows-pass.ts";
import type { Goal } from "./goal.ts";
import type { CommandResult, RanCommand } from "./ran-command.ts";
import { advice, type Rule } from "./rule.ts";
import { isUnknownName } from "./rules/usage-rules.ts";
import { covers, type Judged, remainingCases } from "./scope/covers.ts";
import { type Filters, wouldShow } from "./scope/filters.ts";
import { type Scope, scopeOf } from "./scope/scope-of.ts";
import { commandSteps } from "./shell/command-steps.ts";

export type { Goal } from "./goal.ts";
export type { CommandResult, RanCommand } from "./ran-command.ts";

/** The last known result of one check. */
export interface CheckResult {
  readonly goal: Goal;
  /** The step as one would type it again, without redirections and `| tail`: `mix test test/a_test.exs`. */
  readonly command: string;
  /** Whether it certainly passed. Where it did not and there is no failure, its result was not seen. */
  readonly passed: boolean;
  /** The line of the output that says so: "212 tests, 0 failures"; "" when it printed nothing. */
  readonly line: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly entry: EntryId;
  /** The entry's place in its session; 0 where that is not known. */
  readonly seq: number;
  /** How often it failed in a row; 0 when it passed. */
  readonly failures: number;
  /** Whether it covers the whole project rather than named files, cases or packages. */
  readonly isWide: boolean;
  /** What the step is run for: a test run may fail to build. */
  readonly ranFor: Goal | undefined;
  readonly scope: Scope;
  /** How many checks had been followed when it was added. */
  readonly turn: number;
  /** Undefined where it passed or its result was not seen. */
  readonly failure?: Failure;
  /** What the output of a failed step went through before it was shown. */
  readonly filters?: Filters;
  /** Set for a failure after which a commit was made and a check of the whole passed for its goal. */
  readonly isOvertaken?: true;
  /** Set where it was started in the background, or again after a failure, and its end was not seen. */
  readonly isStarted?: true;
}

/** The results of the checks of a project. */
export interface Checks {
  /** Oldest first. */
  readonly results: readonly CheckResult[];
  /** How many checks were followed. */
  readonly turn: number;
  /** The turn of the last commit; 0 before the first. */
  readonly committed: number;
  /** When the last command ended. */
  readonly lastAt: number;
}

export const noChecks: Checks = { results: [], turn: 0, committed: 0, lastAt: 0 };

/** A failure that no later pass has covered. */
export interface StandingFailure extends CheckResult {
  readonly failure: Failure;
  /** Whether newer work came after it: a commit, several other checks, or half a day. */
  readonly isStale: boolean;
}

/** How many results are kept; failures are the last to go. */
const mostResults = 40;
/** So many checks, or so long, after a failure it is no longer about the newest work. */
const [newerChecks, newerMs] = [4, 12 * 60 * 60 * 1000];

/** What a user has set. */
export interface CheckSettings {
  /** Rules of the user's own, which come before all others. */
  readonly rules?: readonly Rule[] | undefined;
}

/**
 * Adds the result of a command. A pass removes the failures that it covers.
 *
 * Commands are followed in the order in which they ended. One that checks nothing costs no more than reading its line.
 */
export function followCommand(checks: Checks, ran: RanCommand, settings: CheckSettings = {}): Checks {
  const at = ran.at.getTime();
  const now = at > checks.lastAt ? { ...checks, lastAt: at } : checks;
  if (ran.isStarted) return followStarted(now, ran);
  if (ran.approvedFor !== undefined) return followApproved(now, ran, ran.approvedFor, settings);
  return assessResult(ran, settings.rules)
    .filter(({ step }) => !isScratch(step, ran.cwd))
    .reduce((before, result) => followStep(before, result, ran), now);
}

/** Returns what failed in a command; undefined where nothing is known to have. */
export function findFailure(
  result: CommandResult,
  { rules }: CheckSettings = {},
): { readonly failure: Failure; readonly line: string } | undefined {
  const found = assessResult(result, rules).find(({ failure }) => failure !== undefined);
  return found?.failure === undefined ? undefined : { failure: found.failure, line: tidy(found.line) };
}

/** Adds the result of a check that the user approved: its exit code decides, and a pass covers all of its goal. */
function followApproved(checks: Checks, ran: RanCommand, goal: Goal, settings: CheckSettings): Checks {
  const passed = ran.exitCode === 0;
  const last = tidy(ran.output.trim().split("\n").at(-1) ?? "");
  const found = passed ? undefined : findFailure(ran, settings);
  const asked = ran.command.split(" ").slice(1);
  // A command that never ran says nothing of the code.
  if (!passed && found === undefined && plainLines(ran.output).some((line) => isUnknownName(line, asked)))
    return checks;
  const failure = found?.failure ?? { tool: "check", goal, resolution: advice[goal] };
  return followResult(checks, {
    ...{ goal: passed ? goal : failure.goal, ranFor: goal, command: ran.command, passed },
    ...{ line: found?.line ?? last, at: ran.at.getTime(), entry: ran.entry, seq: 0, isWide: true },
    scope: { tool: "approved", isRunner: true, isApproved: true, targets: [], names: [] },
    ...(!passed && { failure }),
  });
}

/** A result before it is held against the earlier ones. */
type NewResult = Omit<CheckResult, "turn" | "failures">;

/** Adds a result that is known already, such as an agent's report of its work. */
export function followResult(checks: Checks, result: NewResult): Checks {
  const turn = checks.turn + 1;
  const left = checks.results.map((each) => withoutPassed(each, result));
  const ended = left.filter((each) => concerns(each, result));
  const others = left.filter(
    (each) => !ended.includes(each) && !(isUnseen(each) && isSameTool(each, result)),
  );
  const failures = result.passed ? 0 : 1 + Math.max(0, ...ended.map((each) => each.failures));
  const isKept = !result.passed || (kept.has(result.goal) && result.ranFor !== undefined);
  const results = isKept ? [...others, { ...result, turn, failures }] : others;
  const committed = result.passed && result.goal === "commit" ? turn : checks.committed;
  const passes = results.filter((each) => each.passed && each.isWide);
  const isOvertaken = (each: CheckResult) =>
    each.failure !== undefined &&
    committed > each.turn &&
    passes.some((pass) => pass.goal === each.goal && pass.turn > each.turn);
  const marked = results.map((each) => (isOvertaken(each) ? { ...each, isOvertaken: true as const } : each));
  return { ...checks, results: withinLimit(marked), turn, committed };
}

/** Tells whether a check ran without its result being seen. */
export function isUnseen({ passed, failure }: Pick<CheckResult, "passed" | "failure">): boolean {
  return !passed && failure === undefined;
}

function isSameTool(one: Pick<CheckResult, "goal" | "scope">, other: typeof one): boolean {
  return one.goal === other.goal && one.scope.tool === other.scope.tool;
}

/**
 * Adds a check whose result was not seen: how to run it is worth knowing where nothing better is. It ends a failure that
 * would have been shown again, and was not.
 */
function followUnseen(checks: Checks, result: NewResult): Checks {
  const { filters = [], line } = result;
  const isEnded = (each: CheckResult) =>
    each.failure !== undefined &&
    line === "" &&
    each.line !== "" &&
    concerns(each, result) &&
    wouldShow(filters, each.line, each.filters ?? []);
  const others = checks.results.filter((each) => !isEnded(each));
  const isKnown = others.some((each) => isSameTool(each, result));
  if (isKnown && others.length === checks.results.length) return checks;
  const turn = checks.turn + 1;
  const added = isKnown ? [] : [{ ...result, line: "", turn, failures: 0 }];
  return { ...checks, turn, results: withinLimit([...others, ...added]) };
}

/** Adds the checks of a command that was only started: how they ended before says little of what is run now. */
function followStarted(checks: Checks, ran: RanCommand): Checks {
  let { results, turn } = checks;
  for (const step of pickSteps(commandSteps(ran.command))) {
    if (!/^(?:build|test|lint)$/.test(step.kind)) continue;
    const result = {
      ...toResult({ step, goal: goalOf(step.kind), line: "", isUnseen: true }, ran),
      isStarted: true as const,
    };
    const isAgain = (each: CheckResult) => concerns(each, result);
    const failed = results.some((each) => each.failure !== undefined && isAgain(each));
    const left = results.filter((each) => each.failure !== undefined || !isAgain(each));
    turn += 1;
    results = failed
      ? left.map((each) => (isAgain(each) ? { ...each, isStarted: true as const } : each))
      : withinLimit([...left, { ...result, turn, failures: 0 }]);
  }
  return { ...checks, results, turn };
}

/** Takes off the failed cases that a narrower run has passed since. */
function withoutPassed(result: CheckResult, { ranFor, passed, scope }: NewResult) {
  const { failure } = result;
  if (failure?.cases === undefined || !passed || ranFor === undefined) return result;
  const cases = remainingCases({ goal: ranFor, scope }, toJudged(result), failure.cases);
  return cases.length === failure.cases.length ? result : { ...result, failure: { ...failure, cases } };
}

/** Removes the failures that somebody says are settled. */
export function settleFailures(checks: Checks, isSettled: (failure: StandingFailure) => boolean): Checks {
  const settled = standingFailures(checks).filter(isSettled);
  const entries = new Set(settled.map(({ turn }) => turn));
  return { ...checks, results: checks.results.filter(({ turn }) => !entries.has(turn)) };
}

/** Passes that tell the next session something. */
const kept: ReadonlySet<Goal> = new Set(["build", "test", "lint", "install", "ci"]);

/** Returns the failures that still stand, the heaviest goal first, and of equal ones the newest. */
export function standingFailures({ results, turn, committed, lastAt }: Checks): readonly StandingFailure[] {
  return results
    .flatMap((result): StandingFailure[] => {
      if (result.failure === undefined) return [];
      const isStale =
        result.isStarted === true ||
        committed > result.turn ||
        turn - result.turn >= newerChecks ||
        lastAt - result.at > newerMs;
      return [{ ...result, failure: result.failure, isStale }];
    })
    .toSorted((one, other) => weights[other.goal] - weights[one.goal] || other.turn - one.turn);
}

const weights: Readonly<Record<Goal, number>> = {
  ...{ merge: 4, build: 4, install: 3, test: 3, ci: 3, commit: 2, review: 2, decision: 2, lint: 1 },
};

function followStep(checks: Checks, judged: StepResult, ran: RanCommand): Checks {
  const follow = judged.isUnseen === true ? followUnseen : followResult;
  return follow(checks, toResult(judged, ran));
}

function toResult(judged: StepResult, ran: RanCommand): NewResult {
  const { step, goal, failure, line } = judged;
  const scope = scopeOf(step, ran.cwd);
  // What a check says against a commit is why the commit failed; a conflict is there without it.
  const failed = goal === "commit" && failure?.goal !== "merge" ? goal : failure?.goal;
  return {
    // A step that may do anything only ends what it began itself.
    goal: (failure && failed) ?? goal ?? "build",
    command: describeStep(step),
    passed: failure === undefined && judged.isUnseen !== true,
    line: tidy(line),
    at: ran.at.getTime(),
    entry: ran.entry,
    seq: ran.seq ?? 0,
    isWide: isWide(scope),
    ranFor: goal,
    scope,
    ...(failure !== undefined && { failure }),
    ...(failure !== undefined || judged.isUnseen === true ? { filters: step.filters } : {}),
  };
}

/** Tells whether a later result is about the same thing: it replaces an earlier one, and says of a failure that it is over, or still there. */
function concerns(result: CheckResult, later: Pick<CheckResult, "command" | "ranFor" | "scope">): boolean {
  if (result.command === later.command && result.scope.place === later.scope.place) return true;
  if (result.passed) return false;
  if (result.failure?.cases?.length === 0) return true;
  return later.ranFor !== undefined && covers({ goal: later.ranFor, scope: later.scope }, toJudged(result));
}

function toJudged({ ranFor, goal, scope, failure }: CheckResult): Judged {
  return { goal: ranFor ?? goal, failed: goal, scope, reporter: failure?.tool };
}

function withinLimit(results: readonly CheckResult[]): readonly CheckResult[] {
  if (results.length <= mostResults) return results;
  const worth = (each: CheckResult) => (isUnseen(each) ? 0 : !each.passed ? 3 : each.isWide ? 2 : 1);
  const [least] = results.toSorted((one, other) => worth(one) - worth(other));
  return results.filter((each) => each !== least);
}

function isWide({ targets, names, variant }: Scope): boolean {
  return targets.length === 0 && names.length === 0 && variant === undefined;
}
