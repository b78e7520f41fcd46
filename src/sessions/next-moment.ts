/**
 * Returns the time for an entry that has the last word on what came before: now, or just after it.
 *
 * Of two events the later one counts; a clock that was set back, or two events in one millisecond, must not undo the newer.
 */
export function nextMoment(now: Date, before: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}
