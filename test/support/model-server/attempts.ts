/** Remembers how often a step was asked for. The only thing that a server knows beside the scenario and the request. */
export interface Attempts {
  /** Returns how often it was called with this key before. */
  next(key: string): number;
}

/** Starts to count. */
export function countAttempts(): Attempts {
  const counts = new Map<string, number>();
  return {
    next: (key) => {
      const before = counts.get(key) ?? 0;
      counts.set(key, before + 1);
      return before;
    },
  };
}
