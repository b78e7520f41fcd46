import { appendFile, copyFile, rename } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entry } from "../../src/sessions/entry.ts";
import { anyEmissions, type EmittedRow, lastOf } from "../support/any-emissions.ts";
import { sessionOfClient } from "../support/claude-transcripts.ts";
import { conversationOf, leafOf } from "../support/client-conversation.ts";
import { openClientFolder } from "../support/client-folder.ts";
import { describeOurs } from "../support/described-talk.ts";

/** How many rows are written, and what happens then: a file written anew and a copy of it are read from their start. */
const anyStep = fc.record({
  rows: fc.nat(12),
  what: fc.constantFrom("sync" as const, "rewrite" as const, "copy" as const, "nothing" as const),
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

const render = (rows: readonly EmittedRow[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** Lets a transcript grow step by step, and returns what is stored in the end. */
async function store(rows: readonly EmittedRow[], steps: readonly Step[]): Promise<readonly Entry[]> {
  await using client = await openClientFolder();
  const path = await client.write(sessionOfClient, "");
  let from = 0;
  for (const [index, { rows: count, what }] of steps.entries()) {
    await appendFile(path, render(rows.slice(from, from + count)));
    from += count;
    if (what === "copy") await copyFile(path, await client.write(sessionOfClient, "", `-copy-${index}`));
    if (what === "rewrite") {
      await copyFile(path, `${path}.new`);
      await rename(`${path}.new`, path);
    }
    if (what !== "nothing") await client.sync();
  }
  await appendFile(path, render(rows.slice(from)));
  await client.sync();
  expect(await client.sync()).toMatchObject({ added: 0, failed: [] });
  return (await client.read())[sessionOfClient]?.entries ?? [];
}

it("keeps of rows that come again and again what one sync keeps, and shows what they held last, however it was read", async () => {
  await fc.assert(
    fc.asyncProperty(anyEmissions, fc.array(anyStep, { maxLength: 5 }), async (rows, steps) => {
      const entries = await store(rows, steps);
      expect(entries).toEqual(await store(rows, []));
      const said = conversationOf(entries, leafOf(entries)).map(describeOurs);
      expect(said.map(({ id, says }) => [id, ...says])).toEqual(lastOf(rows));
    }),
    { numRuns: 15 },
  );
});
