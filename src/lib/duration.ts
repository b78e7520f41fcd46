import { type AppError, usageError } from "./app-error.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const units: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

function badDuration(text: string): AppError {
  return usageError("bad-duration", `"${text}" is not a duration.`, {
    hint: "Give a number and a unit, such as 45s, 90m, 12h, 7d or 2w.",
  });
}

/** Reads a duration such as `90m` or `7d` and returns it in milliseconds. */
export function parseDuration(text: string): number {
  const milliseconds = toMilliseconds(text);
  if (Number.isNaN(milliseconds)) throw badDuration(text);
  return milliseconds;
}

/** Returns a duration such as `90m` or `7d` in milliseconds, and NaN for a text that is none. */
export function toMilliseconds(text: string): number {
  // Six digits reach 19,000 years in weeks: still a valid distance from any date of today.
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  return Number(count) * (units[unit] ?? Number.NaN);
}

/**
 * Describes how long ago something was: `5 minutes ago`, or the local date after 30 days.
 *
 * A time in the future, which another machine's clock can give, is shown as its date.
 */
export function describeAge(from: Date, now: Date): string {
  return tellAge(from, now, (count, unit) => `${count} ${unit}${count === 1 ? "" : "s"} ago`);
}

/** Describes how long ago something was where there is little room: `5m ago`, else as `describeAge` does. */
export function describeAgeShortly(from: Date, now: Date): string {
  return tellAge(from, now, (count, unit) => `${count}${unit.charAt(0)} ago`);
}

function tellAge(from: Date, now: Date, say: (count: number, unit: string) => string): string {
  const age = now.getTime() - from.getTime();
  if (Math.abs(age) < MINUTE) return "just now";
  if (age < 0 || age >= 31 * DAY) return localDate(from);
  if (age < HOUR) return say(Math.floor(age / MINUTE), "minute");
  if (age < DAY) return say(Math.floor(age / HOUR), "hour");
  return say(Math.floor(age / DAY), "day");
}

function localDate(date: Date): string {
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}
