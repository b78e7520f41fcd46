import { type Deadline, makeDeadline } from "../../lib/make-deadline.ts";
import type { Rule } from "./rule.ts";

/** How long all of a user's rules may take for one output. */
const patienceMs = 1000;

class TooSlow extends Error {}

let within: Deadline | undefined;

/**
 * Returns the first of a user's own rules that a line of an output matches, and that line.
 *
 * Nobody knows what patterns of a user cost on some output: where they take too long they count as not matching, so that
 * the table still decides.
 */
export function findOwnRule(
  own: readonly Rule[],
  lines: readonly string[],
): { readonly rule: Rule; readonly line: string } | undefined {
  if (own.length === 0) return undefined;
  within ??= makeDeadline(patienceMs, () => new TooSlow());
  try {
    return within(() => find(own, lines));
  } catch (error) {
    if (error instanceof TooSlow) return undefined;
    throw error;
  }
}

function find(own: readonly Rule[], lines: readonly string[]) {
  for (const rule of own) {
    const line = lines.find((each) => rule.pattern.test(each.slice(0, rule.within)));
    if (line !== undefined) return { rule, line };
  }
  return undefined;
}
