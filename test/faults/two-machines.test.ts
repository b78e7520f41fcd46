import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, it } from "vitest";
import { readOwnIdentity } from "../../src/lib/process-identity.ts";
import { SessionInUse } from "../../src/sessions/errors.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import type { Lease, Leases } from "../../src/sessions/lease.ts";
import { openStore, type Store } from "../../src/storage/open-store.ts";
import { openPostgres } from "../../src/storage/postgres/open-postgres.ts";
import { startChild } from "../support/child.ts";
import { collect, idsOf, newSession, said, start } from "../support/entries.ts";
import { makeName } from "../support/postgres-database.ts";
import { patientDeadlines } from "../support/store-address.ts";
import { tempDir } from "../support/temp-dir.ts";

const one = parseSessionId("one");

/** Tries until the lease is free, as a process that the holder cannot be seen from. */
async function acquireWhenFree(leases: Leases): Promise<Lease> {
  const holder = { process: await readOwnIdentity(), program: "test", since: start };
  for (;;) {
    try {
      return await leases.acquire(one, { holder, forMs: 60_000 });
    } catch (error) {
      if (!(error instanceof SessionInUse)) throw error;
      await sleep(20);
    }
  }
}

async function provideOn(engine: string, folder: string): Promise<[store: Store, args: readonly string[]]> {
  if (engine === "SQLite") return [await openStore(folder), [folder, ""]];
  const schema = makeName();
  const url = inject("postgresUrl");
  return [await openPostgres(url, new Uint8Array(32), schema, patientDeadlines), [url, schema]];
}

it.each(["SQLite", "PostgreSQL"])(
  "a process on another machine that is stopped past its lease and continued cannot append, on %s",
  async (engine) => {
    await using dir = await tempDir();
    const [store, args] = await provideOn(engine, dir.join("home"));
    await using _closed = store;
    const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
    await store.log.open(newSession("one", project.id));
    await using child = startChild("lease-child.ts", ...args, "500");
    expect(await child.next()).toBe("held");
    expect(await child.ask("a1")).toBe("1");
    child.kill("SIGSTOP");
    const lease = await acquireWhenFree(store.leases);
    await store.log.append(lease, [said("b1", "1")]);
    child.kill("SIGCONT");
    expect([await child.ask("a2"), await child.ask("a3")]).toEqual(["lease-lost", "lease-lost"]);
    await store.log.append(lease, [said("b2", "2")]);
    expect(idsOf(await collect(store.log.read(one)))).toEqual(["a1", "b1", "b2"]);
    expect((await store.log.verify(one)).problem).toBeNull();
  },
);
