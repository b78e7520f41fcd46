import { setTimeout as wait } from "node:timers/promises";
import { type Failure, isPassing } from "./failure.ts";

/** How patient a model is with its provider. */
export interface RetryPolicy {
  /** How often a reply is asked for at most. */
  readonly attempts: number;
  /** How often when nobody answers at all; a server that is not there seldom comes up within a minute. */
  readonly attemptsToConnect: number;
  /** How long the first wait is where the server does not say; each is twice the one before. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** How long all waits may be together. A server that wants more is not waited for. */
  readonly totalWaitMs: number;
}

export const patience: RetryPolicy = {
  attempts: 6,
  attemptsToConnect: 4,
  firstWaitMs: 1000,
  longestWaitMs: 30_000,
  totalWaitMs: 300_000,
};

/** Time and chance, which tests decide themselves. */
export interface Pace {
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** Rejects with the signal's reason as soon as that is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemPace: Pace = {
  now: Date.now,
  random: Math.random,
  sleep: async (milliseconds, signal) => {
    try {
      await wait(milliseconds, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** What has been tried so far. */
export interface Tried {
  readonly attempts: number;
  readonly waitedMs: number;
}

/** What comes after a failure. */
export type NextStep =
  | { readonly type: "give-up" }
  | { readonly type: "wait"; readonly waitMs: number; readonly attempts: number };

/** Decides whether a reply is asked for again, and when. Pure: `chance` is at least 0 and less than 1. */
export function planRetry(failure: Failure, tried: Tried, policy: RetryPolicy, chance: number): NextStep {
  const attempts = attemptsFor(failure, policy);
  if (tried.attempts >= attempts) return { type: "give-up" };
  const asked = failure.type === "answered" ? failure.retryAfterMs : undefined;
  const waitMs = Math.ceil(asked ?? backOff(tried.attempts, policy, chance));
  if (tried.waitedMs + waitMs > policy.totalWaitMs) return { type: "give-up" };
  return { type: "wait", waitMs, attempts };
}

function attemptsFor(failure: Failure, { attempts, attemptsToConnect }: RetryPolicy): number {
  switch (failure.type) {
    case "answered":
      return isPassing(failure) ? attempts : 0;
    case "unreachable":
      return failure.isPassing ? attemptsToConnect : 0;
    case "broken":
      return attemptsToConnect;
    // Whoever has waited for minutes wants to be told, and a wrong address does not become right.
    case "silent":
    case "empty":
      return 0;
  }
}

/** A quarter of each wait is left to chance, so that many who were refused together do not come back together. */
function backOff(attempts: number, { firstWaitMs, longestWaitMs }: RetryPolicy, chance: number): number {
  const longest = Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs);
  return longest * (1 - chance / 4);
}
