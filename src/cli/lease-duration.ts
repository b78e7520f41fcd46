import { configError } from "../lib/app-error.ts";
import { toMilliseconds } from "../lib/duration.ts";
import type { CommandContext } from "./command-context.ts";

/** Returns how long a session stays held by a machine that falls silent, where CARRYON_LEASE says it. */
export function leaseDuration({ env }: CommandContext): { readonly leaseMs?: number } {
  const text = env.CARRYON_LEASE;
  if (text === undefined || text === "") return {};
  const leaseMs = toMilliseconds(text);
  // A timer of Node cannot wait for longer than 24 days.
  if (leaseMs >= 1000 && leaseMs <= 86_400_000) return { leaseMs };
  throw configError("bad-lease", "CARRYON_LEASE must be a duration from 1s to 1d.", {
    hint: "Give a number and a unit, such as 60s; without it, it is a minute.",
  });
}
