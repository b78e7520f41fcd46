import type { Failure } from "./assess/assess-result.ts";
import { type CheckRun, type CheckSettings, findRuns } from "./find-runs.ts";
import type { Goal } from "./goal.ts";
import type { RanCommand } from "./ran-command.ts";
import { covers, type Judged, remainingCases } from "./scope/covers.ts";
import { wouldShow } from "./scope/filters.ts";

export type { Goal } from "./goal.ts";
export type { CommandResult, RanCommand } from "./ran-command.ts";

/** The last known result of one check. */
export interface CheckResult extends CheckRun {
  /** How often it failed in a row; 0 when it passed. */
  readonly failures: number;
  /** How many checks had been followed when it was added. */
  readonly turn: number;
  /** Set for a failure after which a commit was made and a check of the whole passed for its goal. */
  readonly isOvertaken?: true;
}

/** The results of the checks of a project. */
export interface Checks {
  /** Oldest first. */
  readonly results: readonly CheckResult[];
  /** The runs that the results come from, oldest first: those of several sessions tell together what stands. */
  readonly runs: readonly CheckRun[];
  /** How many checks were followed. */
  readonly turn: number;
  /** The turn of the last commit; 0 before the first. */
  readonly committed: number;
  /** When the last command ended. */
  readonly lastAt: number;
}

export const noChecks: Checks = { results: [], runs: [], turn: 0, committed: 0, lastAt: 0 };

/** A failure that no later pass has covered. */
export interface StandingFailure extends CheckResult {
  readonly failure: Failure;
  /** Whether newer work came after it: a commit, several other checks, or half a day. */
  readonly isStale: boolean;
}

/** How many results are kept, of which failures are the last to go, and how many runs. */
const [mostResults, mostRuns] = [40, 60];
/** So many checks, or so long, after a failure it is no longer about the newest work. */
const [newerChecks, newerMs] = [4, 12 * 60 * 60 * 1000];

/**
 * Adds the result of a command. A pass removes the failures that it covers.
 *
 * One that checks nothing costs no more than reading its line.
 */
export function followCommand(checks: Checks, ran: RanCommand, settings: CheckSettings = {}): Checks {
  const lastAt = Math.max(checks.lastAt, ran.at.getTime());
  return addRuns({ ...checks, lastAt }, findRuns(ran, settings));
}

/** Adds runs of checks. One that ended before others that are known, as those of subagents may, counts before them. */
export function addRuns(checks: Checks, runs: readonly CheckRun[]): Checks {
  const last = checks.runs.at(-1)?.at ?? 0;
  const isNewer = runs.every(({ at }) => at >= last);
  return isNewer ? runs.reduce(followRun, checks) : followRuns(checks, [...checks.runs, ...runs]);
}

/** Returns the results without some of the runs. */
export function leaveOutRuns(checks: Checks, isOut: (run: CheckRun) => boolean): Checks {
  const left = checks.runs.filter((run) => !isOut(run));
  return left.length === checks.runs.length ? checks : followRuns(checks, left);
}

/** Returns the results of some runs alone. */
function followRuns({ lastAt }: Checks, runs: readonly CheckRun[]): Checks {
  return runs.toSorted((one, other) => one.at - other.at).reduce(followRun, { ...noChecks, lastAt });
}

/** Adds the next run of a check. */
export function followRun(checks: Checks, run: CheckRun): Checks {
  const next = followNext(checks, run);
  const runs = [...checks.runs, run];
  // What the results do not rest on is the first to go.
  const isKept = ({ entry, command }: CheckRun) =>
    next.results.some((each) => each.entry === entry && each.command === command);
  const spent = runs.length > mostRuns ? runs.findIndex((each) => !isKept(each)) : -1;
  return { ...next, runs: runs.filter((_, at) => at !== spent), lastAt: Math.max(checks.lastAt, run.at) };
}

function followNext(checks: Checks, run: CheckRun): Checks {
  if (run.isStarted) return followStarted(checks, run);
  return isUnseen(run) ? followUnseen(checks, run) : followResult(checks, run);
}

/** Adds a check that passed or failed. */
function followResult(checks: Checks, result: CheckRun): Checks {
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
function followUnseen(checks: Checks, result: CheckRun): Checks {
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

/** Adds a check that was only started: how it ended before says little of what is run now. */
function followStarted(checks: Checks, run: CheckRun): Checks {
  const isAgain = (each: CheckResult) => concerns(each, run);
  const failed = checks.results.some((each) => each.failure !== undefined && isAgain(each));
  const left = checks.results.filter((each) => each.failure !== undefined || !isAgain(each));
  const turn = checks.turn + 1;
  const results = failed
    ? left.map((each) => (isAgain(each) ? { ...each, isStarted: true as const } : each))
    : withinLimit([...left, { ...run, turn, failures: 0 }]);
  return { ...checks, results, turn };
}

/** Takes off the failed cases that a narrower run has passed since. */
function withoutPassed(result: CheckResult, { ranFor, passed, scope }: CheckRun) {
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
