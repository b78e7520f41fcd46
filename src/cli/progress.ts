import { truncate } from "../lib/terminal-text.ts";
import type { CommandContext } from "./command-context.ts";

export interface Progress {
  /** Replaces the line that is shown; at most ten times a second. */
  show(line: string): void;
  clear(): void;
}

const intervalMs = 100;

/** Opens a line of progress on standard error: on a terminal only, a pipe sees nothing of it. */
export function openProgress(context: CommandContext): Progress {
  let shownMs = Number.NEGATIVE_INFINITY;
  if (!context.isTerminal.error) return { show: () => undefined, clear: () => undefined };
  return {
    show: (line) => {
      const nowMs = context.clock.now().getTime();
      if (nowMs - shownMs < intervalMs) return;
      shownMs = nowMs;
      context.err(`\r${truncate(line, (context.columns ?? 80) - 1)}\u001b[K`);
    },
    clear: () => {
      if (shownMs !== Number.NEGATIVE_INFINITY) context.err("\r\u001b[K");
    },
  };
}
