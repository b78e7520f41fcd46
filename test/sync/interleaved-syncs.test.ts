import { appendFile, copyFile, rename } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { startChild } from "../support/child.ts";
import { anyTranscript, sessionOfClient } from "../support/claude-transcripts.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";

/** What happens after the transcript has grown. */
type Happening =
  | { readonly do: "nothing" | "sync" | "two syncs" | "rewrite" }
  | { readonly do: "killed sync"; readonly afterMs: number };

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ do: fc.constantFrom("nothing" as const, "sync" as const, "rewrite" as const) }),
  fc.record({ do: fc.constant("two syncs" as const) }),
  fc.record({ do: fc.constant("killed sync" as const), afterMs: fc.nat(150) }),
);

/** How much of the rest is written, in thousandths, and what happens then. */
const anySteps = fc.array(fc.tuple(fc.nat(1000), anyHappening), { maxLength: 6 });

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
      return runChild(client, what.afterMs);
  }
}

async function runChild(client: ClientFolder, killAfterMs?: number): Promise<void> {
  await using child = startChild("sync-child.ts", client.home, client.path);
  expect(await child.next()).toBe("ready");
  if (killAfterMs === undefined) expect(await child.ended()).toBe(0);
  else await sleep(killAfterMs);
}

it("gives the session that one sync at the end gives, whatever happened in between", async () => {
  await fc.assert(
    fc.asyncProperty(anyTranscript, anySteps, async (rows, steps) => {
      const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      await using client = await openClientFolder();
      await using other = await openClientFolder();
      const path = await client.write(sessionOfClient, "");
      let from = 0;
      for (const [share, what] of steps) {
        const to = from + Math.floor(((bytes.length - from) * share) / 1000);
        await appendFile(path, bytes.subarray(from, to));
        from = to;
        await happen(client, path, what);
      }
      await appendFile(path, bytes.subarray(from));
      await other.write(sessionOfClient, bytes.toString());
      await client.sync();
      await other.sync();
      expect(await client.sync()).toMatchObject({ added: 0 });
      expect(await client.read()).toEqual(await other.read());
    }),
    { numRuns: 12 },
  );
});
