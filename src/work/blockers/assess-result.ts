import { parseIfJson } from "../../lib/parse-if-json.ts";
import type { BlockerType, Detection, Severity } from "../blocker.ts";
import { plainLines } from "../plain-lines.ts";
import { commandSteps } from "../shell/command-steps.ts";
import { describeDetection } from "./describe-detection.ts";
import { type Ending, type Finding, findRule } from "./find-rule.ts";
import { pickSteps, type WorkStep } from "./pick-steps.ts";
import type { Rule } from "./rule.ts";
import { ciAdvice, reviewAdvice } from "./rules/ci-rules.ts";
import { kindsOf, showsPass } from "./shows-pass.ts";
import { findSilentPass, isSilent } from "./silent-pass.ts";
import type { StepKind } from "./step-kind.ts";

/** Conclusions of a run that call for somebody; a cancelled or skipped one does not. */
const bad = new Set(["failure", "timed_out", "startup_failure", "action_required"]);

const mostOfLine = 2000;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the list that `gh run list` prints, or what it and `gh run view` and `gh pr view` print with `--json`. */
function detectInCi(output: string): Finding | undefined {
  const text = output.trim();
  const [status = "", conclusion = "", title = ""] =
    text.slice(0, mostOfLine).split("\n", 1)[0]?.split("\t") ?? [];
  if (status === "completed" && bad.has(conclusion)) return failure(conclusion, title);
  return /^[[{]/.test(text) ? detectInJson(parseIfJson(text)) : undefined;
}

function detectInJson(value: unknown): Finding | undefined {
  const runs = (Array.isArray(value) ? value : [value]).filter(isFields);
  const decision = runs[0]?.reviewDecision;
  if (decision === "CHANGES_REQUESTED") {
    const rule = { tool: "gh pr", type: "review_blocked", resolution: reviewAdvice } as const;
    return { rule, line: `reviewDecision: ${decision}` };
  }
  const failed = newestRuns(runs).find(({ conclusion }) => bad.has(textOf(conclusion)));
  if (failed === undefined) return undefined;
  const name = textOf(failed.workflowName) || textOf(failed.name) || textOf(failed.displayTitle);
  return failure(textOf(failed.conclusion), name);
}

function failure(conclusion: string, name: string): Finding {
  const rule = { tool: "gh run", type: "ci_failure", resolution: ciAdvice } as const;
  return { rule, line: name === "" ? `conclusion: ${conclusion}` : `${name}, conclusion: ${conclusion}` };
}

/** The newest run stands first; those of the same commit count with it, older ones do not. */
function newestRuns(runs: readonly Fields[]): readonly Fields[] {
  const [first] = runs;
  if (first === undefined) return [];
  const ofCommit = runs.filter(({ headSha }) => headSha !== undefined && headSha === first.headSha);
  return ofCommit.length > 0 ? ofCommit : [first];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** What is known of a command that was run. */
export interface CommandResult {
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  /** Whether the client called it a failure; counts where the exit code is not known. */
  readonly failed?: boolean;
  /** Set where it is not known what it printed, which is then empty. */
  readonly isOutputUnknown?: true;
}

/** What a result says of the steps of its command. */
export interface Assessment {
  readonly failed?: { readonly step: WorkStep; readonly detection: Detection };
  /** The steps that are known to have gone well: by an exit code of their own, or by what they said at their end. */
  readonly passed: readonly WorkStep[];
}

/** Judges the result of a command, step by step. The user's own rules come before all others. */
export function assessResult(result: CommandResult, own?: readonly Rule[]): Assessment {
  const all = commandSteps(result.command);
  const steps = pickSteps(all);
  if (steps.length === 0) return { passed: [] };
  const { lines, exitCode } = splitExitCode(result);
  const endings = steps.map((step) => (step.decides ? endingOf(exitCode, result.failed) : "unknown"));
  const judged = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const ending = endings[index] ?? "unknown";
    // Two steps of a kind would be judged by the same words.
    const key = `${step.kind} ${ending} ${step.isClear}`;
    if (judged.has(key)) continue;
    judged.add(key);
    const found = judge(step, { lines, ending, exitCode, output: result.output, own });
    if (found !== undefined)
      return failedAt(steps, creditOf(found, steps, step), describeDetection(found, result.command));
  }
  const isRun = exitCode === undefined ? result.failed !== true : !isOutsideCode(exitCode);
  const isQuiet = result.isOutputUnknown !== true && isSilent(lines);
  const silent =
    isQuiet && endingOf(exitCode, result.failed) === "well"
      ? findSilentPass(result.command, all, steps)
      : undefined;
  const hasPassed = (step: WorkStep, index: number): boolean =>
    step === silent ||
    isKnownToPass(step, endings[index]) ||
    (endings[index] !== "badly" && showsPass(lines, step, steps));
  return { passed: isRun ? steps.filter(hasPassed) : [] };
}

/** What the line may do without can have been left out where it succeeds. */
function isKnownToPass({ mayBeSkipped }: WorkStep, ending: Ending | undefined): boolean {
  return ending === "well" && !mayBeSkipped;
}

/** What ran before the failed step and was joined to it by `&&` went well. */
function failedAt(steps: readonly WorkStep[], step: WorkStep, detection: Detection): Assessment {
  return {
    failed: { step, detection },
    passed: steps
      .slice(0, steps.indexOf(step))
      .filter(({ decides, mayBeSkipped }) => decides && !mayBeSkipped),
  };
}

/** Returns the step whose failure was found: in `npm run build && npm test` a failed test is that of the second. */
function creditOf({ rule }: Finding, steps: readonly WorkStep[], found: WorkStep): WorkStep {
  const kinds = kindsOf[rule.type] ?? [];
  return kinds.includes(found.kind) ? found : (steps.find(({ kind }) => kinds.includes(kind)) ?? found);
}

interface Evidence {
  readonly lines: readonly string[];
  readonly ending: Ending;
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly own: readonly Rule[] | undefined;
}

function judge(step: WorkStep, { lines, ending, exitCode, output, own }: Evidence): Finding | undefined {
  if (ending === "well" && !step.reports) return undefined;
  if (ending === "unknown" && !step.isClear) return undefined;
  const found =
    (step.kind === "ci" ? detectInCi(output) : undefined) ??
    findRule(lines, { kind: step.kind, ending, own });
  if (found !== undefined) return found;
  return ending === "badly" && step.isAlone ? fallbackFor(step.kind, lines, exitCode) : undefined;
}

/** Exit codes that say that a command was not found, not run, or ended from outside: none says what it found. */
const isOutsideCode = (code: number): boolean => code < 0 || (code > 123 && code < 193 && code !== 128);

function endingOf(exitCode: number | undefined, failed: boolean | undefined): Ending {
  if (exitCode === 0) return "well";
  if (exitCode !== undefined) return isOutsideCode(exitCode) ? "unknown" : "badly";
  if (failed === undefined) return "unknown";
  return failed ? "badly" : "well";
}

/** Takes off the line `Exit code 1` that Claude Code puts before the output of a command that failed. */
function splitExitCode(result: CommandResult): Pick<Evidence, "lines" | "exitCode"> {
  const lines = plainLines(result.output);
  const told =
    result.failed === true ? /^(?:Error: )?Exit code (\d{1,3})$/.exec(lines[0] ?? "")?.[1] : undefined;
  const exitCode = result.exitCode ?? (told === undefined ? undefined : Number(told));
  return { lines: told === undefined ? lines : lines.slice(1), exitCode };
}

const failures: Readonly<
  Partial<Record<StepKind, { readonly type: BlockerType; readonly severity?: Severity }>>
> = {
  build: { type: "build_error" },
  test: { type: "test_failure" },
  lint: { type: "build_error", severity: "medium" },
  install: { type: "dependency" },
};

/** What a tool says when it was called in a wrong way or place: a slip of the caller, which blocks nothing. */
const slips: readonly RegExp[] = [
  /^(?:\/\S{1,100}\/)?(?:ba|da|z|k)?sh: .{1,300}: (?:No such file or directory|command not found|not found|Permission denied|Not a directory)$/,
  /^(?:\(eval\):|zsh:)?(?:cd:)?(?:\d+:)? ?(?:no such file or directory|command not found): /,
  /^usage: |^Usage: |^(?:\S{1,100}: )?(?:error: )?(?:unknown|unrecognized|unexpected|invalid|illegal) (?:command-line )?(?:option|argument|flag|command)/i,
  /^npm (?:ERR!|error) (?:Missing script|code ENOENT|Unknown command|The `npm ci` command can only install with an existing)|^error (?:Command "|Couldn't find a package\.json)|ERR_PNPM_NO_(?:SCRIPT|IMPORTER)/i,
  /No rule to make target '[^']{1,300}'\. {2}Stop\.|\*\*\* No targets/,
  /^ERROR: (?:file or directory not found|not found): |^(?:=+ )?no tests ran in |^No test(?:s| files) found|^No tests were found/,
  /^error: (?:could not find `Cargo\.toml`|no such (?:sub)?command|unexpected argument|no (?:bin|test|example|bench) target|Unrecognized option|package ID specification)/,
  /^(?:pattern \S{1,300}: |go: )(?:directory prefix |cannot find main module|go\.mod file not found|no packages to|unknown command)|^no Go files in |^flag provided but not defined/,
  /Unknown lifecycle phase|there is no POM in this directory|^Task '.{1,100}' not found in |does not contain a Gradle build/,
  /^CMake Error: The source directory|^Error: (?:could not load cache|not a CMake build directory)|^(?:Error: )?\S{1,300} is not a directory$|^ninja: (?:error: (?:loading 'build\.ninja'|unknown target)|fatal: chdir)/,
  /fatal error: no input files|^[\w+-]{1,60}: (?:fatal )?error: \S{1,300}: No such file or directory$|error: file not found: |unrecognized command-line option/,
  /^(?:mypy: can't read file|Could not find '|Cannot open file "|No files matching)/,
  /error TS(?:5023|5025|6044|6053)/,
];

/** Lines that say why, as far as one can tell without knowing the tool. */
const reason = /\b(?:error|fatal|failed|failure|exception|panic|cannot|could not)\b/i;

/** Returns what a failure of a known kind of command is when no rule knows its words, unless the call was a slip. */
function fallbackFor(
  kind: StepKind,
  lines: readonly string[],
  exitCode: number | undefined,
): Finding | undefined {
  const failure = failures[kind];
  // Without an exit code the command may never have run: a client reports a refused call as a failure too.
  if (failure === undefined || exitCode === undefined) return undefined;
  if (lines.some((line) => slips.some((slip) => slip.test(line)))) return undefined;
  const line = lines.find((text) => reason.test(text)) ?? lines.findLast((text) => text.trim() !== "");
  const resolution = "Read the output of the command, fix what it names, and run it again.";
  return { rule: { ...failure, tool: kind, resolution }, ...(line === undefined ? {} : { line }) };
}
