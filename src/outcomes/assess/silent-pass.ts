import type { Step } from "../shell/command-steps.ts";
import type { WorkStep } from "./pick-steps.ts";

/** Tools that print a line at least for whatever is wrong, and nothing when all is well. */
const silentTools: readonly RegExp[] = [
  /^(?:tsc|eslint|stylelint|standard|shellcheck|staticcheck|rustc|javac)(?: |$)/,
  /^(?:python[\d.]* -m )?flake8(?: |$)/,
  /^cargo (?:\+\S+ )?fmt (?:\S+ )*--check(?: |$)/,
  /^gofmt (?:\S+ )*-[ld](?: |$)/,
  /^go (?:vet|build)(?: |$)/,
  /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?(?: |$)/,
];

/** Options with which a tool may fail in silence: what it has to say goes elsewhere, or is made by another program. */
const unfit =
  /^(?:-q+|--quiet|--silent|--output-file|--format(?:ter)?|--custom-formatter|-fdiagnostics-.*)(?:=|$)/;
/** Compilers name what they make with `-o`. */
const unfitOfLinters = /^-[of]/;

/** What shows a line at least of whatever it is given: blank lines may stand first and last. */
const showsAny =
  /^(?:cat(?: -\w*)*|tee(?: .*)?|nl|less|more|(?:head|tail)(?: -(?:n ?)?0*(?:[3-9]|[1-9]\d+))?)$/;

/** What may stand before it, joined by `&&`: it says so where it fails. */
const preparations = /^(?:cd|pushd|export)$/;

/**
 * What a line must not hold: redirections, other joints than `&&` and `|`, brackets, substitutions and negations; and
 * programs that end others, or look for them instead of running them.
 */
const doubts = [
  /[<>;`\n()]|\|\||\$\(|(?<!&)&(?!&)/,
  /(?:^|\s)[!{}](?:\s|$)/,
  /\b(?:timeout|command|builtin|exec|nohup|sudo|doas|xvfb-run)\b/,
];

/** What clients say in the place of an output that is empty. */
const nothing = /^(?:\((?:Bash completed with )?no output\)|Tool ran without output)?$/;

/** Tells whether an output is empty. */
export function isSilent(lines: readonly string[]): boolean {
  return lines.every((line) => nothing.test(line.trim()));
}

/**
 * Returns the step of a line that went well if the line printed nothing, although a pipe hides its exit code: a tool that
 * is silent when all is well, behind filters that let a line through at least. Undefined wherever it may have failed.
 */
export function findSilentPass(
  command: string,
  steps: readonly Step[],
  works: readonly WorkStep[],
): WorkStep | undefined {
  const line = command.trim().replaceAll(/(?<=\s)2>&1(?=\s)/g, "");
  const [work, ...others] = works;
  const at = steps.findIndex(({ words }) => words === work?.words);
  const step = steps[at];
  if (work === undefined || step === undefined || others.length > 0) return undefined;
  if (doubts.some((doubt) => doubt.test(line)) || work.mayBeSkipped || !isSilentTool(work)) return undefined;
  const isPrepared = steps
    .slice(0, at)
    .every(({ words, pipeline }) => preparations.test(words[0] ?? "") && pipeline !== step.pipeline);
  const isShown = steps
    .slice(at + 1)
    .every(({ words, pipeline }) => showsAny.test(words.join(" ")) && pipeline === step.pipeline);
  return isPrepared && isShown ? work : undefined;
}

function isSilentTool({ kind, words }: WorkStep): boolean {
  if (kind !== "build" && kind !== "lint") return false;
  const text = words.join(" ");
  if (!silentTools.some((tool) => tool.test(text)) || words.some((word) => unfit.test(word))) return false;
  return kind === "build" || !words.some((word) => unfitOfLinters.test(word));
}
