import type { Usage } from "../sessions/entry.ts";

const fields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** Returns the sum of two usages; what neither tells stays untold. */
export function addUsage(one: Usage, other: Usage): Usage {
  const told = fields.filter((field) => one[field] !== undefined || other[field] !== undefined);
  return Object.fromEntries(told.map((field) => [field, (one[field] ?? 0) + (other[field] ?? 0)]));
}

/** Returns how many tokens a request and its reply took. */
export function totalTokens(usage: Usage): number {
  return fields.reduce((sum, field) => sum + (usage[field] ?? 0), 0);
}
