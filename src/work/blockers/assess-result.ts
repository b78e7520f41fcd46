import type { Detection } from "../blocker.ts";
import { plainLines } from "../plain-lines.ts";
import { commandSteps } from "../shell/command-steps.ts";
import { describeDetection } from "./describe-detection.ts";
import { detectInCi } from "./detect-in-ci.ts";
import { fallbackFor } from "./fallback.ts";
import { type Ending, type Finding, findRule } from "./find-rule.ts";
import { pickSteps, type WorkStep } from "./pick-steps.ts";
import type { Rule } from "./rule.ts";
import { kindsOf, showsPass } from "./shows-pass.ts";
import { findSilentPass, isSilent } from "./silent-pass.ts";

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
