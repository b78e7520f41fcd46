import { plainLines } from "../../lib/plain-lines.ts";
import type { Goal } from "../goal.ts";
import type { CommandResult } from "../ran-command.ts";
import { advice, type OwnRule, type Rule } from "../rule.ts";
import { isUsageError, missingTools } from "../rules/usage-rules.ts";
import { commandSteps, type Step } from "../shell/command-steps.ts";
import { findInCi } from "./ci-result.ts";
import { failedCases } from "./failed-cases.ts";
import { type Ending, type Finding, findRule } from "./find-rule.ts";
import { pickSteps, type WorkStep } from "./pick-steps.ts";
import { goalOf, kindsOf, showsPass } from "./shows-pass.ts";
import { isSilent, passesInSilence } from "./silent-pass.ts";
import { summaryLine } from "./summary-line.ts";

/** How one step of a command ended. */
export interface StepResult {
  readonly step: WorkStep;
  /** What the step is run for; undefined for one that may do anything. */
  readonly goal: Goal | undefined;
  /** Undefined where it passed or its result was not seen. */
  readonly failure?: Failure;
  /** Set where it ran and nothing tells how it ended. */
  readonly isUnseen?: true;
  /** The line of the output that says how it ended, or may say that it failed; empty where none does. */
  readonly line: string;
}

/** What was found in the output of a step that failed. */
export interface Failure extends Pick<Rule, "tool" | "type" | "severity"> {
  readonly resolution: string;
  /** What failed, which may be another thing than the step is run for: a test run may fail to build. */
  readonly goal: Goal;
  /** The files and cases of a test run that failed, where the output names them all. */
  readonly cases?: readonly string[];
}

