import { expect, it } from "vitest";
import { stormRegistry, stormState } from "../support/gates/storms.ts";

const storm = { living: 12, killed: 2 };

// Seed 2: 10.3, 10.4
it.each([
  { what: "the state of gates", rage: stormState, file: "main.json" },
  { what: "the registry of sessions", rage: stormRegistry, file: "sessions.json" },
])(
  "loses no change of $what when many make them and some are killed, and leaves nothing",
  async ({ rage, file }) => {
    const { unreported, ...rest } = await rage(storm);
    expect(rest).toEqual({ acknowledged: 240, lost: [], files: [file] });
    expect(unreported).toBeLessThanOrEqual(storm.killed);
  },
);
