import { expect, inject, it } from "vitest";
import { forgetDigests } from "../../../src/storage/digests/forget-digests.ts";
import { parseStoreUrl } from "../../../src/storage/parse-store-url.ts";
import { openDriver } from "../../../src/storage/postgres/open-driver.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import type { SqlRunner } from "../../../src/storage/sql-driver.ts";
import { one } from "../../contract/test-log.ts";
import { newSession, said } from "../../support/entries.ts";
import { makeName } from "../../support/postgres-database.ts";
import { patientDeadlines } from "../../support/store-address.ts";

/** Tells whether a connection waits for the lock of the search index. */
async function isAwaited(runner: SqlRunner): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  return (await runner.all(sql)).length > 0;
}

it("a digest that is kept while a transaction takes text out is not there afterwards", async () => {
  const [url, schema] = [inject("postgresUrl"), makeName()];
  await using store = await openPostgres(url, new Uint8Array(32), schema, patientDeadlines);
  const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
  await store.log.open(newSession("one", project.id), [said("a", "hunter22")]);
  const { driver } = await openDriver(parseStoreUrl(url), schema, patientDeadlines);
  await using scrubbing = driver;
  const { asOf } = await store.digests.read([one]);
  let isKept = false;
  const keep = async () => {
    await store.digests.keep([{ session: one, version: 1, seq: 1, body: '"hunter22"' }], asOf);
    isKept = true;
  };
  const keeping = await scrubbing.transaction(async (transaction) => {
    await forgetDigests(transaction, [1]);
    const begun = keep();
    while (!isKept && !(await isAwaited(transaction))) await new Promise((resolve) => setTimeout(resolve, 5));
    return { begun };
  });
  await keeping.begun;
  expect((await store.digests.read([one])).digests).toEqual([]);
});