/** What a client says in the place of a result when a person refused the call or stopped it. */
const refused =
  /^(?:The user doesn't want to |\[Request interrupted|Permission to use |Claude requested permissions)/;

/**
 * Judges the result of a command, step by step, in order; a step that may not have run is left out.
 *
 * The output is read only where the command holds a step that matters. A user's own rules come before all others.
 */
export function assessResult(result: CommandResult, own?: readonly OwnRule[]): readonly StepResult[] {
  const all = commandSteps(result.command);
  const steps = pickSteps(all);
  if (steps.length === 0 || refused.test(result.output)) return [];
  const told = { ...readEnding(result, steps), own };
  const failed = findFailure(steps, told);
  const passed = findPassed(steps, failed?.step, told, all.at(-1));
  return steps.flatMap((step): StepResult[] => {
    const goal = goalOf(step.kind);
    if (step === failed?.step) return [{ step, goal, failure: failed.failure, line: failed.line }];
    if (!passed.includes(step))
      return failed === undefined && isRunUnseen(step, told)
        ? [{ step, goal, isUnseen: true, line: told.lines.find(mayTellFailure) ?? "" }]
        : [];
    return [{ step, goal, line: goal === undefined ? "" : lineOf(step, steps, told) }];
  });
}

/** Tells whether a check ran although nothing tells how it ended. `grep` fails where it finds nothing. */
function isRunUnseen({ kind, decides, mayBeSkipped, isClear, filters }: WorkStep, told: Told): boolean {
  const isCheck = kind === "build" || kind === "test" || kind === "lint";
  if (!isCheck || decides || mayBeSkipped || !isClear || !told.isRun || !told.isShown) return false;
  const isOfGrep = /^(?:[ef]?grep|rg) /.test(filters.at(-1) ?? "") && (told.exitCode ?? 1) === 1;
  return (told.ending !== "badly" || isOfGrep) && !hasUsageError(told);
}

const noFailures = /\b(?:0|no) (?:\w+ )?(?:fail|error)\w*|\b(?:fail|error)\w*[:=]? {0,20}0\b/gi;
const failureWords =
  /\b(?:fail(?:ed|ures?|ing|s)?|errors?|fatal|panic(?:ked)?|exception|not ok|abort(?:ed)?|traceback)\b|[✗✘✖×]/i;

const mayTellFailure = (line: string): boolean => failureWords.test(line.replace(noFailures, ""));

/** Returns the line by which a step that passed sums itself up, as far as it can be told from those of others. */
function lineOf(step: WorkStep, steps: readonly WorkStep[], { lines }: Told): string {
  const ofKind = steps.filter(({ kind, words }) => kind === step.kind && !isFixer(words));
  if (ofKind.at(-1) !== step) return "";
  return summaryLine(lines, step.kind, { isAlone: steps.length === 1 && step.isClear });
}

/** What is known of how a command ended. */
interface Told {
  readonly output: string;
  readonly lines: readonly string[];
  readonly exitCode: number | undefined;
  readonly ending: Ending;
  readonly isRun: boolean;
  readonly isQuiet: boolean;
  /** Whether the output is known. */
  readonly isShown: boolean;
  /** The words behind the programs that were called. */
  readonly asked: readonly string[];
  /** The user's own rules. */
  readonly own: readonly OwnRule[] | undefined;
}

/** A longer output is read at its head and its tail. */
const [mostOfHead, mostOfTail] = [16_384, 49_152];
/** Of a run that certainly passed only the summary is read. */
const mostOfSummary = 4096;

/** Takes off the line `Exit code 1` that Claude Code puts before the output of a command that failed. */
function readEnding(result: CommandResult, steps: readonly WorkStep[]): Omit<Told, "own"> {
  const { failed } = result;
  const isPassed = endingOf(result.exitCode, failed) === "well";
  const isCertain = isPassed && steps.every((step) => step.decides && !reports(step) && !step.mayBeSkipped);
  const all = plainLines(isCertain ? result.output.slice(-mostOfSummary) : headAndTail(result.output));
  const code = failed === true ? /^(?:Error: )?Exit code (\d{1,3})$/.exec(all[0] ?? "")?.[1] : undefined;
  const exitCode = result.exitCode ?? (code === undefined ? undefined : Number(code));
  const lines = code === undefined ? all : all.slice(1);
  return {
    ...{ output: result.output, lines, exitCode },
    ending: endingOf(exitCode, failed),
    isRun: exitCode === undefined ? failed !== true : !isOutsideCode(exitCode),
    isQuiet: result.isOutputUnknown !== true && isSilent(lines),
    isShown: result.isOutputUnknown !== true,
    asked: steps.flatMap(({ words }) => words.slice(1)),
  };
}

/** Tells whether a step succeeds even when what it shows is a failure. */
const reports = ({ kind }: WorkStep): boolean => kind === "git-status" || kind === "ci";

function headAndTail(output: string): string {
  if (output.length <= mostOfHead + mostOfTail) return output;
  return `${output.slice(0, mostOfHead)}\n${output.slice(-mostOfTail)}`;
}

/** Exit codes that say that a command was not found, not run, or ended from outside: none says what it found. */
const isOutsideCode = (code: number): boolean => code < 0 || (code > 123 && code < 193 && code !== 128);

function endingOf(exitCode: number | undefined, failed: boolean | undefined): Ending {
  if (exitCode === 0) return "well";
  if (exitCode !== undefined) return isOutsideCode(exitCode) ? "unknown" : "badly";
  if (failed === undefined) return "unknown";
  return failed ? "badly" : "well";
}

/** Returns how a step ended, by the exit code of the line or the one that the line prints of it. */
function endingOfStep({ decides, codeBetween: [before, after] }: WorkStep, { ending, lines }: Told): Ending {
  if (decides || before === undefined || after === undefined) return decides ? ending : "unknown";
  const codes = lines.flatMap((line) =>
    line.startsWith(before) && line.endsWith(after)
      ? line.slice(before.length, line.length - after.length)
      : [],
  );
  const code = codes.findLast((each) => /^\d{1,3}$/.test(each));
  return code === undefined ? "unknown" : endingOf(Number(code), undefined);
}

/** Returns the steps that passed: by an exit code of their own, by their words, or because a later one ran. */
function findPassed(
  steps: readonly WorkStep[],
  failed: WorkStep | undefined,
  told: Told,
  last: Step | undefined,
): readonly WorkStep[] {
  const { lines, ending, isRun, isQuiet } = told;
  if (!isRun) return [];
  const hasPassed = (step: WorkStep): boolean =>
    failed === undefined
      ? isQuiet && ending === "well" && passesInSilence(step, last)
      : letsRun(step, failed, steps);
  return steps.filter((step) => {
    if (step === failed) return false;
    if (hasPassed(step)) return true;
    // A question to CI that is answered says nothing by itself.
    const own = step.kind === "ci" ? "unknown" : endingOfStep(step, told);
    if (own === "well") return !step.mayBeSkipped || showsPass(lines, step, steps);
    return own !== "badly" && showsPass(lines, step, steps);
  });
}

/** Tells whether a later step ran only because this one passed. */
function letsRun(step: WorkStep, later: WorkStep, steps: readonly WorkStep[]): boolean {
  if (steps.indexOf(step) >= steps.indexOf(later) || step.typed[0] === "!") return false;
  return !step.chain.includes("/") && later.chain.split("/", 1)[0] === step.chain;
}

type FailedStep = Required<Pick<StepResult, "step" | "failure" | "line">>;

/** Returns the step that failed. Two steps of a kind would be judged by the same words, so each kind is asked once. */
function findFailure(steps: readonly WorkStep[], told: Told): FailedStep | undefined {
  const missing = findMissing(steps, told);
  if (missing !== undefined) return missing;
  const judged = new Set<string>();
  for (const step of steps) {
    const ending = endingOfStep(step, told);
    const key = `${step.kind} ${ending} ${step.isClear}`;
    if (judged.has(key)) continue;
    judged.add(key);
    const found = judge(step, ending, told);
    if (found === undefined) continue;
    const failed = creditOf(found, steps, { found: step, lines: told.lines });
    return { step: failed, failure: toFailure(found, failed, told.lines), line: found.line ?? "" };
  }
  return undefined;
}

function toFailure({ rule }: Finding, step: WorkStep, lines: readonly string[]): Failure {
  const { tool, type, severity } = rule;
  // Many linters write their findings as a C compiler does.
  const isFinding = step.kind === "lint" && /^(?:gcc or clang|make)$/.test(tool);
  const goal = isFinding ? "lint" : (rule.goal ?? goalOf(step.kind) ?? "build");
  const cases = goal === "test" && step.kind === "test" ? failedCases(lines) : [];
  return {
    ...{ tool, goal, resolution: rule.resolution ?? advice[goal] },
    ...(cases.length > 0 && { cases }),
    ...(type !== undefined && { type }),
    ...(severity !== undefined && { severity }),
  };
}

function judge(step: WorkStep, ending: Ending, told: Told): Finding | undefined {
  const { lines, output, own } = told;
  if (ending === "well" && !reports(step)) return undefined;
  if (ending === "unknown" && !step.isClear) return undefined;
  const found =
    (step.kind === "ci" ? findInCi(output) : undefined) ?? findRule(lines, { kind: step.kind, ending, own });
  if (found === undefined) return ending === "badly" ? fallbackFor(step, told) : undefined;
  return isMistyped(found, told) ? undefined : found;
}

/** A test runner counts a path that does not exist as a failed test; files that are named without their package do not build. */
function isMistyped({ rule }: Finding, told: Told): boolean {
  return /^(?:node --test or TAP|go test, build)$/.test(rule.tool) && hasUsageError(told);
}

const hasUsageError = ({ lines, asked }: Told): boolean => lines.some((line) => isUsageError(line, asked));

/** Returns the step that needed a program that is not installed, as far as a shell or a runner says so. */
function findMissing(steps: readonly WorkStep[], { lines, ending, exitCode }: Told): FailedStep | undefined {
  const isAsked = ending === "badly" || exitCode === 127 || (ending === "unknown" && lines.length < 20);
  const line = isAsked ? lines.find((each) => missingTools.some((pattern) => pattern.test(each))) : undefined;
  const step = steps.find(({ kind }) => kind === "test" || kind === "build" || kind === "lint");
  if (line === undefined || step === undefined) return undefined;
  const resolution = "Install the dependencies of the project, then run the command again.";
  return { step, failure: { tool: "missing tool", goal: "install", resolution }, line };
}

/**
 * Returns the step whose failure was found: in `npm run build && npm test` a failed test is that of the second. Of steps of
 * one kind it is the one that the tool or npm names, else the last that the others let run: a pass of an earlier one alone
 * says nothing of it.
 */
function creditOf(
  { rule: { tool, goal } }: Finding,
  steps: readonly WorkStep[],
  { found, lines }: { readonly found: WorkStep; readonly lines: readonly string[] },
): WorkStep {
  const kinds = goal === undefined ? [found.kind] : (kindsOf[goal] ?? []);
  if (!kinds.includes(found.kind)) return steps.find(({ kind }) => kinds.includes(kind)) ?? found;
  const same = steps.filter(({ kind, decides }) => kind === found.kind && decides === found.decides);
  const names = tool.toLowerCase().split(" ");
  const own = same.find(({ words }) => names.includes(words[0] ?? ""));
  const ofNpm = same.find(
    ({ words }) => words[0] === "npm" && lines.some((line) => /^npm (?:error|ERR!)/.test(line)),
  );
  const [first = found, ...others] = same.filter(({ words }) => !isFixer(words));
  return own ?? ofNpm ?? others.findLast((each) => letsRun(first, each, steps)) ?? first;
}

const isFixer = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:fmt|format|-w|-i|--write|--fix)$/.test(word)) && !words.includes("--check");

