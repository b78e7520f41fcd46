import type { Prices } from "../model/prices.ts";
import type { Usage } from "../sessions/entry.ts";
import type { RunConfig, RunLimits } from "./run-config.ts";

/** What was used, by the name of the model, as messages have it. */
type UsageByModel = Readonly<Record<string, Usage>>;

/** What a run has used of each of its limits since that was granted. */
export interface Spent {
  /** Rounds that were finished. */
  readonly rounds: number;
  /** Of the limit of tokens. */
  readonly usage: UsageByModel;
  /** Of the limit of cost. */
  readonly paid: UsageByModel;
  /** Of the stretches before the current one; the time in between does not count. */
  readonly earlierMs: number;
  /** The same from the beginning of the run on, whatever was granted since. */
  readonly allEarlierMs: number;
  /** When the current stretch began, and its newest entry. */
  readonly began: Date | undefined;
  readonly last: Date | undefined;
}

export const nothingSpent: Spent = {
  rounds: 0,
  usage: {},
  paid: {},
  earlierMs: 0,
  allEarlierMs: 0,
  began: undefined,
  last: undefined,
};

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
  return {
    ...spent,
    usage: addUsageOf(spent.usage, model, usage),
    paid: addUsageOf(spent.paid, model, usage),
  };
}

/** Adds a usage to that of a model. */
export function addUsageOf(before: UsageByModel, model: string, usage: Usage): UsageByModel {
  return { ...before, [model]: addUsage(before[model] ?? {}, usage) };
}

/** Begins to count anew for the limits that are granted. */
export function forgetSpent(spent: Spent, granted: ReadonlySet<keyof RunLimits>): Spent {
  return {
    ...spent,
    rounds: granted.has("rounds") ? 0 : spent.rounds,
    usage: granted.has("tokens") ? {} : spent.usage,
    paid: granted.has("cost") ? {} : spent.paid,
    earlierMs: granted.has("seconds") ? 0 : spent.earlierMs,
  };
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
  // A millionth of a dollar is exact enough, and the same however it was added up.
  return Math.round(sum) / 1_000_000;
}

/** Returns how long a run has worked since its time was granted. */
export function countMs(spent: Spent, now: Date): number {
  return spent.earlierMs + stretchMs(spent, now);
}

/** Returns how long a run has worked from its beginning on. */
export function countAllMs(spent: Spent, now: Date): number {
  return spent.allEarlierMs + stretchMs(spent, now);
}

/** A clock that was set back must not give time away. */
function stretchMs({ began }: Spent, now: Date): number {
  return began === undefined ? 0 : Math.max(0, now.getTime() - began.getTime());
}

/** Begins a stretch: the time until the last entry of the one before is added to what was spent. */
export function beginStretch(spent: Spent, at: Date): Spent {
  const { last } = spent;
  const worked = last === undefined ? 0 : stretchMs(spent, last);
  return {
    ...spent,
    earlierMs: spent.earlierMs + worked,
    allEarlierMs: spent.allEarlierMs + worked,
    ...{ began: at, last: at },
  };
}

/** A limit of what is used up, whatever the round. */
export type SpentLimit = "tokens" | "time" | "cost";

/** What a run may use, what it has used of it, and what that costs. */
export interface Accounts {
  readonly limits: RunLimits;
  readonly spent: Spent;
  readonly config: Pick<RunConfig, "prices">;
}

/** Returns the limits that have been reached. Rounds are counted where one begins. */
export function listSpentLimits(
  { limits, spent, config }: Accounts,
  { now }: { readonly now: Date },
): readonly SpentLimit[] {
  const isOver = (used: number | undefined, limit: number | null) =>
    used !== undefined && limit !== null && used >= limit;
  return [
    ...(isOver(countTokens(spent), limits.tokens) ? ["tokens" as const] : []),
    ...(isOver(countMs(spent, now) / 1000, limits.seconds) ? ["time" as const] : []),
    ...(isOver(countCost({ usage: spent.paid }, config.prices), limits.cost) ? ["cost" as const] : []),
  ];
}

/** Returns the limit that has been reached, if any. */
export function findSpentLimit(accounts: Accounts, at: { readonly now: Date }): SpentLimit | undefined {
  return listSpentLimits(accounts, at)[0];
}
