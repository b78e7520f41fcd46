import type { Pipeline } from "./shell-pipelines.ts";

/** What a line has told its shell about failures. */
export interface ShellOptions {
  /** `set -e`: the line ends with the first of them. */
  readonly stopsAtOnce: boolean;
  /** `set -o pipefail`: a pipeline fails with any of its commands. */
  readonly keepsFailure: boolean;
}

/** Tells of each pipeline whether its failure is the failure of the line: what follows it runs only after a success. */
export function decidingPipelines(
  pipelines: readonly Pipeline[],
  { stopsAtOnce, keepsFailure }: ShellOptions,
): readonly boolean[] {
  const decide: boolean[] = [];
  for (const [index, pipeline] of [...pipelines.entries()].reverse())
    decide[index] = isPassedOn(pipeline, pipelines[index + 1], decide[index + 1] === true);
  return pipelines.map((pipeline, index) => {
    const isHidden = pipeline.into !== undefined && !keepsFailure;
    return !isHidden && (decide[index] === true || (stopsAtOnce && stopsLine(pipeline)));
  });
}

/** Tells whether a failure is that of the line, by what comes next and whether a failure of that is. */
function isPassedOn(pipeline: Pipeline, next: Pipeline | undefined, isNextPassedOn: boolean): boolean {
  const { joint, isCondition, isInSubshell } = pipeline;
  if (joint === "&" || isCondition) return false;
  if (next === undefined) return true;
  if (joint === "&&" || joint === "|") return isNextPassedOn;
  // In brackets `exit` ends only these, and what comes after them decides.
  return passesOn(joint, next.commands[0]?.words ?? []) && (isNextPassedOn || !isInSubshell);
}

/** Tells whether the next command ends the line with the same outcome, as in `make || exit 1`. */
function passesOn(joint: string, [program, code = "$?"]: readonly string[]): boolean {
  return program === "exit" && (joint === "||" ? code !== "0" : /^\$[?{P]/.test(code));
}

/** Tells whether a failure ends a line at once where it is told to; not where the line asks for the outcome. */
function stopsLine({ joint, isCondition, isGuarded }: Pipeline): boolean {
  return !["&", "&&", "||", "|"].includes(joint) && !isCondition && isGuarded !== true;
}
