/** Where the time comes from. It is passed in, so that tests decide what time it is. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/**
 * Returns milliseconds of a clock that never goes back, to measure a stretch of time by.
 *
 * It is not `performance.now()`: at its first use that loads a module of Node, which every hook would pay for.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
