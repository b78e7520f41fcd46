import type { DiffStretch } from "../session-diff.ts";

/** What is laid beside each other: `key` is equal where both say the same, `place` where they belong beside each other. */
export interface Alignable {
  readonly key: string | undefined;
  readonly place: string | undefined;
}

/** A place on both sides that belongs together. */
interface Pair {
  readonly left: number;
  readonly right: number;
}

/**
 * Lays two lists beside each other: what both say, in order, and what each says in between.
 *
 * They are pinned together where something occurs once on each side, as a prompt or a round mostly does, and from there
 * as far as they agree. That costs hardly more than to read them, however long they are.
 */
export function align(left: readonly Alignable[], right: readonly Alignable[]): readonly DiffStretch[] {
  const isSame = (one: number, other: number): boolean => {
    const key = left[one]?.key;
    return key !== undefined && key === right[other]?.key;
  };
  const pins = longestRising(findUnique(left, right));
  return toStretches(spread(pins, { left: left.length, right: right.length }, isSame), isSame, {
    left: left.length,
    right: right.length,
  });
}

/** Returns the places of what occurs exactly once on each side, in the order of the left. */
function findUnique(left: readonly Alignable[], right: readonly Alignable[]): readonly Pair[] {
  const [ones, others] = [indexUnique(left), indexUnique(right)];
  return [...ones].flatMap(([place, one]) => {
    const other = others.get(place);
    return one === undefined || other === undefined ? [] : [{ left: one, right: other }];
  });
}

function indexUnique(items: readonly Alignable[]): ReadonlyMap<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  items.forEach((item, index) => {
    const place = item.place ?? item.key;
    if (place !== undefined) places.set(place, places.has(place) ? undefined : index);
  });
  return places;
}

/** Returns the longest choice of pairs that rises on both sides: what crosses another pair cannot stand beside it. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  const tails: number[] = [];
  const before: (number | undefined)[] = [];
  pairs.forEach(({ right }, index) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.right ?? 0) < right) low = middle + 1;
      else high = middle;
    }
    before[index] = tails[low - 1];
    tails[low] = index;
  });
  const chosen: Pair[] = [];
  for (let next = tails.at(-1); next !== undefined; next = before[next]) {
    const pair = pairs[next];
    if (pair !== undefined) chosen.push(pair);
  }
  return chosen.reverse();
}

type IsSame = (left: number, right: number) => boolean;

/** Adds to the pins what agrees directly before and after them, and at the beginning and the end. */
function spread(pins: readonly Pair[], end: Pair, isSame: IsSame): readonly Pair[] {
  const found: Pair[] = [];
  let last: Pair = { left: -1, right: -1 };
  for (const pin of [...pins, end]) {
    // What was passed already agrees with something before.
    if (!isBefore(last, pin)) continue;
    const forth = run(last, 1, (next) => isBefore(next, pin) && isSame(next.left, next.right));
    const reached = forth.at(-1) ?? last;
    const back = run(pin, -1, (next) => isBefore(reached, next) && isSame(next.left, next.right));
    found.push(...forth, ...back.reverse(), ...(pin === end ? [] : [pin]));
    last = pin;
  }
  return found;
}

/** Goes from a pair in a direction for as long as it may, and returns the pairs that it passed. */
function run(from: Pair, by: 1 | -1, mayPass: (next: Pair) => boolean): Pair[] {
  const passed: Pair[] = [];
  for (let next = step(from, by); mayPass(next); next = step(next, by)) passed.push(next);
  return passed;
}

function step({ left, right }: Pair, by: 1 | -1): Pair {
  return { left: left + by, right: right + by };
}

function isBefore(one: Pair, other: Pair): boolean {
  return one.left < other.left && one.right < other.right;
}

/** Turns pairs into stretches that cover both sides; a pair that only belongs together begins a stretch. */
function toStretches(pairs: readonly Pair[], isSame: IsSame, end: Pair): readonly DiffStretch[] {
  const stretches: DiffStretch[] = [];
  let at: Pair = { left: 0, right: 0 };
  const add = (same: boolean, to: Pair) => {
    if (to.left === at.left && to.right === at.right) return;
    const last = stretches.at(-1);
    const isMore = last?.same === true && same;
    const from = isMore ? { left: last.left.from, right: last.right.from } : at;
    if (isMore) stretches.pop();
    stretches.push({
      same,
      left: { from: from.left, to: to.left },
      right: { from: from.right, to: to.right },
    });
    at = to;
  };
  for (const pair of pairs) {
    add(false, pair);
    if (isSame(pair.left, pair.right)) add(true, step(pair, 1));
  }
  add(false, end);
  return stretches;
}
