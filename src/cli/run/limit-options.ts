import { Option } from "@commander-js/extra-typings";
import { parseDuration } from "../../lib/duration.ts";
import type { RunLimits } from "../../run/run-config.ts";
import { parseCount, parseDollars } from "../define-command.ts";

export const maxTokensOption = () =>
  new Option("--max-tokens <n>", "At most so many tokens, read and written").argParser(parseCount);
export const maxTimeOption = () =>
  new Option("--max-time <duration>", "At most so long, such as 90m").argParser(parseDuration);
export const maxCostOption = () =>
  new Option(
    "--max-cost <dollars>",
    "At most so many dollars; needs `models.prices` in config.yaml",
  ).argParser(parseDollars);

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
