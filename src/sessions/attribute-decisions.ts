import type { OwnItem } from "./diff/own-items.ts";
import type { MadeDecision } from "./session-diff.ts";

/** A decision of a project, and when it was written down. */
export interface DatedDecision {
  readonly seq: number;
  readonly at: Date;
  readonly summary: string;
  readonly decision: string;
}

/**
 * Tells which decisions belong to a side because somebody made them while it was at it.
 *
 * The log does not say in which session a decision was made, unless a tool of the session wrote it down. One that lies in
 * the time of both sides belongs to the one that has an entry closer before it.
 */
export function attribute(
  left: readonly OwnItem[],
  right: readonly OwnItem[],
  decisions: readonly DatedDecision[],
): readonly [readonly MadeDecision[], readonly MadeDecision[]] {
  const known = new Set(
    [...left, ...right].flatMap(({ calls }) => calls.map(({ decision }) => decision?.seq)),
  );
  const [ones, others] = [timesOf(left), timesOf(right)];
  const found: [MadeDecision[], MadeDecision[]] = [[], []];
  for (const { seq, at, summary, decision } of decisions) {
    if (known.has(seq)) continue;
    const [one, other] = [before(ones, at), before(others, at)];
    if (one === undefined && other === undefined) continue;
    const side = (one ?? Number.NEGATIVE_INFINITY) >= (other ?? Number.NEGATIVE_INFINITY) ? 0 : 1;
    found[side].push({ seq, summary, decision, by: "time" });
  }
  return found;
}

function timesOf(items: readonly OwnItem[]): readonly number[] {
  return items.map(({ item }) => item.at.getTime()).sort((one, other) => one - other);
}

/** Returns the time of the last entry before a moment; undefined where it lies outside of all of them. */
function before(times: readonly number[], at: Date): number | undefined {
  const moment = at.getTime();
  if (moment > (times.at(-1) ?? Number.NEGATIVE_INFINITY)) return undefined;
  return times.findLast((each) => each <= moment);
}
