import { usageError } from "./app-error.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const units: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/** Reads a duration such as `90m` or `7d` and returns it in milliseconds. */
export function parseDuration(text: string): number {
  const milliseconds = toMilliseconds(text);
  if (Number.isNaN(milliseconds))
    throw usageError("bad-duration", `"${text}" is not a duration.`, {
      hint: "Give a number and a unit, such as 45s, 90m, 12h, 7d or 2w.",
    });
  return milliseconds;
}

/** Returns a duration such as `90m` or `7d` in milliseconds, and NaN for a text that is none. */
export function toMilliseconds(text: string): number {
  // Six digits reach 19,000 years in weeks: still a valid distance from any date of today.
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  return Number(count) * (units[unit] ?? Number.NaN);
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** How a person writes how long ago something was: `2 days ago`, `last week`. */
export const agePattern = String.raw`(?:\d{1,6}[ -]?|last[ -])(?:minute|hour|day|week|month|year)s?(?:[ -]ago)?`;

const longUnits: Readonly<Record<string, number>> = {
  ...{ minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY, year: 365 * DAY },
};

/**
 * Reads a moment as a person writes it: a day, a month, `yesterday`, `monday` (the last one), a time, or how long ago.
 *
 * Days begin as they do on this machine. Undefined for any other text.
 */
export function parseMoment(text: string, now: Date): Date | undefined {
  const said = text.trim().toLowerCase();
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(said)) return valid(new Date(`${said.padEnd(10, "-01")}T00:00:00`));
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(said)) return valid(new Date(text.trim()));
  const daysAgo = countDays(said, now);
  if (daysAgo !== undefined) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  if (!new RegExp(`^${agePattern}$`).test(said))
    return valid(new Date(now.getTime() - toMilliseconds(said.replace(/[ -]?ago$/, ""))));
  const [count = "", unit = ""] = /(\d+|last)[ -]?([a-z]+?)s?(?:[ -]ago)?$/.exec(said)?.slice(1) ?? [];
  return valid(
    new Date(now.getTime() - (count === "last" ? 1 : Number(count)) * (longUnits[unit] ?? Number.NaN)),
  );
}

/** Returns how many days ago a day with a name was: today is 0. */
function countDays(name: string, now: Date): number | undefined {
  if (name === "today" || name === "yesterday") return name === "today" ? 0 : 1;
  const weekday = weekdays.findIndex((each) => each === name || each.slice(0, 3) === name);
  return weekday < 0 ? undefined : (now.getDay() - weekday + 7) % 7;
}

function valid(moment: Date): Date | undefined {
  return Number.isNaN(moment.getTime()) ? undefined : moment;
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
