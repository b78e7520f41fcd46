import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/model/failure.ts";
import { patience, planRetry, systemPace } from "../../src/model/retry.ts";

const busy: Failure = { type: "answered", status: 529, message: "Overloaded" };
const refused: Failure = { type: "unreachable", reason: "connect ECONNREFUSED", isPassing: true };
const first = { attempts: 1, waitedMs: 0 };
const giveUp = { type: "give-up" };

describe("a failure", () => {
  it.each([
    { case: "an overloaded server", failure: busy, attempts: 6 },
    { case: "a refused connection", failure: refused, attempts: 4 },
    { case: "a connection that broke", failure: { type: "broken", reason: "reset" } as const, attempts: 4 },
    { case: "a server that wants it", failure: { ...busy, status: 400, shouldRetry: true }, attempts: 6 },
  ])("is tried again: $case", ({ failure, attempts }) => {
    expect(planRetry(failure, first, patience, 0)).toEqual({ type: "wait", waitMs: 1000, attempts });
    expect(planRetry(failure, { attempts, waitedMs: 0 }, patience, 0)).toEqual(giveUp);
  });

  it.each([
    { case: "a bad request", failure: { ...busy, status: 400 } },
    { case: "a server that does not want it", failure: { ...busy, shouldRetry: false } },
    { case: "a quota that is used up", failure: { ...busy, status: 429, reason: "insufficient_quota" } },
    { case: "a bad certificate", failure: { ...refused, isPassing: false } },
    { case: "silence", failure: { type: "silent", seconds: 120 } as const },
    { case: "no reply", failure: { type: "empty" } as const },
  ])("is not tried again: $case", ({ failure }) => {
    expect(planRetry(failure, first, patience, 0)).toEqual(giveUp);
  });

  it("waits as long as the server says, however long that is, within the limit of all waits", () => {
    const planAfter = (retryAfterMs: number) => planRetry({ ...busy, retryAfterMs }, first, patience, 0.9);
    expect(planAfter(0)).toEqual({ type: "wait", waitMs: 0, attempts: 6 });
    expect(planAfter(120_000)).toEqual({ type: "wait", waitMs: 120_000, attempts: 6 });
    expect(planAfter(300_001)).toEqual(giveUp);
    const tried = { attempts: 2, waitedMs: 299_000 };
    expect(planRetry({ ...busy, retryAfterMs: 2000 }, tried, patience, 0)).toEqual(giveUp);
  });

  it("waits twice as long each time, up to the longest, and a little less by chance", () => {
    const policy = { ...patience, attempts: 100, totalWaitMs: Number.POSITIVE_INFINITY };
    const anyTry = fc.record({
      attempts: fc.integer({ min: 1, max: 99 }),
      chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(anyTry, ({ attempts, chance }) => {
        const next = planRetry(busy, { attempts, waitedMs: 0 }, policy, chance);
        const longest = Math.min(1000 * 2 ** (attempts - 1), 30_000);
        if (next.type === "give-up") throw new Error("It gave up.");
        expect(next.waitMs).toBeLessThanOrEqual(longest);
        expect(next.waitMs).toBeGreaterThanOrEqual(longest * 0.75);
      }),
    );
  });
});

it("ends a wait at once with the reason of an abort", async () => {
  const reason = new Error("stopped by a person");
  const abort = new AbortController();
  const waiting = systemPace.sleep(3_600_000, abort.signal);
  abort.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(systemPace.sleep(3_600_000, abort.signal)).rejects.toBe(reason);
});
