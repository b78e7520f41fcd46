import type { Usage } from "../conversation/entry.ts";
import type { RunLimits } from "./run-config.ts";

/** What a run has used since its limits were granted. */
export interface Spent {
  /** Rounds that were finished. */
  readonly rounds: number;
  /** By the name of the model, as messages have it. */
  readonly usage: Readonly<Record<string, Usage>>;
  /** Of the stretches before the current one; the time in between does not count. */
  readonly earlierMs: number;
  /** When the current stretch began, and its newest entry. */
  readonly began: Date | undefined;
  readonly last: Date | undefined;
}

export const nothingSpent: Spent = {
  rounds: 0,
  usage: {},
  earlierMs: 0,
  began: undefined,
  last: undefined,
};

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The prices that are known, by the name of the model. */
export type Prices = Readonly<Record<string, Price>>;

const fields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** Adds two usages; what neither tells is missing. */
export function addUsage(one: Usage, other: Usage): Usage {
  return Object.fromEntries(
    fields.flatMap((field) =>
      one[field] === undefined && other[field] === undefined
        ? []
        : [[field, (one[field] ?? 0) + (other[field] ?? 0)]],
    ),
  );
}

/** Adds the usage of one reply. */
export function spendUsage(spent: Spent, model: string, usage: Usage): Spent {
  const sum = addUsage(spent.usage[model] ?? {}, usage);
  return { ...spent, usage: { ...spent.usage, [model]: sum } };
}

/** Returns how many tokens count. */
export function countTokens({ usage }: Pick<Spent, "usage">): number {
  return Object.values(usage).reduce(
    (sum, { inputTokens = 0, outputTokens = 0, cacheWriteTokens = 0 }) =>
      sum + inputTokens + outputTokens + cacheWriteTokens,
    0,
  );
}

/** Returns the dollars that were spent; undefined where the price of a model is not known. */
export function countCost({ usage }: Pick<Spent, "usage">, prices: Prices): number | undefined {
  let sum = 0;
  for (const [model, used] of Object.entries(usage)) {
    const price = prices[model];
    if (price === undefined) return undefined;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = used;
    sum +=
      inputTokens * price.input +
      outputTokens * price.output +
      cacheReadTokens * (price.cacheRead ?? price.input) +
      cacheWriteTokens * (price.cacheWrite ?? price.input);
  }
  return sum / 1_000_000;
}

/** Returns how long a run has worked. */
export function countMs({ earlierMs, began }: Spent, now: Date): number {
  // A clock that was set back must not give time away.
  return earlierMs + (began === undefined ? 0 : Math.max(0, now.getTime() - began.getTime()));
}

/** Begins a stretch: the time until the last entry of the one before is added to what was spent. */
export function beginStretch(spent: Spent, at: Date): Spent {
  const { last, began } = spent;
  const earlierMs = last === undefined || began === undefined ? spent.earlierMs : countMs(spent, last);
  return { ...spent, earlierMs, began: at, last: at };
}

/** A limit of what is used up, whatever the round. */
export type SpentLimit = "tokens" | "time" | "cost";

/** Returns the limit that has been reached, if any. Rounds are counted where one begins. */
export function findSpentLimit(
  limits: RunLimits,
  spent: Spent,
  { now, prices }: { readonly now: Date; readonly prices: Prices },
): SpentLimit | undefined {
  const isOver = (used: number | undefined, limit: number | null) =>
    used !== undefined && limit !== null && used >= limit;
  if (isOver(countTokens(spent), limits.tokens)) return "tokens";
  if (isOver(countMs(spent, now) / 1000, limits.seconds)) return "time";
  return isOver(countCost(spent, prices), limits.cost) ? "cost" : undefined;
}
