import { AppError } from "../../lib/app-error.ts";
import type { SearchOrder } from "../../sessions/search-index.ts";
import { longestPhrase } from "./chunks.ts";
import { keyLimit } from "./document-key.ts";
import { type FoundEntry, findEntries, type Search } from "./find-documents.ts";
import { kindMark, ranks } from "./marks.ts";
import type { Item, Query } from "./parse-query.ts";
import type { SearchPlan } from "./plan-search.ts";
import type { Indexes } from "./tail-index.ts";

/** An entry at its place in the answer. */
export interface PlacedEntry extends Pick<FoundEntry, "sessionKey" | "seq"> {
  readonly place: SearchPlace;
  /** How well it fits; undefined where that is not known before its texts are. */
  readonly score: number | undefined;
}

/** Where an entry stands in the order; a page begins after one. */
export interface SearchPlace {
  /** Which of the steps of the order it belongs to, from 0 on. */
  readonly step: number;
  readonly key: number;
}

/** What is looked for at one step of the order: those before it give what fits better. */
type Step = Pick<Search, "plan" | "items" | "without">;

/** Yields what is found, in the order that is wanted: both engines give the same, because only what stands where counts. */
export async function* rankEntries(
  indexes: Indexes,
  query: Query,
  plan: SearchPlan,
  {
    order,
    after,
    first,
  }: { readonly order: SearchOrder; readonly after: SearchPlace; readonly first: number },
): AsyncGenerator<PlacedEntry> {
  const newest = { plan, items: query.items, without: undefined };
  const steps = order === "newest" ? [newest] : await choosePossible(indexes, query, plan);
  for (const [step, each] of steps.entries()) {
    if (each === undefined || step < after.step) continue;
    const before = step === after.step ? after.key : keyLimit;
    for await (const entry of findEntries(indexes, { ...each, before }, first)) {
      const { key, sessionKey, seq } = entry;
      const score = order === "newest" ? undefined : steps.length - step;
      yield { place: { step, key }, sessionKey, seq, score };
    }
  }
}

/** Leaves out the steps for words side by side where they stand so nowhere: one look is cheaper than one at each step. */
async function choosePossible(
  indexes: Indexes,
  query: Query,
  plan: SearchPlan,
): Promise<readonly (Step | undefined)[]> {
  const steps = listSteps(query, plan);
  const together = sideBySide(query.items);
  if (together === undefined) return steps;
  const look = { plan, items: [together], without: undefined, before: keyLimit };
  const { done } = await findEntries(indexes, look, 1).next();
  if (done !== true) return steps;
  return steps.map((step) => (step.without === undefined ? undefined : { ...step, without: undefined }));
}

function listSteps({ items }: Query, plan: SearchPlan): readonly Step[] {
  const kinds = ranks.map((each) => ({ ...plan, marks: [...plan.marks, each.map(kindMark)] }));
  const together = sideBySide(items);
  const plain = kinds.map((each) => ({ plan: each, items, without: together }));
  if (together === undefined) return plain;
  // What has the words side by side has all of them.
  return [...kinds.map((each) => ({ plan: each, items: [together], without: undefined })), ...plain];
}

/** Returns several words as the phrase that they are in the query; undefined when there is only one. */
export function sideBySide(items: readonly Item[]): Item | undefined {
  const phrases = items.flatMap(([plain]) => (plain === undefined ? [] : [plain]));
  const terms = phrases.flatMap((phrase) => phrase.terms);
  const isDivided = phrases.slice(0, -1).some(({ isPrefix }) => isPrefix);
  if (phrases.length < 2 || isDivided || terms.length > longestPhrase) return undefined;
  return [{ terms, isPrefix: phrases.at(-1)?.isPrefix === true }];
}

export const beginning: SearchPlace = { step: 0, key: keyLimit };

export function renderPlace({ step, key }: SearchPlace): string {
  return `${step}-${key}`;
}

export function parsePlace(text: string): SearchPlace {
  const [, step, key] = /^(\d)-(\d{1,16})$/.exec(text) ?? [];
  if (step === undefined || Number(key) > keyLimit) {
    throw new AppError("The cursor is not one that a search ended with.", {
      kind: "usage",
      code: "bad-cursor",
    });
  }
  return { step: Number(step), key: Number(key) };
}
