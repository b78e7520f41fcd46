import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { confirmOnTerminal } from "../../src/cli/confirm.ts";
import { Interrupted } from "../../src/cli/interrupted.ts";

/** Asks, presses keys once the question is there, and returns the answer and what the cursor was told last. */
async function press(...keys: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = new Promise((resolve) => output.once("data", resolve));
  const shown = text(output);
  const answer = confirmOnTerminal("Delete?", { input, output }).catch((error: unknown) => error);
  await asked;
  for (const key of keys) input.write(key);
  if (keys.length === 0) input.end();
  const result = await answer;
  output.end();
  return {
    result,
    cursor: (await shown).match(/\[\?25[hl]/g)?.at(-1),
  };
}

it.each([
  { case: "Ctrl-D", keys: ["\u0004"], result: false },
  { case: "Esc", keys: ["\u001b"], result: false },
  { case: "the end of the input", keys: [], result: false },
  { case: "Return", keys: ["\r"], result: false },
  { case: "n", keys: ["n"], result: false },
  { case: "y", keys: ["y"], result: true },
  { case: "Ctrl-C", keys: ["\u0003"], result: expect.any(Interrupted) },
])("$case is an answer that leaves the cursor visible", async ({ keys, result }) => {
  expect(await press(...keys)).toEqual({ result, cursor: "[?25h" });
});
