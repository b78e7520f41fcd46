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
  /** How much of a line is looked at where the rule is a user's own; all of it unless given. */
  readonly within?: number;
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
  readonly resolution: string;
}

/** Makes a table of rules: each row says only what it does not share with the others. */
export function toRules(
  shared: Omit<Rule, "tool" | "pattern">,
  rows: readonly (Pick<Rule, "tool" | "pattern"> & Partial<Rule>)[],
): readonly Rule[] {
  return rows.map((row) => ({ ...shared, ...row }));
}
