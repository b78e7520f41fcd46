/** Calls something again and again until it is told to stop; passed in, so that tests decide when. */
export type Ticker = (ms: number, tick: () => void) => () => void;

/** Ticks by the system's clock, and keeps no process alive for it. */
export const systemTicker: Ticker = (ms, tick) => {
  const timer = setInterval(tick, ms);
  timer.unref();
  return () => clearInterval(timer);
};

export interface AutoSave {
  /** In seconds; 0 turns it off. */
  readonly interval: number;
  readonly ticker: Ticker;
  readonly save: () => Promise<void>;
  /** Is told why a save failed. The next one is tried all the same. */
  readonly onTrouble: (error: unknown) => void;
}

/** Saves from time to time, one save after another; returns how to stop it, which waits for a save that is under way. */
export function startAutoSave({ interval, ticker, save, onTrouble }: AutoSave): () => Promise<void> {
  if (interval <= 0) return async () => undefined;
  let saving: Promise<void> | undefined;
  const stop = ticker(interval * 1000, () => {
    saving ??= save()
      .catch(onTrouble)
      .finally(() => {
        saving = undefined;
      });
  });
  return async () => {
    stop();
    await saving;
  };
}
