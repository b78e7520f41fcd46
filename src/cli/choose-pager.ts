export interface PagerFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
  /** False after `--no-pager`. */
  readonly wanted: boolean;
}

/**
 * Returns the command that pages long output, or null when none should: $PAGER, else `less`, on a terminal only.
 *
 * It is split at spaces and run without a shell.
 */
export function choosePager({ env, isTerminal, wanted }: PagerFacts): readonly [string, ...string[]] | null {
  if (!wanted || !isTerminal || env.TERM === "dumb") return null;
  const [program, ...args] = (env.PAGER ?? "less -FRX").trim().split(/\s+/);
  return program === undefined || program === "" || program === "cat" ? null : [program, ...args];
}
