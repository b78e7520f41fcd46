import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { parseEntryId } from "../../../src/sessions/ids.ts";
import { tagged, titled } from "../../../src/sessions/session-events.ts";
import { openPostgres } from "../../../src/storage/postgres/open-postgres.ts";
import { one } from "../../contract/test-log.ts";
import { later, newSession, said } from "../../support/entries.ts";
import { makeName } from "../../support/postgres-database.ts";
import { patientDeadlines } from "../../support/store-address.ts";

const key = new Uint8Array(32).fill(7);

/** Holds the session of a schema until so many others wait for it. */
async function holdUntilOthersWait(client: pg.Client, schema: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      // Not by the text of its query: of statements that come at once, PostgreSQL may show an earlier one.
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'
       AND pid IN (SELECT pid FROM pg_locks WHERE relation = '${schema}.session_head'::regclass)`,
    );
    if (rows[0].n >= count) break;
    await sleep(10);
  }
  await client.query("COMMIT");
}

it("writers that waited for each other keep what the others said of the session", async () => {
  const schema = makeName();
  await using first = await openPostgres(inject("postgresUrl"), key, schema, patientDeadlines);
  await using second = await openPostgres(inject("postgresUrl"), key, schema, patientDeadlines);
  await using third = await openPostgres(inject("postgresUrl"), key, schema, patientDeadlines);
  const { id } = await first.projects.recognise({ identities: ["path:/x"], name: "x" });
  await first.log.open(newSession("one", id));
  const client = new pg.Client({ connectionString: inject("postgresUrl") });
  await client.connect();
  await client.query(`BEGIN; SELECT 1 FROM ${schema}.session_head FOR UPDATE`);
  const appending = [
    first.log.append(one, [said("a", "opening words")]),
    second.log.append(one, [titled(parseEntryId("t"), later(1), "Named")]),
    third.log.append(one, [tagged(parseEntryId("g"), later(1), { add: ["kept"] })]),
  ];
  await holdUntilOthersWait(client, schema, appending.length);
  await Promise.all(appending);
  await client.end();
  expect((await first.log.list()).sessions).toMatchObject([{ title: "Named", tags: ["kept"], entries: 3 }]);
  expect(await first.log.verify(one)).toMatchObject({ entries: 3, problem: null });
});
