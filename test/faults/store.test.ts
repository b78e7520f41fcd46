import { describe, expect, it } from "vitest";
import { sweep, sweeps, writeUnder } from "../support/store-faults.ts";
import { tempDir } from "../support/temp-dir.ts";

it("makes the calls that the other tests make fail", async () => {
  await using dir = await tempDir();
  const { trace, ...run } = await writeUnder(dir.join("home"), "database", []);
  expect(run).toMatchObject({ exit: 0, injected: 0 });
  expect(new Set(trace)).toEqual(
    new Set(["openat", "pwrite64", "ftruncate", "fsync", expect.stringMatching(/^unlink(at)?$/)]),
  );
  expect(trace.filter((call) => call === "fsync").length).toBeGreaterThan(15);
});

describe("a store loses nothing that was acknowledged when a writer meets a fault, and the writer says why it stops", () => {
  // Most calls are writes to the WAL, one like the other: some of them are enough here, and torture takes all.
  const steps: Readonly<Record<string, number>> = { pwrite64: 11, fsync: 2 };

  it.each(sweeps)("$action at $call on the $place, lasting: $lasting", async (fault) => {
    expect(await sweep(fault, steps[fault.call] ?? 1)).toBeGreaterThan(0);
  });
});
