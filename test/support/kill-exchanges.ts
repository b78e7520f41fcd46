import type { Child } from "./child.ts";
import { checkAgreement } from "./converge.ts";
import { Course, type Step } from "./course.ts";
import { countEvents, dieAt, KillMoments, startCounting } from "./kill-moments.ts";
import { openAddress } from "./store-address.ts";
import { verifyAll } from "./verify-all.ts";

/** What a round of kills found. */
export interface KilledExchanges {
  readonly kills: number;
  /** How many were killed while they ran, and not before or after. */
  readonly midway: number;
  readonly entries: number;
  /** Sessions that did not verify after a kill. */
  readonly broken: readonly unknown[];
  readonly seed: number;
}

const pairs = [
  [0, 1],
  [1, 0],
  [2, 1],
  [1, 2],
] as const;

const anyOf = <Value>(values: readonly Value[]): Value => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error("There is nothing to choose from.");
  return value;
};

/**
 * Lets two machines work and exchange everything with a third store, and kills each exchange at one of its events.
 *
 * After each, what arrived must verify; after the last, all must agree, and nothing that was written may be lost.
 */
export async function killExchanges(
  addresses: readonly [string, string, string],
  kills: number,
): Promise<KilledExchanges> {
  await using one = await openAddress(addresses[0]);
  await using server = await openAddress(addresses[1]);
  await using two = await openAddress(addresses[2]);
  const stores = [one, server, two];
  const course = new Course(stores, "kx");
  const broken: unknown[] = [];
  const moments = new KillMoments();
  let midway = 0;
  // How many events an exchange had that was not killed.
  let usual = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    for (let step = 0; step < 6; step += 1) await course.take(anyWork());
    const [from, to] = anyOf(pairs);
    const args = [addresses[from] ?? "", addresses[to] ?? ""];
    // One in eight ends by itself, so that it is known how many events it takes.
    if (kill % 8 === 0) {
      const { work } = await countEvents((env) => endOf(startCounting("exchange-child.ts", args, env)));
      usual = work;
    } else if (
      (await endOf(startCounting("exchange-child.ts", args, dieAt(moments.draw("work", usual))))) ===
      "SIGKILL"
    )
      midway += 1;
    broken.push(
      ...Object.values(await verifyAll(stores[to] ?? one)).filter(({ problem }) => problem !== null),
    );
  }
  await checkAgreement(course, stores);
  return { kills, midway, entries: course.written.size, broken, seed: moments.seed };
}

async function endOf(child: Child) {
  await using own = child;
  return await own.ended();
}

function anyWork(): Step {
  const [which, count] = [Math.floor(Math.random() * 4), 1 + Math.floor(Math.random() * 40)];
  const what = anyOf(["append", "append", "append", "append", "describe", "fork", "delete"] as const);
  return { do: what, at: anyOf([0, 2]), which, count };
}
