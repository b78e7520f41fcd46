const aborted = Symbol("aborted");

/** Yields what a source yields until the signal is aborted; then it ends at once, although the source may still be waiting. */
export async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  // One listener for all items: a promise that many races wait for would keep them all in memory.
  let wake: (reason: typeof aborted) => void = () => undefined;
  signal.addEventListener("abort", () => wake(aborted), { once: true });
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Item> | typeof aborted>((resolve, reject) => {
        wake = resolve;
        iterator.next().then(resolve, reject);
      });
      if (next === aborted || next.done) return;
      yield next.value;
    }
  } finally {
    // A source that is still waiting would make us wait too.
    if (!signal.aborted) await iterator.return?.();
  }
}
