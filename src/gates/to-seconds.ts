import { toMilliseconds } from "../lib/duration.ts";

/** Ten years: whatever is meant to last longer, lasts for ever. */
const longest = 315_360_000;

/** Returns a duration in seconds: of a number of them, or of a text such as `90`, `30s`, `5m`, `1h` or `7d`. NaN for what is none. */
export function toSeconds(value: unknown): number {
  const seconds = typeof value === "string" ? parseSeconds(value) : value;
  return typeof seconds === "number" && seconds >= 0 && seconds <= longest ? seconds : Number.NaN;
}

function parseSeconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return /^\d+[smhd]$/.test(text) ? toMilliseconds(text) / 1000 : Number.NaN;
}
