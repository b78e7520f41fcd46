import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { askSecretOnTerminal, confirmOnTerminal } from "../../src/cli/confirm.ts";
import { Interrupted } from "../../src/cli/interrupted.ts";

/** Asks, presses keys once the question is there, and returns the answer, what was shown and what the cursor was told last. */
async function press(ask: typeof confirmOnTerminal | typeof askSecretOnTerminal, ...keys: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = new Promise((resolve) => output.once("data", resolve));
  const shown = text(output);
  const answer = ask("Well?", { input, output }).catch((error: unknown) => error);
  await asked;
  for (const key of keys) input.write(key);
  if (keys.length === 0) input.end();
  const result = await answer;
  output.end();
  return { result, shown: await shown, cursor: (await shown).match(/\[\?25[hl]/g)?.at(-1) };
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
  expect(await press(confirmOnTerminal, ...keys)).toMatchObject({ result, cursor: "[?25h" });
});

it.each([
  { case: "a line", keys: ["hunter22", "\r"], result: "hunter22" },
  { case: "Ctrl-D", keys: ["hunter22", "\u0004"], result: undefined },
  { case: "Esc", keys: ["hunter22", "\u001b"], result: undefined },
  { case: "the end of the input", keys: [], result: undefined },
  { case: "Ctrl-C", keys: ["hunter22", "\u0003"], result: expect.any(Interrupted) },
])("$case is an answer to a question for a secret, which is not shown", async ({ keys, result }) => {
  const { shown, ...answer } = await press(askSecretOnTerminal, ...keys);
  expect(answer).toEqual({ result, cursor: "[?25h" });
  expect(shown).not.toContain("hunter");
});
