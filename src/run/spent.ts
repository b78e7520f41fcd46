import { addUsage } from "../chat/estimate-context.ts";
import type { Prices } from "../model/prices.ts";
import type { Usage } from "../sessions/entry.ts";
import { limitKeys, noLimits, type RunConfig, type RunLimits } from "./run-config.ts";

/** What was used, by the name of the model, as messages have it. */
type UsageByModel = Readonly<Record<string, Usage>>;

/** An amount for each limit. */
type Amounts = Readonly<Record<keyof RunLimits, number>>;

/** What a run has used from its beginning on. */
export interface Spent {
  /** Rounds that were finished. */
  readonly rounds: number;
  readonly usage: UsageByModel;
  /** Of the stretches before the current one; the time in between does not count. */
  readonly earlierMs: number;
  /** When the current stretch began, and its newest entry. */
  readonly began: Date | undefined;
  readonly last: Date | undefined;
  /** What had been used when each limit was granted last. */
  readonly atGrant: Amounts;
}

export const nothingSpent: Spent = {
  rounds: 0,
  usage: {},
  earlierMs: 0,
  began: undefined,
  last: undefined,
  atGrant: { rounds: 0, tokens: 0, seconds: 0, cost: 0 },
};

/** Adds the usage of one reply. */
export function spendUsage(spent: Spent, model: string, usage: Usage): Spent {
  return { ...spent, usage: { ...spent.usage, [model]: addUsage(spent.usage[model] ?? {}, usage) } };
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
  return round(sum / million);
}

const million = 1_000_000;

/** A millionth is exact enough, and the same however it was added up. */
function round(amount: number): number {
  return Math.round(amount * million) / million;
}

/** Returns how long a run has worked. */
export function countMs(spent: Spent, now: Date): number {
  return spent.earlierMs + stretchMs(spent, now);
}

/** A clock that was set back must not give time away. */
function stretchMs({ began }: Spent, now: Date): number {
  return began === undefined ? 0 : Math.max(0, now.getTime() - began.getTime());
}

/** Begins a stretch: the time until the last entry of the one before is added to what was spent. */
export function beginStretch(spent: Spent, at: Date): Spent {
  const worked = spent.last === undefined ? 0 : stretchMs(spent, spent.last);
  return { ...spent, earlierMs: spent.earlierMs + worked, began: at, last: at };
}

/** What a run may use, what it has used of it, and what that costs. */
export interface Accounts {
  readonly limits: RunLimits;
  readonly spent: Spent;
  readonly config: Pick<RunConfig, "prices">;
}

/** When it is counted. */
interface Moment {
  readonly now: Date;
}

function countAll({ spent, config }: Pick<Accounts, "spent" | "config">, { now }: Moment): Amounts {
  return {
    rounds: spent.rounds,
    tokens: countTokens(spent),
    seconds: countMs(spent, now) / 1000,
    cost: countCost(spent, config.prices) ?? 0,
  };
}

/** Begins to count anew for the limits that are granted. */
export function grantAnew(
  accounts: Pick<Accounts, "spent" | "config">,
  granted: ReadonlySet<keyof RunLimits>,
  at: Moment,
): Spent {
  const { spent } = accounts;
  const all = Object.entries(countAll(accounts, at)).filter(([key]) => granted.has(key as keyof RunLimits));
  return { ...spent, atGrant: { ...spent.atGrant, ...Object.fromEntries(all) } };
}

/** Returns what is left of each limit; null without one. */
export function remainingLimits({ limits, ...accounts }: Accounts, at: Moment): RunLimits {
  const all = countAll(accounts, at);
  const { atGrant } = accounts.spent;
  const left = limitKeys.flatMap((key) => {
    const limit = limits[key];
    return limit === null ? [] : [[key, Math.max(0, round(limit - (all[key] - atGrant[key])))]];
  });
  return { ...noLimits, ...Object.fromEntries(left) };
}

/** Returns how many rounds are left; null without a limit. */
export function remainingRounds({ limits, spent }: Pick<Accounts, "limits" | "spent">): number | null {
  return limits.rounds === null ? null : Math.max(0, limits.rounds - (spent.rounds - spent.atGrant.rounds));
}

/** Returns the limits that have been reached. */
export function listReached(accounts: Accounts, at: Moment): readonly (keyof RunLimits)[] {
  const left = remainingLimits(accounts, at);
  return limitKeys.filter((key) => left[key] === 0);
}

/** A limit of what is used up, whatever the round. */
export type SpentLimit = "tokens" | "time" | "cost";

/** Returns the limit that has been reached, if any. Rounds are counted where one begins. */
export function findSpentLimit(accounts: Accounts, at: Moment): SpentLimit | undefined {
  const reached = listReached(accounts, at).find((key) => key !== "rounds");
  return reached === "seconds" ? "time" : reached;
}
