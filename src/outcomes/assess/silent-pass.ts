import { showAny } from "../scope/filters.ts";
import type { Step } from "../shell/command-steps.ts";
import type { WorkStep } from "./pick-steps.ts";

/** Words with which a tool may fail in silence: it is ended, or what it has to say goes elsewhere. */
const unfit =
  /^(?:!|timeout|-q+|--quiet|--silent|--output-file|--format(?:ter)?|--custom-formatter|-fdiagnostics-.*)(?:=|$)/;
/** Compilers name what they make with `-o`. */
const unfitOfLinters = /^-[of]/;

/** What clients say in the place of an output that is empty. */
const nothing = /^(?:\((?:Bash completed with )?no output\)|Tool ran without output)?$/;

/** Tells whether an output is empty. */
export function isSilent(lines: readonly string[]): boolean {
  return lines.every((line) => nothing.test(line.trim()));
}

/**
 * Tells whether a step of a line that ended well and printed nothing has passed, although a pipe hides its exit code: a
 * tool says what is wrong, the filters let something through, and the line ends with the chain that it is in, so that it
 * has run. A test run that prints nothing may have run no test.
 */
export function passesInSilence(step: WorkStep, last: Step | undefined): boolean {
  const { kind, words, typed, filters } = step;
  const isRun = step.isClear && !step.mayBeSkipped && chainOf(step) === chainOf(last);
  return (
    isRun &&
    (kind === "build" || (kind === "lint" && !words.some((word) => unfitOfLinters.test(word)))) &&
    !typed.some((word) => unfit.test(word)) &&
    showAny(filters)
  );
}

function chainOf(step: Pick<Step, "chain"> | undefined): string | undefined {
  return step?.chain.split("/", 1)[0];
}
