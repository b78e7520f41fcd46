import { appendFile, copyFile, rename } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entry } from "../../src/sessions/entry.ts";
import { anyTranscript, sessionOfClient } from "../support/claude-transcripts.ts";
import { type ClientFolder, openClientFolder, rightAfter } from "../support/client-folder.ts";
import { hooksOf, type NamedHook } from "../support/hooks-of.ts";
import { dieAtWork, startCounting } from "../support/kill-moments.ts";

/** What happens after the transcript has grown. */
type Happening =
  | { readonly do: "nothing" | "sync" | "two syncs" | "rewrite" }
  | { readonly do: "killed sync"; readonly atEvent: number };

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ do: fc.constantFrom("nothing" as const, "sync" as const, "rewrite" as const) }),
  fc.record({ do: fc.constant("two syncs" as const) }),
  fc.record({ do: fc.constant("killed sync" as const), atEvent: fc.integer({ min: 1, max: 150 }) }),
);

/** How much of the rest is written, in thousandths, which hooks come in which order, and what happens then. */
const anyStep = fc.record({
  share: fc.nat(1000),
  hooks: fc.array(fc.nat(1000), { maxLength: 5 }),
  what: anyHappening,
});
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

async function happen(client: ClientFolder, path: string, what: Happening): Promise<void> {
  switch (what.do) {
    case "nothing":
      return;
    case "sync":
      return void (await client.sync());
    case "two syncs":
      return void (await Promise.all([client.sync(), runChild(client)]));
    case "rewrite":
      await copyFile(path, `${path}.new`);
      return rename(`${path}.new`, path);
    case "killed sync":
      return runChild(client, what.atEvent);
  }
}

/** Runs a sync in a process of its own, which dies at one of its events unless it ends before. */
async function runChild(client: ClientFolder, killAt?: number): Promise<void> {
  const args = [client.home, client.path, rightAfter.toISOString()];
  await using child = startCounting("sync-child.ts", args, dieAtWork(killAt));
  expect(await child.next()).toBe("ready");
  expect(killAt === undefined ? [0] : [0, "SIGKILL"]).toContain(await child.ended());
}

/** An entry without its place, which what hooks saw may take before it. */
function toFacts({ seq: _seq, ...entry }: Entry): object {
  return entry;
}

/** What is known after all that happened. */
interface Outcome {
  readonly shown: readonly Entry[];
  /** What hooks told, in the order in which they did. */
  readonly told: readonly NamedHook[];
}

/** Lets one of the hooks that wait tell what it saw, and returns it. */
async function tell(
  client: ClientFolder,
  waiting: NamedHook[],
  choice: number,
): Promise<readonly NamedHook[]> {
  const told = waiting.splice(choice % Math.max(1, waiting.length), 1);
  for (const hook of told) await client.hook({ ...hook, to: choice % 3 === 0 ? "spool" : "inbox" });
  return told;
}

/** Lets a transcript grow to these bytes while hooks tell of its rows and syncs run. */
async function live(
  bytes: Buffer,
  rows: Parameters<typeof hooksOf>[0],
  steps: readonly Step[],
): Promise<Outcome> {
  await using client = await openClientFolder();
  const path = await client.write(sessionOfClient, "");
  const waiting = [...hooksOf(rows)];
  const told: NamedHook[] = [];
  let from = 0;
  for (const { share, hooks, what } of steps) {
    const to = from + Math.floor(((bytes.length - from) * share) / 1000);
    await appendFile(path, bytes.subarray(from, to));
    from = to;
    for (const choice of hooks) told.push(...(await tell(client, waiting, choice)));
    await happen(client, path, what);
  }
  await appendFile(path, bytes.subarray(from));
  await client.sync();
  expect(await client.sync()).toMatchObject({ added: 0, items: 0 });
  return { told, shown: (await client.read())[sessionOfClient]?.shown ?? [] };
}

/** What one sync makes of these bytes. */
async function readAtOnce(bytes: Buffer): Promise<readonly Entry[]> {
  await using client = await openClientFolder();
  await client.write(sessionOfClient, bytes.toString());
  await client.sync();
  return (await client.read())[sessionOfClient]?.shown ?? [];
}

it("shows what one sync at the end shows, and of what hooks saw the rest, whatever happened in between", async () => {
  const isSeen = ({ strand }: Entry) => strand === "hooks";
  const momentOf = ({ at }: { readonly at: Date }) => at.toISOString();
  await fc.assert(
    fc.asyncProperty(
      anyTranscript,
      fc.array(anyStep, { maxLength: 6 }),
      fc.nat(1000),
      async (rows, steps, cut) => {
        // A client that is killed may not have written everything that its hooks saw.
        const written = rows.slice(0, Math.ceil((rows.length * (1000 - cut / 2)) / 1000));
        const bytes = Buffer.from(written.map((row) => `${JSON.stringify(row)}\n`).join(""));
        const { shown, told } = await live(bytes, rows, steps);
        const talk = shown.filter((entry) => !isSeen(entry));
        expect(talk.map(toFacts)).toEqual((await readAtOnce(bytes)).map(toFacts));
        const known = new Set(hooksOf(written).map(({ name }) => name));
        const missing = told.filter(({ name }) => !known.has(name));
        expect(shown.filter(isSeen).map(momentOf).toSorted()).toEqual(missing.map(momentOf).toSorted());
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});