/** Lines that say why, as far as one can tell without knowing the tool. */
const reason = /\b(?:error|fatal|failed|failure|exception|panic|cannot|could not)\b/i;

/** Returns the failure of a known kind of command when no rule knows its words, unless the call itself was wrong. */
function fallbackFor({ kind, isAlone }: WorkStep, told: Told): Finding | undefined {
  const { lines, exitCode } = told;
  const goal = goalOf(kind);
  // What the hook of a commit says is about the hook.
  if (!(goal === "commit" && isAlone) && hasUsageError(told)) return undefined;
  if (goal === "commit") return refusedCommit(lines, exitCode);
  const isKnown = goal === "build" || goal === "test" || goal === "lint" || goal === "install";
  // Without an exit code the command may never have run: a client reports a refused call as a failure too.
  if (!isKnown || !isAlone || exitCode === undefined) return undefined;
  const line = lines.find((text) => reason.test(text)) ?? lines.findLast((text) => text.trim() !== "");
  return { rule: { tool: kind, goal }, ...(line !== undefined && { line }) };
}

const byHook =
  /validation failed|pre-commit|hook (?:id|declined|failed|exited)|husky|lefthook|lint-staged|commitlint/i;
const noRefusal =
  /^(?:nothing (?:added )?to commit|no changes added to commit|On branch |Aborting commit due to empty|The following paths are ignored by|fatal: |error: (?:pathspec|unknown (?:option|switch)))|Please tell me who you are|index\.lock/;

/** Returns the finding of a commit that a check refused; git itself refuses in words that are known. */
function refusedCommit(lines: readonly string[], exitCode: number | undefined): Finding | undefined {
  const hook = lines.find((line) => byHook.test(line));
  if (lines.some((line) => noRefusal.test(line)) || (exitCode === undefined && hook === undefined))
    return undefined;
  const line = lines.find((text) => reason.test(text)) ?? hook ?? lines.find((text) => text.trim() !== "");
  return { rule: { tool: "commit hook", goal: "commit" }, ...(line !== undefined && { line }) };
}
