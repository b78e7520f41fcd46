import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { describeAge, describeAgeShortly, parseDuration, parseMoment } from "../../src/lib/duration.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const errorOf = (action: () => unknown) => {
  try {
    return action();
  } catch (error) {
    return error;
  }
};

describe("parseDuration", () => {
  it.each([
    ["45s", 45_000],
    ["90m", 90 * MINUTE],
    ["12h", 12 * HOUR],
    ["7d", 7 * DAY],
    ["30d", 30 * DAY],
    ["2w", 14 * DAY],
    ["0d", 0],
    [" 1h ", HOUR],
    ["999999w", 999_999 * 7 * DAY],
  ])("reads %j", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(["", "7", "d", "-7d", "1.5h", "7 days", "7D", "7y", "7d7h", "1e3s", "1000000s", "٧d", "7d\n8d"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration(text)).toThrow(AppError);
    },
  );

  it("says what a duration looks like", () => {
    const { message, kind, code, hint } = errorOf(() => parseDuration("soon")) as AppError;
    expect({ message, kind, code, hint }).toEqual({
      message: '"soon" is not a duration.',
      kind: "usage",
      code: "bad-duration",
      hint: "Give a number and a unit, such as 45s, 90m, 12h, 7d or 2w.",
    });
  });

  it("reads or refuses any text, and every answer leads to a date", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,8}[smhdw]$/)), (text) => {
        const answer = errorOf(() => parseDuration(text));
        if (answer instanceof AppError) return;
        expect(new Date(Date.now() - Number(answer)).getTime()).not.toBeNaN();
      }),
    );
  });
});

describe("describeAge", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const now = new Date(2026, 10, 15, 12, 0, 0);
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);

  it.each([
    ["just now", 0],
    ["just now", MINUTE - 1],
    ["just now", -MINUTE + 1],
    ["1 minute ago", MINUTE],
    ["5 minutes ago", 5 * MINUTE + 59_999],
    ["59 minutes ago", HOUR - 1],
    ["1 hour ago", HOUR],
    ["23 hours ago", DAY - 1],
    ["1 day ago", DAY],
    ["3 days ago", 3 * DAY],
    ["30 days ago", 31 * DAY - 1],
    ["2026-10-15", 31 * DAY],
    ["2026-11-15", -MINUTE],
    ["2026-11-16", -DAY],
  ])("says %j", (text, age) => {
    const from = before(age);
    expect(describeAge(from, now)).toBe(text);
    const short = text.replace(/ (minute|hour|day)s? ago/, (_, unit: string) => `${unit[0]} ago`);
    expect(describeAgeShortly(from, now)).toBe(short);
  });

  it("fills a date up with zeros", () => {
    expect(describeAge(new Date(2026, 0, 5), now)).toBe("2026-01-05");
  });

  it.each([
    ["Pacific/Kiritimati", "2025-12-31T12:00:00Z", "2026-01-01"],
    ["Pacific/Pago_Pago", "2026-01-01T06:00:00Z", "2025-12-31"],
  ])("gives the date as it was in %s", (zone, moment, date) => {
    vi.stubEnv("TZ", zone);
    expect(describeAge(new Date(moment), new Date("2026-11-15T12:00:00Z"))).toBe(date);
  });
});

describe("parseMoment", () => {
  // A Sunday.
  const now = new Date(2026, 10, 15, 12, 0, 0);
  const day = (date: number) => new Date(2026, 10, date);

  it.each([
    ["2026-11-01", day(1)],
    ["2026-11", day(1)],
    ["2026-11-01T09:30:00Z", new Date("2026-11-01T09:30:00Z")],
    ["today", day(15)],
    ["Yesterday", day(14)],
    ["sunday", day(15)],
    ["mon", day(9)],
    ["Saturday", day(14)],
    ["12h", new Date(now.getTime() - 12 * HOUR)],
    ["2 days ago", new Date(now.getTime() - 2 * DAY)],
    ["2-days-ago", new Date(now.getTime() - 2 * DAY)],
    ["7d ago", new Date(now.getTime() - 7 * DAY)],
    ["1month", new Date(now.getTime() - 30 * DAY)],
    ["last week", new Date(now.getTime() - 7 * DAY)],
  ])("reads %j", (text, moment) => {
    expect(parseMoment(text, now)).toEqual(moment);
  });

  it.each(["", "soon", "2026-13-01", "2026-1-1", "mond", "days ago", "2 fortnights ago", "1234567d", "last"])(
    "does not read %j",
    (text) => {
      expect(parseMoment(text, now)).toBeUndefined();
    },
  );
});
