/** Every call that a writer makes fails once or for ever, or is its last. */
import { describe, expect, it } from "vitest";
import { report } from "../support/report.ts";
import { sweep, sweeps } from "../support/store-faults.ts";

describe("loses nothing when any call fails or its process is killed there", () => {
  it.each(sweeps)("$action at $call on the $place, lasting: $lasting", async (fault) => {
    const tried = await sweep(fault, 1);
    report(`${fault.action} at ${fault.call}`, { tried });
    expect(tried).toBeGreaterThan(0);
  });
});
