import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects garbage: to prepare work that makes much of it, which would else pay for what the work before it left. */
export const collectGarbage: () => void = runInNewContext("gc");

/** One thing to measure. What it needs is made by `prepare`, outside the time that counts. */
export interface Subject<Input> {
  readonly name: string;
  /** How many times it is measured; every round unless given. Slow subjects get fewer, spread over the run. */
  readonly samples?: number;
  readonly prepare: () => Input | Promise<Input>;
  /** Does the work; one that measures itself, in another process, returns its milliseconds. */
  readonly work: (input: Input) => unknown;
}

/** The measured times of each subject, in milliseconds and in order. */
export type Times = ReadonlyMap<string, readonly number[]>;

/** Forgets what a subject's input is, so that subjects with different inputs fit into one list. */
export function subject<Input>(given: Subject<Input>): Subject<unknown> {
  return given as unknown as Subject<unknown>;
}

/**
 * Measures subjects in turn, round by round, so that whatever else the machine does hits all of them alike.
 *
 * The order changes from round to round: no subject always comes after the same one.
 */
export async function interleave(subjects: readonly Subject<unknown>[], rounds: number): Promise<Times> {
  const times = new Map<string, number[]>(subjects.map((each) => [each.name, []]));
  const warmUpRounds = Math.ceil(rounds / 10);
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const each of rotate(subjects, round + warmUpRounds)) {
      if (!isDue(each, round, rounds)) continue;
      const took = await time(each);
      if (round >= 0) times.get(each.name)?.push(took);
    }
  }
  return times;
}

async function time(each: Subject<unknown>): Promise<number> {
  const input = await each.prepare();
  const start = performance.now();
  let result = each.work(input);
  if (result instanceof Promise) result = await result;
  const took = performance.now() - start;
  return typeof result === "number" ? result : took;
}

function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

function isDue(each: Subject<unknown>, round: number, rounds: number): boolean {
  const step = Math.max(1, Math.floor(rounds / (each.samples ?? rounds)));
  return Math.abs(round) % step === 0;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** Returns the median of a subject's times. */
export function medianOf(times: Times, name: string): number {
  return median(times.get(name) ?? []);
}

export interface Ratio {
  readonly ratio: number;
  /** The lowest and highest ratio among the blocks of the run: how far noise moves it. */
  readonly low: number;
  readonly high: number;
  /** How many samples of the subject there are. */
  readonly n: number;
}

const blocks = 8;

/** Compares two subjects of one run: the median over blocks of the ratio of their medians within a block. */
export function compare(times: Times, name: string, limit: string): Ratio {
  const [above, below] = [times.get(name) ?? [], times.get(limit) ?? []];
  const count = Math.min(blocks, above.length, below.length);
  const ratios = Array.from(
    { length: count },
    (_, block) => median(slice(above, block, count)) / median(slice(below, block, count)),
  );
  return { ratio: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios), n: above.length };
}

function slice(values: readonly number[], block: number, count: number): readonly number[] {
  const size = values.length / count;
  return values.slice(Math.floor(block * size), Math.floor((block + 1) * size));
}
