import type { Argument, KnownText } from "./argument.ts";
import { type Classification, quote, reads, unknown, type Verdict, writes } from "./classification.ts";
import type { Shell } from "./shell.ts";

/** A program and its words as a rule gets to see them. */
export interface Call {
  /** The bare name, with its subcommand where a rule for that is asked: `git stash`. */
  readonly name: string;
  readonly args: readonly Argument[];
  readonly stdin: KnownText;
  readonly shell: Shell;
  /** Judges words as a program that is started; functions and aliases are not seen by it. */
  readonly runs: (words: readonly Argument[]) => Classification;
  /** Judges a text that another shell runs. */
  readonly script: (text: KnownText) => Classification;
  /** Judges a text that this shell runs. */
  readonly evals: (text: KnownText) => Classification;
}

/** Says of one program what it does with its words. */
export type Rule = (call: Call) => Classification;
export type Rules = Readonly<Record<string, Rule>>;

/** Returns the plain sentence for a verdict about a program as a whole. */
export function plainly(verdict: Verdict, name: string): Classification {
  if (verdict === "reads") return reads(`${quote(name)} only reads.`);
  if (verdict === "writes") return writes(`${quote(name)} changes files.`);
  return unknown(`What ${quote(name)} does is decided only when it runs.`);
}

/** Returns a rule that does not look at the words. */
export const always =
  (verdict: Verdict): Rule =>
  ({ name }) =>
    plainly(verdict, name);

/** Returns rules for programs, named with blanks between them, of which each always does the same. */
export function listed(verdict: Verdict, names: string): Rules {
  return Object.fromEntries(
    names
      .split(/\s+/)
      .filter((name) => name !== "")
      .map((name) => [name, always(verdict)]),
  );
}
