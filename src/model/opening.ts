import type { Pace, RetryPolicy } from "./retry.ts";
import type { Timeouts } from "./watch-silence.ts";

/** How a model is reached, with everything decided. */
export interface Opening {
  readonly baseUrl: string;
  readonly contextTokens: number | undefined;
  readonly timeouts: Timeouts;
  readonly policy: RetryPolicy;
  readonly pace: Pace;
}
