import { plural } from "../../lib/describe.ts";

/** Returns how old something is, in words that stay the same for a while. */
export function describeAge(at: Date | undefined, now: Date): string {
  if (at === undefined || Number.isNaN(at.getTime())) return "of unknown age";
  if (at.getTime() === now.getTime()) return "now";
  const hours = (now.getTime() - at.getTime()) / 3_600_000;
  if (hours < 0) return "dated in the future";
  if (hours < 1) return "less than an hour old";
  return `${hours < 48 ? plural(Math.floor(hours), "hour") : plural(Math.floor(hours / 24), "day")} old`;
}
