import type { Usage } from "../../sessions/entry.ts";
import { type ChainRow, objectOf, textOf } from "./wire.ts";

/** What was counted of an answer so far: its id and its tokens. */
export type CountedUsage = readonly [message: string, usage: Usage];

/** The rows of one answer stand together; only results of its tools come between them. */
const remembered = 16;

const names = [
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheReadTokens", "cache_read_input_tokens"],
  ["cacheWriteTokens", "cache_creation_input_tokens"],
] as const;

/**
 * Returns the tokens that a row adds to what the rows of the same answer told before, and the new count.
 *
 * The client repeats the usage of an answer on each of its rows, and may correct it while the answer grows.
 */
export function countUsage(
  counted: readonly CountedUsage[],
  { type, fields }: ChainRow,
): { readonly counted: readonly CountedUsage[]; readonly usage?: Usage } {
  const message = objectOf(fields, "message");
  const id = textOf(message, "id");
  const told = readUsage(objectOf(message, "usage"));
  if (type !== "assistant" || id === undefined || told === undefined) return { counted };
  const before = counted.find(([each]) => each === id)?.[1];
  const usage = before === undefined ? told : growth(before, told);
  if (usage === undefined) return { counted };
  const others = counted.filter(([each]) => each !== id);
  return { counted: [...others, [id, add(before ?? {}, usage)] as const].slice(-remembered), usage };
}

function readUsage(wire: Readonly<Record<string, unknown>>): Usage | undefined {
  return toUsage((_, field) => {
    const value = wire[field];
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  });
}

function growth(before: Usage, now: Usage): Usage | undefined {
  return toUsage((name) => {
    const more = (now[name] ?? 0) - (before[name] ?? 0);
    return more > 0 ? more : undefined;
  });
}

function add(one: Usage, other: Usage): Usage {
  return toUsage((name) => (one[name] ?? 0) + (other[name] ?? 0)) ?? {};
}

type Name = (typeof names)[number];

/** Collects the counts that there are; a loop, because every row of an answer passes here. */
function toUsage(count: (name: Name[0], field: Name[1]) => number | undefined): Usage | undefined {
  let usage: { [name in Name[0]]?: number } | undefined;
  for (const [name, field] of names) {
    const value = count(name, field);
    if (value === undefined) continue;
    usage ??= {};
    usage[name] = value;
  }
  return usage;
}
