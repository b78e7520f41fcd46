import type { RunLimits } from "../../run/run-config.ts";

/** The options that limit a run. */
interface LimitOptions {
  readonly rounds?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** In milliseconds. */
  readonly maxTime?: number | undefined;
  readonly maxCost?: number | undefined;
}

/** Returns the limits that a person has named. */
export function toLimits({ rounds, maxTokens, maxTime, maxCost }: LimitOptions): Partial<RunLimits> {
  return {
    ...(rounds === undefined ? {} : { rounds }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
    ...(maxTime === undefined ? {} : { seconds: maxTime / 1000 }),
    ...(maxCost === undefined ? {} : { cost: maxCost }),
  };
}
