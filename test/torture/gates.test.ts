/** TORTURE_GATES (64) says how many processes change a file of the gates at once; a tenth more are killed meanwhile. */
import { expect, it } from "vitest";
import { stormRegistry, stormState } from "../support/gates/storms.ts";
import { report } from "../support/report.ts";

const living = Number(process.env.TORTURE_GATES ?? 64);
const storm = { living, killed: Math.ceil(living / 10) };

it.each([
  { what: "the state of gates", rage: stormState, file: "main.json" },
  { what: "the registry of sessions", rage: stormRegistry, file: "sessions.json" },
])(`loses no change of $what that ${living} processes make`, async ({ what, rage, file }) => {
  const aftermath = await rage(storm);
  report(`Changes of ${what}`, { processes: living, ...aftermath });
  const { unreported, ...rest } = aftermath;
  expect(rest).toEqual({ acknowledged: living * 20, lost: [], files: [file] });
  expect(unreported).toBeLessThanOrEqual(storm.killed);
});
