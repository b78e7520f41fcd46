import { describe, expect, it } from "vitest";
import { toSeconds } from "../../src/gates/to-seconds.ts";

describe("a duration of a gate", () => {
  it.each([
    [0, 0],
    [1.5, 1.5],
    ["90", 90],
    ["315360000", 315_360_000],
    ["30s", 30],
    ["5m", 300],
    ["1h", 3600],
    ["7d", 604_800],
    ["3650d", 315_360_000],
  ])("%s is %s seconds", (given, seconds) => {
    expect(toSeconds(given)).toBe(seconds);
  });

  it.each([
    -1,
    Number.POSITIVE_INFINITY,
    315_360_001,
    "315360001",
    "3651d",
    "1w",
    "1h30m",
    "-5",
    "1.5",
    " 5m",
    "",
    true,
    null,
    ["5"],
  ])("%s is none", (given) => {
    expect(toSeconds(given)).toBeNaN();
  });
});
