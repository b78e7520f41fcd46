import type { StepKind } from "./assess/step-kind.ts";
import type { Goal } from "./goal.ts";

/** How one kind of tool says that it failed. */
export interface Rule {
  /** The tool as people call it. */
  readonly tool: string;
  /** What failed; a user's own rule is about the goal of the command. */
  readonly goal?: Goal;
  /** The type and severity of the blocker, in a user's own rule. */
  readonly type?: string;
  readonly severity?: string;
  /**
   * What a match proves. A `summary` is the tool's last word on its run and counts even where a pipe has hidden the exit
   * code. A `diagnostic` is one finding; tests print such lines on purpose, so it needs a failed exit code or a build.
   */
  readonly certainty: "summary" | "diagnostic";
  /** Matches one line without colours. */
  readonly pattern: RegExp;
  /** A line that says more than the matched one, such as the name of a test. */
  readonly detail?: RegExp;
  /** The tool's last word on a good run: after the pattern, it takes it back. */
  readonly passed?: RegExp;
  /**
   * What the tool says of a part that went well, also where another part failed: the run went well if nothing else was
   * said until its end.
   */
  readonly partPassed?: RegExp;
  /** The kinds of step that it is looked for in; builds, tests, installs, linters and scripts unless given. */
  readonly kinds?: readonly StepKind[];
  /** What to do about it; by default the advice for its goal. */
  readonly resolution?: string;
}

/** A rule of a user's own. Its pattern is a regular expression of RE2, whose time grows with the line alone. */
export interface OwnRule extends Omit<Rule, "pattern"> {
  readonly pattern: Pick<RegExp, "test">;
  /** How much of a line is looked at. */
  readonly within: number;
}

/** What to do about a failure, by what failed. */
export const advice: Readonly<Record<Goal, string>> = {
  build: "Fix the first error, then build again.",
  test: "Run the failing test alone, fix the code or the test, then run all tests again.",
  lint: "Fix what the check names, then run it again.",
  install: "Check the name and version, and that the registry can be reached.",
  commit: "Fix what the check of the commit names, then commit again.",
  merge:
    "Resolve the marked places by hand, stage the files, and go on with the merge or rebase, or abort it with `--abort`.",
  ci: "Read the failed job with `gh run view --log-failed`, fix it, and push again.",
  review: "Answer what the review asks for, then ask for a new one.",
  decision: "Read the agent's report and settle what it names.",
};

/** Makes a table of rules by the names of their tools: each row says only what it does not share with the others. */
export function toRules(
  shared: Pick<Rule, "goal" | "certainty" | "kinds">,
  rows: Readonly<Record<string, Partial<Rule> & Pick<Rule, "pattern">>>,
): readonly Rule[] {
  return Object.entries(rows).map(([tool, row]) => ({ ...shared, tool, ...row }));
}
