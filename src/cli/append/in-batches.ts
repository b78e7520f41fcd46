import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Groups what a source has ready into batches of at most `max`, in order.
 *
 * A batch never waits for more: what comes slowly comes alone, what comes fast shares one commit.
 */
export async function* inBatches<Item>(
  source: AsyncIterable<Item>,
  max: number,
): AsyncGenerator<readonly Item[], void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    let pending = iterator.next();
    for (;;) {
      const first = await pending;
      if (first.done) return;
      const batch = [first.value];
      pending = iterator.next();
      while (batch.length < max) {
        // A failure of the source comes after the batch before it is dealt with.
        const next = await Promise.race([pending.catch(() => undefined), nextTurn()]);
        if (next === undefined || next.done) break;
        batch.push(next.value);
        pending = iterator.next();
      }
      pending.catch(() => undefined);
      yield batch;
    }
  } finally {
    // It is asked for its next item already, which may never come: nobody waits for it to end.
    iterator.return?.().catch(() => undefined);
  }
}
