import { clip } from "../lib/clip.ts";
import { plainLines } from "../lib/plain-lines.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { EntryId } from "../sessions/ids.ts";
import { assessResult, type Failure, type StepResult } from "./assess/assess-result.ts";
import { pickSteps, type WorkStep } from "./assess/pick-steps.ts";
import { goalOf } from "./assess/shows-pass.ts";
import type { Goal } from "./goal.ts";
import type { CommandResult, RanCommand } from "./ran-command.ts";
import { advice, type OwnRule } from "./rule.ts";
import { isUnknownName } from "./rules/usage-rules.ts";
import type { Filters } from "./scope/filters.ts";
import { type Scope, scopeOf } from "./scope/scope-of.ts";
import { commandSteps } from "./shell/command-steps.ts";

/** How one run of a check ended. */
export interface CheckRun {
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
  /** Whether it covers the whole project rather than named files, cases or packages. */
  readonly isWide: boolean;
  /** What the step is run for: a test run may fail to build. */
  readonly ranFor: Goal | undefined;
  readonly scope: Scope;
  /** Undefined where it passed or its result was not seen. */
  readonly failure?: Failure;
  /** What the output of a failed step went through before it was shown. */
  readonly filters?: Filters;
  /** Set where it was started in the background, or again after a failure, and its end was not seen. */
  readonly isStarted?: true;
}

/** What a user has set. */
export interface CheckSettings {
  /** Rules of the user's own, which come before all others. */
  readonly rules?: readonly OwnRule[] | undefined;
}

/** Returns the runs of checks in a command, in order. */
export function findRuns(ran: RanCommand, settings: CheckSettings = {}): readonly CheckRun[] {
  if (ran.isStarted)
    return pickSteps(commandSteps(ran.command))
      .filter(({ kind }) => /^(?:build|test|lint)$/.test(kind))
      .map((step) => ({
        ...toRun({ step, goal: goalOf(step.kind), line: "", isUnseen: true }, ran),
        isStarted: true,
      }));
  if (ran.approvedFor !== undefined) return toApproved(ran, ran.approvedFor, settings);
  return assessResult(ran, settings.rules)
    .filter(({ step }) => !isScratch(step, ran.cwd))
    .map((result) => toRun(result, ran));
}

/** Returns what failed in a command; undefined where nothing is known to have. */
export function findFailure(
  result: CommandResult,
  { rules }: CheckSettings = {},
): { readonly failure: Failure; readonly line: string } | undefined {
  const found = assessResult(result, rules).find(({ failure }) => failure !== undefined);
  return found?.failure === undefined ? undefined : { failure: found.failure, line: tidy(found.line) };
}

/** Returns the run of a check that the user approved: its exit code decides, and a pass covers all of its goal. */
function toApproved(ran: RanCommand, goal: Goal, settings: CheckSettings): readonly CheckRun[] {
  const passed = ran.exitCode === 0;
  const last = tidy(ran.output.trim().split("\n").at(-1) ?? "");
  const found = passed ? undefined : findFailure(ran, settings);
  const asked = ran.command.split(" ").slice(1);
  // A command that never ran says nothing of the code.
  if (!passed && found === undefined && plainLines(ran.output).some((line) => isUnknownName(line, asked)))
    return [];
  const failure = found?.failure ?? { tool: "check", goal, resolution: advice[goal] };
  const run = {
    ...{ goal: passed ? goal : failure.goal, ranFor: goal, command: ran.command, passed },
    ...{ line: found?.line ?? last, at: ran.at.getTime(), entry: ran.entry, seq: 0, isWide: true },
    scope: { tool: "approved", isRunner: true, isApproved: true, targets: [], names: [] },
    ...(!passed && { failure }),
  } as const;
  return [run];
}

function toRun(judged: StepResult, ran: RanCommand): CheckRun {
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

function isWide({ targets, names, variant }: Scope): boolean {
  return targets.length === 0 && names.length === 0 && variant === undefined;
}

const [longestCommand, longestLine] = [200, 200];

/** What is tried out in a folder for temporary files says nothing of the project. */
function isScratch({ folder }: WorkStep, cwd: string | undefined): boolean {
  const temporary = /^(?:\/private)?\/tmp\/|^\/tmp$|^\$\(mktemp|^\$\{?TMP/;
  return folder !== undefined && temporary.test(folder) && !temporary.test(cwd ?? "");
}

/** Returns a step as one would type it again. */
function describeStep({ typed, folder, kind }: WorkStep): string {
  if (kind === "commit") return "git commit";
  const words = typed.filter((word) => word !== "time" && word !== "command");
  const text = words
    .map((word) => (/^[\w./@:,+%=*?~-]+$/.test(word) ? word : renderShellWord(word)))
    .join(" ");
  const place = folder === undefined || folder.startsWith("/") ? "" : `cd ${renderShellWord(folder)} && `;
  return `${place}${text}`.slice(0, longestCommand);
}

/** Returns a line of an output without the blanks and rules around it. */
function tidy(line: string): string {
  return clip(line.replace(/^[\s=━─]+|[\s=━─]+$/g, ""), longestLine);
}
