import { statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readMoment, writtenFrom } from "../../../src/gates/measure/file-clock.ts";
import { tempDir } from "../../support/temp-dir.ts";

const seconds = (count: number) => BigInt(count * 1000) * 1_000_000n;
const grace = seconds(0.02);

it.each([
  { case: "goes on", at: 1010, up: 60, from: seconds(1000) - grace },
  {
    case: "is set forward, or goes on while the machine sleeps",
    at: 5000,
    up: 60,
    from: seconds(1000) - grace,
  },
  { case: "is set back", at: 410, up: 60, from: seconds(400) - grace },
  { case: "is slowed down", at: 1009.5, up: 60, from: seconds(999.5) - grace },
  { case: "cannot be followed, since the machine was started again", at: 1010, up: 5, from: 0n },
])("knows from when on files are new when the clock $case", ({ at, up, from }) => {
  const before = { at: seconds(1000), up: seconds(50) };
  expect(writtenFrom(before, { at: seconds(at), up: seconds(up) })).toBe(from);
});

it("reads the clock by which files get their times", async () => {
  await using dir = await tempDir();
  const folder = dir.join("of/ours");
  const before = readMoment(folder);
  writeFileSync(dir.join("file"), "x");
  const { ctimeNs } = statSync(dir.join("file"), { bigint: true });
  const after = readMoment(folder);
  expect(ctimeNs).toBeGreaterThanOrEqual(before.at - grace);
  expect(ctimeNs).toBeLessThanOrEqual(after.at + grace);
  expect(after.up).toBeGreaterThan(before.up);
});

it("takes the clock of the process where it may not write", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("file"), "x");
  const { at } = readMoment(dir.join("file/marks"));
  expect(at).toBeGreaterThan(statSync(dir.join("file"), { bigint: true }).ctimeNs - seconds(1));
});
